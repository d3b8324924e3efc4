"""Records are read by several threads at once, as servers do."""

import subprocess
import sys
from typing import Final

import pytest

_ROUNDS: Final = 6
_PROGRAM: Final = """
import sys
from threading import Barrier, Thread
from gitmem.records.convert import from_data

sys.setswitchinterval(1e-6)
envelope = {"schema": 1, "title": "x", "created": "2026-01-02T03:04:05Z", "author": {"name": "Ann"}}
kinds = {
    "error": {"message": "m", "error_type": "E", "frames": [{"file": "a.py", "line": 3}]},
    "fix": {"approach": "a", "outcome": "worked", "links": {"fixes": ["err-0000000001"]}},
    "decision": {"rationale": "r", "alternatives": [{"option": "o", "why_not": "w"}]},
}
first = {"error": "err", "fix": "fix", "decision": "dec"}
start, read = Barrier(9), []

def go(kind):
    start.wait()
    data = {"kind": kind, "id": f"{first[kind]}-0000000001", **envelope, **kinds[kind]}
    read.append(from_data(data).kind)

threads = [Thread(target=go, args=(kind,)) for kind in [*kinds] * 3]
for one in threads:
    one.start()
for one in threads:
    one.join()
print(*sorted(read))
"""


@pytest.mark.parametrize("_round", range(_ROUNDS))
def test_threads_that_read_their_first_records_together(_round: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == sorted(["error", "fix", "decision"] * 3)
