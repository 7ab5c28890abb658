// What the browser itself keeps of this site; nothing where it is closed to pages.

/** @template T @param {(store: Storage) => T} act */
export function stored(act) {
  try {
    return act(globalThis.localStorage);
  } catch {
    return undefined;
  }
}
