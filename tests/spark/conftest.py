"""Spark on this machine: on two threads, and as a cluster of a master and two workers."""

import pytest
from cluster import LOCAL, Cluster

from dtreebook.database import spark

# Small tables: more partitions would only take longer.
SMALL = LOCAL | {
    "spark.driver.memory": "1g",
    "spark.executor.memory": "512m",
    "spark.sql.shuffle.partitions": "4",
}


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    running = Cluster(tmp_path_factory.mktemp("cluster"))
    yield running
    running.stop()


@pytest.fixture(scope="module", params=["threads", "cluster"])
def connection(request):
    is_cluster = request.param == "cluster"
    master = request.getfixturevalue("cluster").address if is_cluster else "local[2]"
    connected = spark.connect(master, SMALL)
    yield connected
    connected.disconnect()
