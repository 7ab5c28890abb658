"""What pyproject.toml cannot say: the addresses of the project, where it is published."""

import re
import sys
from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))
from tools import address  # noqa: E402

home = address.here(ROOT)
readme = (ROOT / "README.md").read_text(encoding="utf-8")
urls = {}
if home:
    changes = home.file("CHANGELOG.md")
    urls = {"Homepage": home.site, "Source": home.repository, "Changelog": changes}
    readme = re.sub(r"\]\((?!https?:)", f"]({home.file('')}", readme)
    readme = readme.replace('src="', f'src="{home.repository}/raw/{address.BRANCH}/')

setup(project_urls=urls, long_description=readme, long_description_content_type="text/markdown")
