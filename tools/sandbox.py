"""Where students' code runs: apart from the course, the teacher's files and the network.

On Linux a process gets namespaces of its own by `unshare`, `mount` and `setpriv` of util-linux: it
sees Python, and nothing else but empty folders that vanish with it; it has no network, no other
processes and no rights. Where the system does not allow that, only weaker kinds are to be had: a
separate process with limits and an empty environment, as a user without rights if root starts it,
or else as one that can read and write what its user can.
"""

import os
import subprocess
import sys
import sysconfig
import tempfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).resolve().parent
HOME = "/student"
ENVIRONMENT = {
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",  # the same file gets the same points
    "PYTHONDONTWRITEBYTECODE": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MPLBACKEND": "agg",
}

# The arguments: an empty folder, the program's own folder, what may be read, what to hide, and the
# command, with `--` between them. Only bind mounts of what may be read reach the new root.
SCRIPT = f"""
set -eu
umask 022
root=$1; shift
echo 1000 > /proc/self/oom_score_adj || :  # where memory ends, this goes first
mount -t tmpfs -o mode=755,size=64m,nr_inodes=4096 none "$root"
while [ "$1" != -- ]; do
    mkdir -p "$root$(dirname "$1")"
    if [ -L "$1" ]; then
        ln -s "$(readlink "$1")" "$root$1"
    else
        if [ -d "$1" ]; then mkdir -p "$root$1"; else : > "$root$1"; fi
        mount --bind "$1" "$root$1"
        case "$1" in /dev/*) ;; *) mount -o remount,bind,ro,nosuid,nodev "$root$1";; esac
    fi
    shift
done
shift
while [ "$1" != -- ]; do mount -t tmpfs -o ro,size=4k none "$root$1"; shift; done
shift
mkdir -p "$root/tmp" "$root{HOME}" "$root/old" "$root/proc"
mount -t proc none "$root/proc"  # umount looks there
chmod 1777 "$root/tmp" "$root{HOME}"
cd "$root"
pivot_root . old
umount -l /old
umount -l /proc
cd {HOME}
exec "$@"
"""


class Unprotected(Exception):
    """The system offers only the weaker kind."""


def command(folder):
    """Return the command that runs Python apart, with `folder` readable; needs `protects()`."""
    root = Path(folder, "root")
    root.mkdir(exist_ok=True)
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    spaces = ["--mount", "--pid", "--net", "--ipc", "--uts", "--fork", "--kill-child"]
    return [
        *("unshare", *user, *spaces, "sh", "-c", SCRIPT, "sandbox", str(root)),
        *(*readable(), str(Path(folder, "bundle")), "--", *hidden(), "--"),
        *without_rights(),
        sys.executable,
    ]


def without_rights():
    """Return the command that gives up all rights, and is another user if root gives it."""
    nobody = str(20_000 + os.getpid() % 40_000)  # another for each, as processes count by user
    become = ["--reuid", nobody, "--regid", nobody, "--clear-groups"]
    rights = ["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"]
    return ["setpriv", *(become if os.geteuid() == 0 else ()), *rights, "--"]


@cache
def readable():
    """List what the sandbox may read: the system's programs and this Python."""
    places = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/etc/ld.so.cache"]
    places += ["/dev/null", "/dev/zero", "/dev/urandom"]
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
    """Say whether the sandbox can be had here."""
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
