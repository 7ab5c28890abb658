// A formula that is wider than the page scrolls: as long as it does, the keyboard can reach it.
const SCROLLS = { tabindex: "0", role: "group", "aria-label": "Wide formula" };
const fit = new ResizeObserver((formulas) => {
  for (const { target: formula } of formulas) {
    const { clientWidth, scrollWidth } = formula;
    const wide = 0 < clientWidth && clientWidth < scrollWidth; // what stands in a line has no width
    for (const [name, value] of Object.entries(SCROLLS))
      if (wide) formula.setAttribute(name, value);
      else formula.removeAttribute(name);
  }
});
document.querySelectorAll(".bd-article .math").forEach((formula) => fit.observe(formula));
