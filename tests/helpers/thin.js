// Hide what looks like something shown before, so that axe measures the contrast of each look a few
// times and not of every word. A look is what decides the contrast: the colours of an element and of
// all it lies in, the size and the weight of its letters. Returns how many elements stay.
() => {
    const OFTEN = 3;
    const shown = new Map();
    let apart = 0, stay = 0;

    function look(element, around) {
        const style = getComputedStyle(element);
        const places = ["static", "relative"].includes(style.position) ? "" : apart++;
        return [around, places, style.color, style.backgroundColor, style.backgroundImage,
            style.opacity, style.filter, style.textShadow, style.fontSize, style.fontWeight].join();
    }

    function isSeen(element, own) {
        const text = [...element.childNodes].map(node => node.nodeType === 3 ? node.data : "").join("");
        if (element.matches("input, select, textarea")) return false;
        if (text.trim().length < 2) return true;  // axe does not judge one letter
        const times = shown.get(own) ?? 0;
        if (/\w\w/.test(text) && element.checkVisibility({visibilityProperty: true}))
            shown.set(own, times + 1);
        return times >= OFTEN;
    }

    function thin(element, around) {
        const own = look(element, around);
        let hide = isSeen(element, own);
        for (const child of element.children) hide = thin(child, own) && hide;
        element.toggleAttribute("data-seen", hide);
        stay += !hide;
        return hide;
    }

    for (const seen of document.querySelectorAll("[data-seen]")) seen.removeAttribute("data-seen");
    thin(document.body, "");
    return stay;
}
