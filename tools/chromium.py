"""Find a Chromium that opens pages, and open it: for everything here that needs a browser.

The first of these is taken:

1. the system's;
2. playwright's own, which its makers offer for download;
3. the npm registry's, https://github.com/Sparticuz/chromium, for Linux on x86-64: it brings the
   libraries and a font that a machine without any browser lacks.

What is downloaded is kept: playwright's in the user's cache, the other beside this Python.
"""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path

import playwright
from deno import find_deno_bin
from playwright.sync_api import Error, sync_playwright

# A shell without windows takes a sixth of the processor time for a new page.
SYSTEM = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
OWN = ""  # playwright knows itself where its own is
QUIET = ["--disable-gpu", "--in-process-gpu", "--disable-quic"]  # the rest, playwright says itself

PACKAGE = "@sparticuz/chromium@153.0.0"
LOCK = Path(__file__).with_name(
    "chromium.lock"
)  # the digests of the package and of what it imports
KEPT = Path(sys.prefix) / "browser"
UNPACKED = KEPT / PACKAGE.rpartition("/")[2]

START = f"""#!/bin/sh
export LD_LIBRARY_PATH='{UNPACKED}/al2023/lib' FONTCONFIG_FILE='{UNPACKED}/fonts.conf'
exec '{UNPACKED}/chromium' "$@"
"""
FONTS = f"""<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>{UNPACKED}/fonts</dir>
  <cachedir>{UNPACKED}/cache</cachedir>
</fontconfig>
"""
NODE = f"""#!/bin/sh
exec '{find_deno_bin()}' run --allow-all --quiet --unstable-detect-cjs "$@"
"""

FOUND = "DTREEBOOK_CHROMIUM"  # tells the processes that are started from here what was found
NONE = "none"
UNWANTED = "BROWSER=none: no browser is used; without this, one is looked for and else downloaded."
MISSING = (
    "There is no browser, and none could be downloaded: install Chromium "
    "(on Debian: sudo apt install chromium-headless-shell)."
)


def find():
    """Return the program of a Chromium that opens pages; a LookupError where none can be had."""
    if os.environ.get("BROWSER") == NONE:
        raise LookupError(UNWANTED)
    if FOUND not in os.environ:
        os.environ[FOUND] = next(filter(opens_a_page, programs()), NONE)
    if os.environ[FOUND] == NONE:
        raise LookupError(MISSING)
    return os.environ[FOUND]


def require():
    """Find a browser, or end the program with a sentence that says what to install."""
    try:
        find()
    except LookupError as missing:
        raise SystemExit(f"This needs a browser. {missing}") from None


@contextmanager
def opened(program=None):
    """Open the browser that `find` finds, or another."""
    program = find() if program is None else program
    let_the_driver_start()
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=program or None, args=QUIET)
        yield browser
        browser.close()


def programs():
    """Yield what may be a browser: first what is here, then what can be downloaded."""
    yield from filter(None, map(shutil.which, SYSTEM))
    yield OWN
    if (program := UNPACKED / "start").exists():
        yield str(program)
    for download in download_own, download_from_npm:
        with suppress(OSError, subprocess.CalledProcessError):
            yield download()


def opens_a_page(program):
    with suppress(Error), opened(program) as browser:
        return browser.new_page().evaluate("1 + 1") == 2
    return False


def download_own():
    """Have playwright download its own browser."""
    let_the_driver_start()
    command = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
    subprocess.run(command, capture_output=True, check=True)
    return OWN


def download_from_npm():
    """Fetch the browser from the npm registry and unpack it, both by the package's own code.

    The package adds its libraries where it believes to run in Amazon's Lambda, for which it is
    made. Its list of fonts names folders of that place; without a list every page crashes.
    """
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        raise OSError(f"{PACKAGE} is for Linux on x86-64 only")
    KEPT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT) as work:
        place = Path(work) / "unpacked"
        place.mkdir()
        told = {"DENO_DIR": f"{work}/cache", "TMPDIR": str(place), "AWS_EXECUTION_ENV": "22.x"}
        script = f"import it from 'npm:{PACKAGE}'; await it.executablePath();"
        subprocess.run(
            [find_deno_bin(), "eval", "--no-config", f"--lock={LOCK}", "--frozen", script],
            env={"DENO_TLS_CA_STORE": "mozilla,system"} | os.environ | told,
            capture_output=True,
            check=True,
        )
        (place / "fonts.conf").write_text(FONTS, "utf-8")
        start = script_of(place / "start", START)
        with suppress(OSError):  # another process was faster
            place.rename(UNPACKED)
    return str(UNPACKED / start.name)


def let_the_driver_start():
    """Put deno in the place of playwright's Node where that does not start.

    It needs libatomic, which a machine without a compiler may lack.
    """
    if sys.platform != "linux" or "PLAYWRIGHT_NODEJS_PATH" in os.environ:
        return
    node = Path(playwright.__file__).with_name("driver") / "node"
    if subprocess.run([node, "--version"], capture_output=True, check=False).returncode:
        KEPT.mkdir(exist_ok=True)
        os.environ["PLAYWRIGHT_NODEJS_PATH"] = str(script_of(KEPT / "node", NODE))


def script_of(path, text):
    """Write a program for the shell; return its path."""
    path.write_text(text, "utf-8")
    path.chmod(0o755)
    return path


if __name__ == "__main__":
    require()
