"""Spark on this machine: on two threads, and as a cluster of a master and two workers."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyspark
import pytest

from dtreebook.database import spark

LOOPBACK = "127.0.0.1"
# Small tables: more partitions would only take longer.
SMALL = {
    "spark.driver.host": LOOPBACK,
    "spark.driver.bindAddress": LOOPBACK,
    "spark.driver.memory": "1g",
    "spark.executor.memory": "512m",
    "spark.sql.shuffle.partitions": "4",
    "spark.ui.showConsoleProgress": "false",
}
# Python on the workers finds the package where these tests find it.
os.environ |= {
    "SPARK_LOCAL_IP": LOOPBACK,
    "PYSPARK_PYTHON": sys.executable,
    "PYTHONPATH": str(Path(__file__).parents[2]),
}


class Cluster:
    """A master and two workers, each a process of its own that listens on loopback."""

    def __init__(self, folder):
        self.folder, self.programs = folder, []
        master = self.start("master.Master")
        self.address = self.said(master, r"Starting Spark master at (spark://\S+)")
        self.workers = [self.another() for _ in range(2)]

    def another(self):
        """Start one more worker, of one processor."""
        options = ["--cores", "1", "--memory", "1g", "--work-dir", str(self.folder)]
        worker = self.start("worker.Worker", *options, self.address)
        self.said(worker, "Successfully registered with master")
        return worker

    def start(self, program, *options):
        java_class = f"org.apache.spark.deploy.{program}"
        where = ["--host", LOOPBACK, "--port", "0", "--webui-port", "0"]
        command = Path(pyspark.__file__).parent / "bin" / "spark-class"
        log = self.folder / f"{len(self.programs)}.log"
        home = spark.java_home()
        with log.open("w") as out:
            process = subprocess.Popen(
                [str(command), java_class, *where, *options],
                stdout=out,
                stderr=out,
                env=os.environ | ({"JAVA_HOME": home} if home else {}),
                start_new_session=True,
            )
        process.log = log
        self.programs.append(process)
        return process

    def said(self, process, pattern):
        """Return what a program says, once it says it."""
        for _ in range(600):
            found = re.search(pattern, process.log.read_text())
            if found:
                return found[found.re.groups]
            assert process.poll() is None, process.log.read_text()
            time.sleep(0.1)
        raise TimeoutError(process.log.read_text())

    def kill(self, process):
        """Kill a worker with all that it runs, as when a machine fails."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self):
        for process in reversed(self.programs):
            self.kill(process)


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    running = Cluster(tmp_path_factory.mktemp("cluster"))
    yield running
    running.stop()


@pytest.fixture(scope="module", params=["threads", "cluster"])
def connection(request):
    """Connect to either; a process has one connection at a time."""
    is_cluster = request.param == "cluster"
    master = request.getfixturevalue("cluster").address if is_cluster else "local[2]"
    connected = spark.connect(master, SMALL)
    yield connected
    connected.disconnect()
