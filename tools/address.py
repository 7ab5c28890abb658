"""Where the book lives. This is the one place that says it, and all addresses follow from it.

In GitHub Actions it is the repository that the workflow runs in, elsewhere the git remote `origin`;
without either it is not published: links are plain text. `BOOK_URL` says where the pages are if
they have an address of their own.
"""

import os
import re
import subprocess
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
HOST = "https://github.com"
# GitHub listens at ssh.github.com:443 for networks that let nothing else through.
REMOTE = re.compile(
    r"(?i:(?:https://(?:[^@/]+@)?|ssh://git@|git@)(?:ssh\.)?github\.com)(?::\d+/|[:/])"
    r"([^/]+/[^/]+?)(?:\.git)?/?"
)
BRANCH = "main"
WORDS = {"<address-of-this-repository>": "repository", "<address-of-the-book>": "site"}
# Links to notebooks lead to their zips (links.py), unless they ask for Binder.
MARKDOWN = re.compile(r"\[([^\[\]]*)\]\(\.\./([^)\s]+?)(#binder|(?<!\.ipynb))\)")
LATER = " (once the book is published)"
BUILT = "book/_build/"  # what is built beside the pages is published with them


class Address(NamedTuple):
    """The address of a repository, as owner/name, and that of its pages."""

    name: str
    site: str

    @property
    def repository(self):
        return f"{HOST}/{self.name}"

    def file(self, path):
        return f"{self.repository}/blob/{BRANCH}/{path}"

    def built(self, path):
        return f"{self.site}/{path.removeprefix(BUILT)}"

    def binder(self, path):
        return f"https://mybinder.org/v2/gh/{self.name}/{BRANCH}?urlpath=lab/tree/{path}"


def here(root=ROOT):
    """Return where the book lives, or None if it is not published yet."""
    # Workflows run on servers of companies, too; their names on GitHub belong to strangers.
    is_there = os.environ.get("GITHUB_SERVER_URL", HOST) == HOST
    name = (is_there and os.environ.get("GITHUB_REPOSITORY")) or remote(root)
    if not name:
        return None
    return Address(name, os.environ.get("BOOK_URL", "").rstrip("/") or pages(name))


def git(root, *ask):
    """Return what git says of a folder; nothing where it, or git, knows nothing."""
    try:
        run = subprocess.run(["git", "-C", root, *ask], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return run.stdout.strip()


@cache
def remote(root):
    """Return owner/name of the repository on GitHub that a folder was cloned from, or nothing."""
    found = REMOTE.fullmatch(git(root, "remote", "get-url", "origin"))
    return found.group(1) if found else ""


def pages(name):
    """Return where GitHub Pages shows a repository.

    >>> pages("School/trees"), pages("school/school.github.io")
    ('https://school.github.io/trees', 'https://school.github.io')
    """
    owner, repository = name.split("/")
    site = f"{owner.lower()}.github.io"
    return f"https://{site}" if repository.lower() == site else f"https://{site}/{repository}"


def placed(text, home):
    """Return text with the addresses of a home, or without them if there is none.

    Links lead out of a folder of the repository, such as `../LICENSE`.

    >>> placed("[to run](../release/id3.ipynb#binder), [to read](../LICENSE)", None)
    'to run (once the book is published), to read'
    """

    def link(match):
        words, path, to_run = match.groups()
        if home is None:
            return words + (LATER if to_run else "")
        kind = "binder" if to_run else "built" if path.startswith(BUILT) else "file"
        return f"[{words}]({getattr(home, kind)(path)})"

    text = MARKDOWN.sub(link, text)
    for word, what in WORDS.items() if home else ():
        text = text.replace(word, getattr(home, what))
    return text
