"""The style sheets of the themes, without what no page uses."""

import sys

from browser import ROOT

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import used_styles


def test_a_rule_stays_if_one_of_its_selectors_may_answer():
    css = ".tip, .gone > p { color: red } .gone.tip { color: blue } p { margin: 0 }"
    kept = " ".join(used_styles.used(css, {"tip"}).split())
    assert kept == ".tip, .gone > p { color: red }p { margin: 0 }"


def test_what_a_rule_excludes_need_not_be_used():
    css = "a:not(.btn, .link) { color: red }"
    assert used_styles.used(css, set()) == css


def test_a_query_without_rules_goes_and_fonts_stay():
    css = "@media print { .gone { color: red } }@font-face { src: url(a.woff2) }"
    assert used_styles.used(css, set()) == "@font-face { src: url(a.woff2) }"
    assert "gone" in used_styles.used(css, {"gone"})
