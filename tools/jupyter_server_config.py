"""JupyterLab shows a stored notebook alive, and keeps its file as the book has it.

Explorables are stored without what brings them to life; whoever opens a notebook gets them as after
a run. JupyterLab notes the kernel and its version in every notebook that it opens, and saves that.
What is saved has the few words of tools/notebooks.py instead, and the explorables' data alone, so
that git and nbgitpuller see no change where nobody changed anything.
"""

from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager

from twentyquestions.live import asleep, awake


def redraw(notebook, change):
    """Change the HTML of a notebook's outputs."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            html = output.get("data", {}).get("text/html")
            if html:
                output["data"]["text/html"] = change("".join(html))


class Notebooks(AsyncLargeFileManager):
    """The files, notebooks opened with what brings their explorables to life."""

    async def get(self, path, content=True, **asked):
        model = await super().get(path, content, **asked)
        if content and model["type"] == "notebook":
            redraw(model["content"], awake)
        return model


def as_in_the_book(model, **_):
    """Reduce what a notebook says of its kernel, and of its explorables."""
    if model["type"] == "notebook":
        metadata = model["content"]["metadata"]
        if metadata.get("kernelspec", {}).get("name") == "python3":
            named = {"display_name": "Python 3", "language": "python", "name": "python3"}
            metadata |= {"kernelspec": named, "language_info": {"name": "python"}}
        redraw(model["content"], asleep)


c.ServerApp.contents_manager_class = Notebooks  # noqa: F821
c.FileContentsManager.pre_save_hook = as_in_the_book  # noqa: F821
