"""An explorable as a widget: the same script, and Python hears what the reader does.

A `Live` runs in JupyterLab, VS Code and Colab as it is, without a kernel. As a widget of anywidget
it also tells what it says, so that the next cell can go on from there.
"""

from typing import Any

from dtreebook.data.extras import needs
from dtreebook.pages.live import Live, styles
from dtreebook.pages.script import bundle

# What a widget does with the same files: they look for their place in `page`, and what is said
# is sent to Python.
MODULE = """export default {{ render({{ model, el: page }}) {{
page.innerHTML = model.get("html");
{script};
const told = page.querySelector(".dtb-said");
const send = () => {{ model.set("said", told.textContent); model.save_changes(); }};
new MutationObserver(send).observe(told, {{ childList: true }});
send();
}} }};
"""


def widget(live: Live) -> Any:
    """Return a widget of an explorable; its trait ``said`` is the sentence that the page shows.

    Parameters
    ----------
    live : `dtreebook.pages.live.Live`.

    Raises
    ------
    ImportError
        Without anywidget: ``pip install dtreebook[explore]``.
    """
    needs("anywidget", "explore", "a widget")
    import anywidget
    import traitlets

    class Explorable(anywidget.AnyWidget):
        _esm = MODULE.format(script=bundle(live.kind, page="page"))
        _css = styles(live.kind)
        html = traitlets.Unicode().tag(sync=True)
        said = traitlets.Unicode().tag(sync=True)

    return Explorable(html=live.inside, said=live.view.sentence)
