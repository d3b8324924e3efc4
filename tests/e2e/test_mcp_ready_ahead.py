"""What hints need is loaded before the first one is asked, and never while one is answered."""

import subprocess
import sys
import threading
from typing import TYPE_CHECKING

from gitmem.mcp.ready_ahead import ReadyAhead
from tests.e2e.running import ok

if TYPE_CHECKING:
    from tests.conftest import Checkout

_PARTS = ("index", "search", "redaction", "matching")
_FIRST_HINT = """
import sys
from gitmem.mcp.calls import Options
from gitmem.mcp.ready_ahead import steps
from gitmem.mcp.server import build

build(".", Options())
for _ in steps():
    pass
before = set(sys.modules)
from gitmem.mcp.hints import hint
from gitmem.memory import Memory

with Memory.open(".") as memory:
    assert "the clock" in str(hint(memory, "ValueError: the clock is slow"))
print(*sorted(set(sys.modules) - before), sep="\\n")
"""


def first_hint(repo: "Checkout") -> str:
    """Give the modules that the first hint of a server loads."""
    return subprocess.run(
        [sys.executable, "-c", _FIRST_HINT],
        cwd=repo,
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    ).stdout


def test_a_first_hint_loads_next_to_nothing(repo: "Checkout") -> None:
    ok(repo, "init")
    ok(repo, "runs", "capture", "--record", "-", stdin="ValueError: the clock is slow")
    names: list[str] = []
    for _ in range(20):
        names = [name for name in first_hint(repo).split() if name.startswith("gitmem.")]
        if "gitmem.sync.ingest" not in names:  # files that were written just now are read again
            break
    assert not [name for name in names if name.split(".")[1] in _PARTS], names


def test_nothing_is_loaded_while_a_call_is_answered() -> None:
    asked, looked = threading.Event(), threading.Event()
    asked.set()

    def is_busy() -> bool:
        looked.set()
        return asked.is_set()

    ready_ahead = ReadyAhead(is_busy)
    ready_ahead.start()
    assert looked.wait(30)
    assert not ready_ahead.ended(0)
    asked.clear()
    assert ready_ahead.ended(60)


def test_it_ends_when_the_server_does() -> None:
    looked = threading.Event()

    def is_busy() -> bool:
        looked.set()
        return True

    ready_ahead = ReadyAhead(is_busy)
    ready_ahead.start()
    assert looked.wait(30)
    ready_ahead.stop()
    assert ready_ahead.ended(60)
