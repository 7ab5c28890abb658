// How things look. The palette is that of the package's pictures; what is not a mark has the colour of
// the text around it. No class is told by its colour alone.

const PALETTE = ["#0072B2", "#D55E00", "#009E73", "#BC6A98", "#AC7700", "#2E8BC0"];
export const colour = (/** @type {number} */ k) => PALETTE[k % PALETTE.length];
/** Letters that can be read on a colour: white on the blue, black on all others. @param {number} k */
export const ink = (k) => (k % PALETTE.length ? "#000" : "#fff");
/** The colour of the page. */
export const PAPER = "var(--pst-color-background, Canvas)";
/** What answers the guess, and is not seen before it. */
export const ANSWER = { class: "dtb-secret" };
export const DASHED = { "stroke-dasharray": "7 4" };
export const DOTTED = { "stroke-dasharray": "2 4" };
export const MIDDLE = { "text-anchor": "middle" };
export const END = { "text-anchor": "end" };
export const BOLD = { "font-weight": 700 };
export const CENTRED = { ...MIDDLE, ...BOLD };
export const HALOED = { ...CENTRED, class: "dtb-halo" };
/** Along what a grip moves. */
export const RAIL = { "stroke-width": 4, "stroke-opacity": 0.25, "stroke-linecap": "round" };
