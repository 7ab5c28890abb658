"""What a page shows of outputs: of those it was published with, and of those a run gives."""

import hashlib
import re

FORMS = ("text/html", "image/svg+xml", "text/markdown", "text/plain")
# What is stored otherwise than a run gives it, and shows nothing: book/nbval_sanitize.cfg.
UNSEEN = re.compile(
    r"\s*<style.*?</style>|<script>.*?</script>|<p data-still>Run this.*?</p>|\n +(?=<t[dh])",
    re.DOTALL,
)


def shows(outputs):
    """Return the digest of what a page shows of outputs."""
    texts = []
    for output in outputs:
        texts += [output["text"]] if "text" in output else output.get("traceback", ())
        texts += [output["data"][form] for form in FORMS if form in output.get("data", ())][:1]
    seen = UNSEEN.sub("", "\n".join(texts))
    return hashlib.sha256(seen.encode("utf-8", "replace")).hexdigest()
