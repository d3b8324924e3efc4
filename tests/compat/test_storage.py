"""What the older systems promise of their storage: several writers, a check, speed, size.

No time is measured: what is counted does not depend on the machine.
"""

import os
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from gitmem import Memory
from gitmem.compat import fix_history
from gitmem.compat.ai_memory import AIMemory
from gitmem.compat.swarm import persistent_memory
from gitmem.semantic.words import SIZE
from gitmem.store.files import Store
from gitmem.sync import difference
from gitmem.sync.derived import Derived
from tests.compat.calling import done
from tests.compat.test_limits import ANSWER, CODE, ISSUE
from tests.e2e.running import run

if TYPE_CHECKING:
    from tests.conftest import Checkout

WRITERS, ATTEMPTS = 4, 5
WRITER = """
import sys
from gitmem.compat.ai_memory import AIMemory
memory = AIMemory()
for number in range(int(sys.argv[2])):
    issue = {"model": "qwen2.5:7b", "issue_type": "TIMEOUT", "description": "no answer"}
    memory.record_fix_attempt(issue, {"analysis": f"way {number}"}, True, True, 1.0)
memory.knowledge_base[f"model {sys.argv[1]}"] = {"timeout": 60}
memory.save_knowledge_base()
"""


def test_s1_91_what_several_processes_write_at_once_is_all_there(here: "Checkout") -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(number), str(ATTEMPTS)])
        for number in range(WRITERS)
    ]
    assert [writer.wait() for writer in writers] == [0] * WRITERS
    memory = AIMemory()
    assert memory.get_memory_stats()["total_fixes_attempted"] == WRITERS * ATTEMPTS
    assert memory.knowledge_base == {f"model {at}": {"timeout": 60} for at in range(WRITERS)}
    assert len(memory.query_similar_issues(ISSUE, limit=100)["exact_matches"]) == WRITERS * ATTEMPTS
    with Memory.open(".") as opened:
        assert opened.checks.verify() == []
        assert opened.statistics.recurring(1)[0].records == WRITERS * ATTEMPTS


def test_s1_97_integrity_is_checked_of_the_files_and_of_what_is_derived(here: "Checkout") -> None:
    memory = AIMemory()
    for _ in range(2):
        memory.record_fix_attempt(ISSUE, ANSWER, True, True, 1.0)
    with closing(fix_history.connect("AIMemory/ai_memory.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert run(here, "check").code == 0
    assert run(here, "index", "verify").code == 0
    record = next((here / ".memory").rglob("*-fix-*.yaml"))
    record.write_text("approach: [half a", encoding="utf-8")
    checked = run(here, "check")
    assert checked.code != 0
    assert record.name in checked.out + checked.err
    assert AIMemory().get_memory_stats()["total_fixes_attempted"] == 1, "the other one is there"


def store_patterns(start: int, end: int) -> None:
    for at in range(start, end):
        name = f"JWT Authentication {at}"
        done(persistent_memory.store_code_pattern(name, CODE.format(at), "python", "REST API"))


def test_s2_43_a_recall_reads_no_more_files_where_there_are_more(
    here: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(difference, "RACY_NS", -(10**12))  # else the youngest are read twice
    files_read: list[str] = []
    whole = Store.read

    def read(self: Store, path: str) -> bytes:
        files_read.append(path)
        return whole(self, path)

    counts = []
    for start, end in ((0, 10), (10, 50)):
        store_patterns(start, end)
        done(persistent_memory.recall_similar_patterns("authentication", n_results=3))
        with monkeypatch.context() as patched:
            patched.setattr(Store, "read", read)
            done(persistent_memory.recall_similar_patterns("authentication", n_results=3))
        counts.append(len(files_read))
        files_read.clear()
    assert counts[0] == counts[1]
    assert 3 <= counts[0] <= 6, "those that are given, and little else"


def derived_sizes() -> dict[str, int]:
    done(persistent_memory.recall_similar_patterns("authentication"))
    with Memory.open(".") as memory:
        directory: Any = memory.workspace.derived.directory
    sizes = {"vectors": 0, "rest": 0}
    for folder, _, names in os.walk(directory):
        for name in names:
            size = os.path.getsize(os.path.join(folder, name))
            sizes["vectors" if name == "vectors" else "rest"] += size
    return sizes


def test_s2_48_s2_49_what_is_kept_beside_the_files_is_compact(here: "Checkout") -> None:
    store_patterns(0, 20)
    before = derived_sizes()
    store_patterns(20, 60)
    grown = {name: (size - before[name]) / 40 for name, size in derived_sizes().items()}
    assert 0 < grown["rest"] < 4096, "bytes of catalog and text index for a pattern"
    assert SIZE < grown["vectors"] < 1.1 * SIZE, "a byte a value, and seven for the row"
    names = [path.name for path in (here / ".memory/patterns").rglob("*") if path.is_file()]
    assert sum(name.endswith(".yaml") for name in names) == len(set(names) - {".gitkeep"}) == 60


def test_s1_55_an_attempt_is_recorded_without_asking_what_is_there(
    here: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program records hundreds: the next question takes them in at once."""
    memory = AIMemory()

    def never(*_: object) -> None:
        raise AssertionError("the catalog was opened")

    with monkeypatch.context() as patched:
        patched.setattr(Derived, "catalog", never)
        names = {memory.record_fix_attempt(ISSUE, ANSWER, True, True, 1.0) for _ in range(2)}
    same = memory.query_similar_issues(ISSUE)["exact_matches"]
    assert {each["id"] for each in same} == names
