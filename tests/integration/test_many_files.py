"""Many new files at once: the catalog has them first, and the text index when somebody asks."""

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from gitmem.memory import Memory
from gitmem.sync import record_reader
from tests.answers import assert_right, fill
from tests.e2e.running import ok
from tests.random_records import path_of, record, text_of

if TYPE_CHECKING:
    from tests.conftest import Checkout

FEW, ENOUGH = 3, 8
pytestmark = pytest.mark.usefixtures("sealed_git")


@pytest.fixture
def world(repo: "Checkout", monkeypatch: pytest.MonkeyPatch) -> "Checkout":
    """Make a memory, and let few files count as many."""
    fill(repo)
    monkeypatch.setattr("gitmem.sync.derived.MANY", ENOUGH)
    return repo


def burst(root: Path, count: int, seed: int = 5) -> None:
    """Write new notes, as a checkout does."""
    rng = Random(seed)
    for _ in range(count):
        data = {**record(rng, [], "note"), "title": f"zirconium {rng.random()}"}
        path = root / ".memory" / path_of(data)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text_of(data))


def waiting(memory: Memory) -> int:
    files, _ = memory.workspace.derived.opened.index_backlog()
    return len(files)


def titles(memory: Memory) -> list[str]:
    return [row.title for row in memory.list() if row.title.startswith("zirconium")]


def test_the_catalog_has_many_files_before_the_index(
    world: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    with Memory.open(str(world)) as memory:
        memory.checks.catch_up()
        burst(world, ENOUGH)
        with monkeypatch.context() as patched:
            patched.setattr(record_reader, "document", None)  # nothing is made for the index
            memory.checks.catch_up(indexed=False)
            assert len(titles(memory)) == ENOUGH
        assert waiting(memory) == ENOUGH
        assert len(memory.search("zirconium", 50).hits) == ENOUGH
        assert waiting(memory) == 0
        assert_right(memory)


def test_few_files_go_into_both_at_once(world: "Checkout") -> None:
    with Memory.open(str(world)) as memory:
        memory.checks.catch_up()
        burst(world, FEW)
        memory.checks.catch_up(indexed=False)
        assert (len(titles(memory)), waiting(memory)) == (FEW, 0)
        assert_right(memory)


def test_few_files_after_many_do_not_wait_for_the_index(world: "Checkout") -> None:
    with Memory.open(str(world)) as memory:
        memory.checks.catch_up()
        burst(world, ENOUGH)
        memory.checks.catch_up(indexed=False)
        burst(world, FEW, seed=6)
        memory.checks.catch_up(indexed=False)
        assert waiting(memory) == ENOUGH + FEW
        assert len(memory.search("zirconium", 50).hits) == ENOUGH + FEW
        assert_right(memory)


def test_another_process_takes_many_files_into_the_index(
    world: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    with Memory.open(str(world)) as memory:
        memory.checks.catch_up()
        burst(world, ENOUGH)
        memory.checks.catch_up(indexed=False)
        with monkeypatch.context() as patched:
            patched.setattr(record_reader, "document", None)  # nothing is read here
            memory.checks.catch_up_apart()
        assert waiting(memory) == 0
        assert len(memory.search("zirconium", 50).hits) == ENOUGH
        assert_right(memory)


def test_without_another_process_they_are_taken_in_here(
    world: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", str(world / "nowhere"))
    with Memory.open(str(world)) as memory:
        memory.checks.catch_up()
        burst(world, ENOUGH)
        memory.checks.catch_up(indexed=False)
        memory.checks.catch_up_apart()
        assert waiting(memory) == 0
        assert_right(memory)


def test_a_command_takes_changed_files_into_the_index(world: "Checkout") -> None:
    burst(world, ENOUGH)
    ok(world, "index", "update")
    with Memory.open(str(world)) as memory:
        memory.checks.catch_up(indexed=False)
        assert waiting(memory) == 0
