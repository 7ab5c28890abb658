"""The book lives where it is published, under anybody's name: no file names a place of its own."""

import re
import subprocess
from types import SimpleNamespace

import links
import pytest
import yaml
from browser import FORK, ROOT
from bs4 import BeautifulSoup

from tools import address

OURS = re.compile(r"github\.com/dtreebook|dtreebook\.github\.io|gh/dtreebook", re.IGNORECASE)


@pytest.fixture(autouse=True)
def _nowhere(monkeypatch):
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    monkeypatch.delenv("BOOK_URL", raising=False)


def cloned_from(folder, remote):
    subprocess.run(["git", "init", "-q", folder], check=True)
    subprocess.run(["git", "-C", folder, "remote", "add", "origin", remote], check=True)
    return folder


@pytest.mark.parametrize(
    "remote",
    [
        "https://github.com/Some-School/trees.git",
        "https://somebody:secret@github.com/Some-School/trees.git",
        "git@github.com:Some-School/trees.git",
        "ssh://git@github.com:22/Some-School/trees.git",
        "ssh://git@ssh.github.com:443/Some-School/trees.git",
        "https://GitHub.com/Some-School/trees/",
    ],
)
def test_a_clone_lives_where_it_comes_from(tmp_path, remote):
    home = address.here(cloned_from(tmp_path, remote))
    assert home.repository == "https://github.com/Some-School/trees"
    assert home.site == "https://some-school.github.io/trees"


@pytest.mark.parametrize(
    ("remote", "settings", "site"),
    [
        ("https://github.com/one/up", {"GITHUB_REPOSITORY": "a/b"}, "https://a.github.io/b"),
        (
            "https://github.com/one/up",
            {"GITHUB_REPOSITORY": "a/b", "BOOK_URL": "https://trees.school.org/"},
            "https://trees.school.org",
        ),
        (  # a workflow on another server names no stranger's repository
            "https://github.school.org/one/trees",
            {"GITHUB_REPOSITORY": "one/trees", "GITHUB_SERVER_URL": "https://github.school.org"},
            None,
        ),
        ("/srv/git/trees", {}, None),
        ("https://example.org/a/b.git", {}, None),
    ],
)
def test_a_workflow_says_where_it_runs_and_other_places_are_not_published(
    tmp_path, monkeypatch, remote, settings, site
):
    assert address.here(tmp_path) is None
    cloned_from(tmp_path, remote)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    home = address.here(tmp_path)
    assert site == (home and home.site)


@pytest.mark.slow
def test_a_fork_has_its_own_name_everywhere_and_no_other(fork):
    repository, home = f"https://github.com/{FORK}", address.pages(FORK)
    for path in fork.rglob("*"):
        if path.suffix not in {".html", ".js", ".json", ".txt", ".xml", ".ipynb", ".cff"}:
            continue
        assert not OURS.search(path.read_text("utf-8")), path
    # the page that offers the first assignment
    page = BeautifulSoup((fork / "id3.html").read_text("utf-8"), "html.parser")
    links = {link["href"] for link in page.find_all("a", href=True)}
    assert f"{repository}/blob/main/LICENSE" in links
    assert f"{repository}/edit/main/book/id3.ipynb" in links
    for start in (
        f"https://mybinder.org/v2/gh/{FORK}/main?urlpath=lab/tree/book/id3.ipynb",
        f"https://mybinder.org/v2/gh/{FORK}/main?urlpath=lab/tree/course/release/entropy",
        f"https://colab.research.google.com/github/{FORK}/blob/notebooks/id3.ipynb",
        f"https://kaggle.com/kernels/welcome?src={repository}/blob/notebooks/id3.ipynb",
        f"{home}/hub/user-redirect/git-pull?repo=",
    ):
        assert any(link.startswith(start) for link in links), start
    assert (fork / "notebooks/id3.ipynb").exists()
    assert page.find("link", rel="canonical")["href"] == f"{home}/id3.html"
    citation = yaml.safe_load((fork / "CITATION.cff").read_text("utf-8"))
    assert (citation["repository-code"], citation["url"]) == (repository, home)
    listed = set(re.findall("<loc>(.*?)</loc>", (fork / "sitemap.xml").read_text("utf-8")))
    pages = {
        source.stem for source in (ROOT / "book").iterdir() if source.suffix in {".md", ".ipynb"}
    }
    assert listed == {f"{home}/{name}.html" for name in pages}
    assert f"Sitemap: {home}/sitemap.xml" in (fork / "robots.txt").read_text("utf-8")
    front = (fork / "index.html").read_text("utf-8")
    text = BeautifulSoup(front, "html.parser").get_text()
    assert f"git clone {repository} dtreebook" in text
    assert f"url    = {{{home}}}" in text


PAGE = """Open it [in
Binder](../course/release/entropy/entropy.ipynb#binder), read [the licence](../LICENSE).
There is [a PDF](../book/_build/editions/trees.pdf): git clone <address-of-this-repository>

Press the rocket. <!-- where the book is published -->

Press *Run this page*. <!-- where pages run -->"""


@pytest.mark.parametrize("fork", ["Some-School/trees", ""])
def test_a_book_that_is_not_published_has_text_in_place_of_links(monkeypatch, fork):
    """And no buttons, as `links.py` tells Sphinx; a page that is built is looked at above."""
    home = address.Address(fork, address.pages(fork)) if fork else None
    monkeypatch.setattr(address, "here", lambda: home)
    options = {"extra_footer": '<a href="../LICENSE">BSD</a>.', "repository_url": "a default"}
    options["launch_buttons"] = {"binderhub_url": "https://mybinder.org", "jupyterhub_url": ""}
    config = SimpleNamespace(html_theme_options=options)
    links.settle(None, config)
    app = SimpleNamespace(config=SimpleNamespace(pages_run=not fork))
    links.read(app, "page", text := [PAGE])
    assert ("rocket" in text[0], "Run this page" in text[0]) == (bool(fork), not fork)
    buttons = {name: value for name, value in options.items() if name.endswith("_button")}
    assert set(buttons.values()) == {bool(fork)}
    if fork:
        licence = f"https://github.com/{fork}/blob/main/LICENSE"
        assert f"[the licence]({licence})" in text[0]
        assert f"({home.site}/editions/trees.pdf)" in text[0]
        assert f"git clone https://github.com/{fork}" in text[0]
        assert options["extra_footer"] == f'<a href="{licence}">BSD</a>.'
        assert options["repository_url"] == f"https://github.com/{fork}"
        assert options["launch_buttons"]["jupyterhub_url"] == config.html_baseurl == home.site
        assert config.notfound_urls_prefix == "/trees/"
    else:
        assert "](" not in text[0]
        assert "in\nBinder (once the book is published), read the licence." in text[0]
        assert "git clone <address-of-this-repository>" in text[0]
        assert (options["extra_footer"], options["launch_buttons"]) == ("BSD.", {})
        assert "repository_url" not in options
