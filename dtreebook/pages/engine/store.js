// What the browser itself keeps of this site; nothing where it is closed to pages.

export function stored(act) {
  try {
    return act(globalThis.localStorage);
  } catch {
    return undefined;
  }
}
