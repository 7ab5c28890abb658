"""JupyterLab keeps a chapter's file as the book has it, where nobody changed anything.

It notes the kernel and its version in every notebook that it opens, and saves that. What is saved
has the few words of tools/notebooks.py instead, so that git and nbgitpuller see no change.
"""


def as_in_the_book(model, **_):
    """Reduce what a notebook says of its kernel."""
    if model["type"] == "notebook":
        metadata = model["content"]["metadata"]
        if metadata.get("kernelspec", {}).get("name") == "python3":
            named = {"display_name": "Python 3", "language": "python", "name": "python3"}
            metadata |= {"kernelspec": named, "language_info": {"name": "python"}}


c.FileContentsManager.pre_save_hook = as_in_the_book  # noqa: F821
