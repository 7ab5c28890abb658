"""A cluster of Apache Spark on this machine, whose every process listens on loopback."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyspark

from dtreebook.database import spark

LOOPBACK = "127.0.0.1"
LOCAL = {
    "spark.driver.host": LOOPBACK,
    "spark.driver.bindAddress": LOOPBACK,
    "spark.ui.showConsoleProgress": "false",
}
# Python on the workers finds the package where this file is.
os.environ |= {
    "SPARK_LOCAL_IP": LOOPBACK,
    "PYSPARK_PYTHON": sys.executable,
    "PYTHONPATH": str(Path(__file__).parents[2]),
}


class Cluster:
    """A master and two workers, each a process of its own that listens on loopback."""

    def __init__(self, folder, memory="1g"):
        self.folder, self.memory, self.programs = folder, memory, []
        master = self.start("master.Master")
        self.address = self.said(master, r"Starting Spark master at (spark://\S+)")
        self.workers = [self.another() for _ in range(2)]

    def another(self):
        options = ["--cores", "1", "--memory", self.memory, "--work-dir", str(self.folder)]
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
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self):
        for process in reversed(self.programs):
            self.kill(process)
