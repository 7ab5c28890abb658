"""Kernels that are there at once: forks of one process that has imported the libraries already.

To import what notebooks import takes a kernel two seconds of processor time; on Linux they are
forked instead.
"""

import atexit
import gc
import json
import os
import signal
import subprocess
import sys
import warnings
from contextlib import suppress
from functools import cache
from importlib.metadata import EntryPoint

from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner


def use_forks() -> None:
    if sys.platform == "linux":
        factory = KernelProvisionerFactory.instance()
        factory.provisioners["fork"] = EntryPoint("fork", f"{__name__}:ForkProvisioner", "")
        factory.default_provisioner_name = "fork"


@cache
def server() -> subprocess.Popen:
    # -P: tools/ is not on the path of a kernel. The other option is the debugger's wish.
    command = [sys.executable, "-P", "-Xfrozen_modules=off", __file__]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


class ForkProvisioner(LocalProvisioner):
    """Start a kernel by a fork of the server; all else is jupyter_client's."""

    async def launch_kernel(self, cmd, env, cwd=".", **_):
        arguments = cmd[3:]  # what follows on: python -m ipykernel_launcher
        print(json.dumps([arguments, os.path.abspath(cwd), env]), file=server().stdin, flush=True)
        self.process = Fork(int(server().stdout.readline()))
        return self.connection_info


class Fork:
    """What LocalProvisioner asks of a subprocess.Popen, for a child of the server."""

    stdin = stdout = stderr = None

    def __init__(self, pid):
        self.pid = pid

    def send_signal(self, number):
        # Each shutdown begins with an interrupt, of which a kernel just done with a cell complains.
        with suppress(ProcessLookupError):
            if number != signal.SIGINT:
                os.kill(self.pid, number)

    def poll(self):
        return None if os.path.exists(f"/proc/{self.pid}") else 0

    wait = poll


def serve() -> None:
    """Import what notebooks import; for each line of input, fork a kernel and print its id."""
    import numpy as np
    import pandas as pd
    import sklearn.datasets
    import sklearn.ensemble  # noqa: F401
    from ipykernel import debugger, kernelapp  # noqa: F401

    import dtreebook.plot  # noqa: F401

    pd.options.display.max_columns = 20  # what pandas sets where it is imported in a kernel
    gc.freeze()  # nothing of it ever becomes rubbish to be looked for
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system forgets a kernel as it ends
    for line in sys.stdin:
        arguments, folder, environment = json.loads(line)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about threads: those of BLAS know what a fork is
            child = os.fork()
        if child:
            print(child, flush=True)
            continue
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        os.chdir(folder)
        os.environ |= environment
        np.random.seed()  # noqa: NPY002
        kernelapp.launch_new_instance([*arguments, f"--IPKernelApp.parent_handle={os.getppid()}"])
        atexit._run_exitfuncs()
        os._exit(0)  # to tidy up all that was imported would take most of a second


if __name__ == "__main__":
    serve()
