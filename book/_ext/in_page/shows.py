"""What a page shows of outputs: of those it was published with, and of those a run gives."""

import hashlib

FORMS = ("text/html", "image/svg+xml", "text/plain")


def shows(outputs):
    """Return the digest of what a page shows of outputs."""
    texts = []
    for output in outputs:
        texts += [output["text"]] if "text" in output else output.get("traceback", ())
        texts += [output["data"][form] for form in FORMS if form in output.get("data", ())][:1]
    return hashlib.sha256("\n".join(texts).encode("utf-8", "replace")).hexdigest()
