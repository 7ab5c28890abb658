// Hide what looks like something shown before, so that axe measures the contrast of each look a few
// times and not of every word. A look is what decides the contrast: the colours of an element and of
// all it lies in, the size and the weight of its letters.
() => {
  const OFTEN = 3;
  const shown = new Map();
  let apart = 0;

  function look(element, around) {
    const style = getComputedStyle(element);
    const places = ["static", "relative"].includes(style.position) ? "" : apart++;
    return [
      around,
      places,
      style.color,
      style.backgroundColor,
      style.backgroundImage,
      style.opacity,
      style.filter,
      style.textShadow,
      style.fontSize,
      style.fontWeight,
    ].join();
  }

  // What is cut off, as in a list that scrolls, cannot be judged and stands for nothing.
  function isWhole(element) {
    const { top, right, bottom, left } = element.getBoundingClientRect();
    for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
      if (getComputedStyle(box).overflow === "visible") continue;
      const edge = box.getBoundingClientRect();
      if (top < edge.top || right > edge.right || bottom > edge.bottom || left < edge.left)
        return false;
    }
    return element.checkVisibility({ visibilityProperty: true });
  }

  function isSeen(element, own) {
    const text = [...element.childNodes]
      .map((node) => (node.nodeType === 3 ? node.data : ""))
      .join("");
    if (element.matches("input, select, textarea")) return false;
    if (text.trim().length < 2) return true; // axe does not judge one letter
    const times = shown.get(own) ?? 0;
    if (/\w\w/.test(text) && isWhole(element)) shown.set(own, times + 1);
    return times >= OFTEN;
  }

  function thin(element, around) {
    const own = look(element, around);
    let hide = isSeen(element, own);
    for (const child of element.children) hide = thin(child, own) && hide;
    element.toggleAttribute("data-seen", hide);
    return hide;
  }

  for (const seen of document.querySelectorAll("[data-seen]")) seen.removeAttribute("data-seen");
  thin(document.body, "");
};
