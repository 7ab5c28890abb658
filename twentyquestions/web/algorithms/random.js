// Random numbers that a text decides (mulberry32, begun with the text's FNV-1a hash).
export function randomOf(/** @type {string} */ text) {
  let state = 2166136261;
  for (const sign of text) state = Math.imul(state ^ Number(sign.codePointAt(0)), 16777619);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  /** @param {number} low @param {number} high */
  const whole = (low, high) => low + Math.floor(next() * (high - low + 1));
  /** @template T @param {Iterable<T>} items */
  const shuffled = (items) => {
    const order = [...items];
    for (let i = order.length - 1; i > 0; i--) {
      const j = whole(0, i);
      [order[i], order[j]] = [order[j], order[i]];
    }
    return order;
  };
  /** @template T @param {ArrayLike<T>} items */
  const one = (items) => items[whole(0, items.length - 1)];
  return { next, whole, one, shuffled };
}
