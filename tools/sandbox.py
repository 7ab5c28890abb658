"""Where students' code runs: apart from the course, the teacher's files and the network.

On Linux a process gets namespaces of its own by `unshare`, `mount` and `setpriv` of util-linux: it
sees Python, and nothing else but empty folders that vanish with it; it has no network, no other
processes and no rights. Where the system does not allow that, only the weaker kind is to be had: a
separate process with limits and an empty environment, which can read and write what its user can.
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
    nobody = str(20_000 + os.getpid() % 40_000)  # another for each, as processes count by user
    become = ["--reuid", nobody, "--regid", nobody, "--clear-groups"]
    spaces = ["--mount", "--pid", "--net", "--ipc", "--uts", "--fork", "--kill-child"]
    rights = ["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"]
    return [
        *("unshare", *user, *spaces, "sh", "-c", SCRIPT, "sandbox", str(root)),
        *(*readable(), str(Path(folder, "bundle")), "--", *hidden(), "--"),
        *("setpriv", *([] if user else become), *rights, "--", sys.executable),
    ]


@cache
def readable():
    """List what the sandbox may read: the system's programs and this Python."""
    places = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/etc/ld.so.cache"]
    places += ["/dev/null", "/dev/zero", "/dev/urandom"]
    outside = [
        place for place in {sys.base_prefix, sys.prefix} if not f"{place}/".startswith("/usr/")
    ]
    outside.sort(key=len)
    return [place for place in places if os.path.lexists(place)] + outside


@cache
def hidden():
    """List the packages that would do the exercise, and are not to be seen."""
    from checks import FORBIDDEN

    found = [find_spec(name) for name in FORBIDDEN if name != "hidden"]
    inside = Path(sysconfig.get_paths()["purelib"])
    folders = [Path(place) for spec in found if spec for place in spec.submodule_search_locations]
    return [str(folder) for folder in folders if inside in folder.parents]


@cache
def protects():
    """Say whether the sandbox can be had here, by starting one."""
    if not sys.platform.startswith("linux"):
        return False
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "bundle").mkdir()
        try:
            started = subprocess.run(
                [*command(folder), "-c", "import IPython, numpy"],
                env=ENVIRONMENT,
                capture_output=True,
                timeout=60,
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
    return started.returncode == 0


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
    return subprocess.Popen(
        program,
        env=ENVIRONMENT | {"HOME": home},
        cwd=place,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
