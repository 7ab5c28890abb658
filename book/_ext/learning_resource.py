"""Describe the book to search engines and catalogues of teaching material.

The front page carries one JSON-LD element of the type LearningResource of schema.org, with the
properties that catalogues such as OER Commons and MERLOT read: what the book teaches, to whom, in
which language, under which licence and at which price. What the settings of the book say already
is taken from there.
"""

import json

from tools import address

FRONT_PAGE = "index"
TEACHES = (
    "entropy",
    "information gain and ID3",
    "gain ratio and C4.5",
    "Gini impurity and CART",
    "pruning decision trees",
    "random forests and boosting",
)


def described(config, home):
    """Return the book as a LearningResource; its address only where it is published."""
    resource = {
        "@context": "https://schema.org",
        "@type": ["LearningResource", "Book"],
        "name": config.html_title,
        "description": "An open textbook on decision trees, from entropy to boosting. "
        "Its pages are notebooks, and every number on them is computed.",
        "author": {"@type": "Organization", "name": config.author},
        "inLanguage": "en",
        "learningResourceType": "textbook",
        "educationalLevel": "higher education",
        "audience": [
            {"@type": "EducationalAudience", "educationalRole": role}
            for role in ("student", "teacher")
        ],
        "teaches": list(TEACHES),
        "license": "https://creativecommons.org/licenses/by/4.0/",
        "isAccessibleForFree": True,
        "interactivityType": "mixed",
        "accessMode": ["textual", "visual"],
        "accessModeSufficient": ["textual"],
    }
    return resource | ({"url": f"{home.site}/"} if home else {})


def in_head(app, pagename, templatename, context, doctree):
    """Put the description into the head of the front page."""
    if pagename == FRONT_PAGE:
        told = json.dumps(described(app.config, address.here()), ensure_ascii=False)
        told = told.replace("</", "<\\/")
        script = f'<script type="application/ld+json">{told}</script>'
        context["metatags"] = context.get("metatags", "") + script


def setup(app):
    app.connect("html-page-context", in_head)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
