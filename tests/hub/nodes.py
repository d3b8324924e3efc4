"""Real nodes of OpenSearch, each in a process of its own, made of its public Java artifacts."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from tests.hub.servers import free_port

WHY_NOT = "no OpenSearch here; make opensearch fetches it"
ROOT = Path(__file__).parent.parent.parent
LIBRARY = ROOT / "build" / "opensearch"
_PROGRAM = Path(__file__).parent / "opensearch" / "Node.java"
_SECONDS = 120


def is_here() -> bool:
    return bool(shutil.which("java")) and any(LIBRARY.glob("opensearch-2*.jar"))


class Node:
    """One node. ``stop`` it at the end, or ``kill`` it for a test."""

    def __init__(self, name: str, transports: "list[int]", number: int, heap: str) -> None:
        self.port = free_port()
        self.folder = tempfile.mkdtemp(prefix="gitmem-node-")
        hosts = ",".join(f"127.0.0.1:{port}" for port in transports)
        names = ",".join(f"n{at}" for at in range(len(transports)))
        settings = [
            f"cluster.name={name}", f"node.name=n{number}", "network.host=127.0.0.1",
            f"http.port={self.port}", f"transport.port={transports[number]}",
            f"discovery.seed_hosts={hosts}", f"cluster.initial_cluster_manager_nodes={names}",
            "cluster.routing.allocation.disk.threshold_enabled=false",
        ]  # fmt: skip
        with Path(self.folder, "log").open("wb") as log:
            self.process: subprocess.Popen[bytes] | None = subprocess.Popen(
                ["java", f"-Xmx{heap}", "-cp", f"{LIBRARY}/*",
                 str(_PROGRAM), self.folder, *settings],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def wait(self, nodes: int) -> None:
        """Wait until it answers as one of so many."""
        end = time.monotonic() + _SECONDS
        health = f"http://{self.host}/_cluster/health?wait_for_nodes={nodes}&timeout=5s"
        while True:
            try:
                urllib.request.urlopen(health, timeout=10).close()
            except (OSError, urllib.error.URLError):
                ended = self.process is None or self.process.poll() is not None
                assert not ended, Path(self.folder, "log").read_text()[-2000:]
                assert time.monotonic() < end, Path(self.folder, "log").read_text()[-2000:]
                time.sleep(0.1)
            else:
                return

    def kill(self) -> None:
        """End it as a power cut does."""
        if self.process:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def stop(self) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def cluster(number: int, heap: str = "384m") -> list[Node]:
    """Start so many nodes that know each other."""
    transports = [free_port() for _ in range(number)]
    nodes = [Node(f"hub-{transports[0]}", transports, at, heap) for at in range(number)]
    try:
        for node in nodes:
            node.wait(number)
    except BaseException:
        for node in nodes:
            node.stop()
        raise
    return nodes


def address(nodes: list[Node], prefix: str) -> str:
    return f"opensearch+http://{','.join(node.host for node in nodes)}/{prefix}"
