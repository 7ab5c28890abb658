"""A standalone cluster of Spark on loopback: a master and workers, each in its own processes."""

import json
import os
import signal
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

import pyspark

LOOPBACK = "127.0.0.1"
SETTINGS = {
    "spark.driver.host": LOOPBACK,
    "spark.driver.bindAddress": LOOPBACK,
    "spark.driver.memory": "1g",
    "spark.executor.memory": "600m",
    "spark.sql.shuffle.partitions": "4",
    "spark.ui.showConsoleProgress": "false",
}
SECONDS = 120


class Cluster:
    """Start a master and some workers of one processor each; `stop` ends them all."""

    def __init__(self, folder, n_workers=2):
        self.folder = Path(folder)
        port, page = free_port(), free_port()
        self.address = f"spark://{LOOPBACK}:{port}"
        self.page = f"http://{LOOPBACK}:{page}/json/"
        self.master = self._start("master.Master", "--port", str(port), "--webui-port", str(page))
        self.workers = []
        try:
            until(lambda: self._state() is not None, "the master of Spark did not start")
            self.workers = [self._worker(number) for number in range(n_workers)]
            until(lambda: self.alive() == n_workers, "the workers of Spark did not start")
        except BaseException:
            self.stop()
            raise

    def _worker(self, number):
        work = self.folder / f"worker{number}"
        return self._start(
            "worker.Worker", "--cores", "1", "--memory", "700m", "--work-dir", str(work),
            "--webui-port", "0", self.address,
        )  # fmt: skip

    def _start(self, name, *arguments):
        program = Path(pyspark.__file__).parent / "bin" / "spark-class"
        with open(self.folder / f"{name}.log", "ab") as log:
            # A session of its own, so that what a worker starts can be ended with it.
            return subprocess.Popen(
                [program, f"org.apache.spark.deploy.{name}", "--host", LOOPBACK, *arguments],
                env=os.environ | {"SPARK_LOCAL_IP": LOOPBACK, "SPARK_DAEMON_MEMORY": "300m"},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def _state(self):
        try:
            with urllib.request.urlopen(self.page, timeout=5) as answer:
                return json.load(answer)
        except (OSError, ValueError):
            return None

    def alive(self):
        """Return how many workers the master takes for alive."""
        state = self._state() or {"workers": []}
        return sum(worker["state"] == "ALIVE" for worker in state["workers"])

    def kill_worker(self):
        """Kill a worker and its executor, without warning."""
        end(self.workers.pop(), signal.SIGKILL)

    def stop(self):
        for process in [*self.workers, self.master]:
            end(process, signal.SIGTERM)


def end(process, how):
    """End a process and those it started."""
    os.killpg(process.pid, how)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(20)


def free_port():
    with socket.socket() as found:
        found.bind((LOOPBACK, 0))
        return found.getsockname()[1]


def until(is_so, otherwise):
    """Wait until something is so."""
    deadline = time.monotonic() + SECONDS
    while not is_so():
        if time.monotonic() > deadline:
            raise RuntimeError(otherwise)
        time.sleep(0.2)
