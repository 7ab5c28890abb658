"""Let plain Markdown links lead where they do in JupyterLab and on GitHub, and further.

MyST knows the headings of another page: `[text](id3.ipynb#id3-by-hand)` shall also find labels and
exercises, `glossary.md#term-entropy` the terms, `references.md#shannon1948` the sources, and
`api.md#dtreebook.id3` the package. `laboratory.ipynb#table=loan` opens the laboratory with a table.
Links that lead nowhere are warnings of the build, as ever.

A paragraph that ends with `<!-- where pages run -->` or `<!-- where the book is published -->`
stands only in a book that has what it speaks of: *Run this page*, or the buttons that lead to
GitHub, Binder and their like. In JupyterLab the mark is not seen.

A link such as `../LICENSE`, and two words in place of addresses, get the address that the book has
where it is built, which `tools/address.py` says; a book that is not published has text instead.

Beside the pages lie plain notebooks, which the buttons of Colab and Kaggle open: both sites take no
files from anywhere but GitHub, where the workflow `publish` puts the folder on the branch
`notebooks`. There, too, is a zip of each assignment, as `make assignments` packs it, without
solutions and hidden tests; a link to its notebook in `course/release` leads to the zip.
"""

import re
from pathlib import Path
from urllib.parse import quote, urlsplit

from docutils.nodes import reference
from sphinx.addnodes import pending_xref
from sphinx.transforms.post_transforms import SphinxPostTransform

from course.grader.release import names, pack
from tools import address, plain_notebooks

ROOT = Path(__file__).resolve().parents[2]
TABLE = "table="
HTML = re.compile(r'<a href="\.\./([^"]+)">(.*?)</a>')
MARK = "<!-- where "
WHERE = re.compile(r'(?:\\.|[^"\\\n])*<!-- where (pages run|the book is published) -->')
NOTEBOOKS = "notebooks"
KAGGLE = "https://kaggle.com/kernels/welcome?src={}/blob/{}/{}.ipynb"
RELEASED = re.compile(r"course/release/(\w+)/\1")


class NoPlaces(SphinxPostTransform):
    """Let a link name a table of the laboratory, or a notebook of which there is a zip."""

    default_priority = 8  # before MyST looks for the place

    def run(self):
        """Replace the links."""
        for link in list(self.document.findall(pending_xref)):
            named, there = link.get("reftargetid") or "", link["reftarget"]
            if named.startswith(TABLE):
                page = self.app.builder.get_relative_uri(self.env.docname, there)
                there = f"{page}#{quote(named, safe='=%')}"
            elif released := RELEASED.search(there):
                there = f"assignments/{released[1]}.zip"
            else:
                continue
            link.replace_self(reference("", "", *link.children, refuri=there, internal=True))


def note_places(app, env):
    """Tell MyST the labels, terms, sources and names of the package of each page."""
    places = [(page, name, place) for name, (page, place) in env.domains["std"].anonlabels.items()]
    terms = env.domains["std"].objects.items()
    places += [(page, place.lower(), place) for (kind, _), (page, place) in terms if kind == "term"]
    places += [
        (citation.bibliography_key.docname, citation.key, citation.citation_id)
        for citation in env.domains["cite"].citations
    ]
    objects = env.domains["py"].objects.items()
    places += [(found.docname, name, found.node_id) for name, found in objects]
    for page, name, place in places:
        env.metadata[page].setdefault("myst_slugs", {})[name] = (0, place, name)


def settle(app, config):
    """Set what the theme makes of addresses: buttons, the canonical address, the footer."""
    home, options = address.here(), config.html_theme_options
    # The page for addresses that lead nowhere is shown at any of them.
    config.notfound_urls_prefix = top = urlsplit(home.site if home else "").path + "/"
    config.notfound_context = {
        "title": "Page not found",
        "body": "<h1>Page not found</h1><p>There is no page at this address. "
        f'<a href="{top}search.html">Search the book</a>, '
        f'or begin with <a href="{top}index.html">its first page</a>.</p>',
    }
    link = rf'<a href="{home.file("")}\1">\2</a>' if home else r"\2"
    options["extra_footer"] = HTML.sub(link, options["extra_footer"])
    for button in ("use_repository_button", "use_edit_page_button", "use_issues_button"):
        options[button] = home is not None
    if home is None:
        options.pop("repository_url", None)
        options["launch_buttons"] = {}
        return
    config.html_baseurl = config.ogp_site_url = home.site
    config.ogp_image = f"{home.site}/_static/card.png"
    config.ogp_image_alt = "A decision tree of two questions, and the name of the book"
    options |= {"repository_url": home.repository, "repository_branch": address.BRANCH}
    # The book's own page that asks for the reader's hub: _extra/hub/user-redirect/git-pull.html.
    buttons = options["launch_buttons"]
    options["launch_buttons"] = buttons | {"jupyterhub_url": buttons["jupyterhub_url"] or home.site}


def read(app, docname, content):
    """Give the links of a page their addresses, and leave out what this book does not have."""
    home = address.here()
    content[0] = address.placed(content[0], home)
    has = {"pages run": app.config.pages_run, "the book is published": home is not None}
    # Only lines with a mark are searched: a drawing is one line of half a million signs, in which
    # the search would begin anew at every sign.
    content[0] = "".join(
        WHERE.sub(lambda found: found[0] if has[found[1]] else "", line) if MARK in line else line
        for line in content[0].splitlines(keepends=True)
    )


def open_plain(app, pagename, templatename, context, doctree):
    """Change the button of Colab on a page, and add one for Kaggle behind it."""
    config = app.config.html_theme_options
    for group in context.get("header_buttons", ()):
        for at, button in enumerate(group.get("buttons") or ()):
            if button.get("text") == "Colab":
                old = f"/blob/{config['repository_branch']}/{config['path_to_docs']}/"
                button["url"] = button["url"].replace(old, f"/blob/{NOTEBOOKS}/")
                where = config["repository_url"], NOTEBOOKS, pagename
                kaggle = {"text": "Kaggle", "tooltip": "Launch on Kaggle", "icon": "fas fa-rocket"}
                kaggle |= {"type": "link", "url": KAGGLE.format(*where)}
                group["buttons"].insert(at + 1, kaggle)
                return


def write(app, failed):
    """Put beside the pages what readers take along, how to cite them, and a map for searches."""
    home, site = address.here(), Path(app.outdir)
    if failed or app.builder.format != "html":
        return
    plain_notebooks.write(site / "notebooks", Path(app.srcdir))
    for name in names():
        pack(name, site / "assignments")
    if home:
        lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
        lines += f"repository-code: {home.repository}\nurl: {home.site}\n"
        (site / "CITATION.cff").write_text(lines, encoding="utf-8")
        pages = (f"<url><loc>{home.site}/{page}.html</loc></url>" for page in app.env.found_docs)
        kind = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
        listed = f"<urlset {kind}>\n" + "\n".join(sorted(pages)) + "\n</urlset>\n"
        (site / "sitemap.xml").write_text(listed, encoding="utf-8")
        robots = f"User-agent: *\nAllow: /\nSitemap: {home.site}/sitemap.xml\n"
        (site / "robots.txt").write_text(robots, encoding="utf-8")


def setup(app):
    """Wait for the settings, for each page, for all pages, and for the site."""
    app.connect("config-inited", settle)
    app.connect("source-read", read)
    app.connect("html-page-context", open_plain, priority=900)  # after the theme's own buttons
    app.connect("env-check-consistency", note_places)
    app.add_post_transform(NoPlaces)
    app.connect("build-finished", write)
