"""Memories that one connection has open: each once, opened anew where it gave up."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gitmem.errors import UsageError
from gitmem.hosting import memory_pool
from gitmem.hosting.memory_pool import MOST_BESIDE, MemoryPool
from gitmem.mcp.projects import MOST_OPEN, Asker, Projects, path_of
from gitmem.memory import Memory


@pytest.fixture
def folder(tmp_path: Path) -> str:
    Memory.init(str(tmp_path), environ={})
    return str(tmp_path.resolve())


def test_a_memory_is_opened_once_and_anew_when_it_gave_up(folder: str) -> None:
    projects = Projects(folder, {})
    with projects.memory(folder, Asker("one")) as first:
        pass
    with projects.memory(folder, Asker("one")) as again:
        assert again is first
    with projects.memory(folder, Asker("two")) as other:
        assert other is not first
        assert other.records.writer.author.tool == "two"
    first.workspace.derived.gave_up = "a full disk"
    with projects.memory(folder, Asker("one")) as anew:
        assert anew is not first
        anew.add("note", {"title": "it works"})
        assert [row.title for row in anew.list()] == ["it works"]
    projects.close()


def test_notices_of_one_call_are_not_told_in_the_next(folder: str) -> None:
    projects = Projects(folder, {})
    with projects.memory(folder, Asker("one")) as memory:
        memory.workspace.derived.notices.append("only now")
    with projects.memory(folder, Asker("one")) as memory:
        assert memory.workspace.derived.notices == []
    projects.close()


@pytest.mark.parametrize(
    "uri",
    ["", "http://host/x", "file://elsewhere/tmp", "file:///no/such/folder", "memory://x", "/tmp"],
)
def test_what_is_no_folder_here_is_no_root(uri: str) -> None:
    assert not path_of(uri)


def test_the_name_of_a_folder_is_no_way_out_of_it(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "ab").mkdir()
    a = (tmp_path / "a").resolve()
    projects = Projects(str(a), {})
    assert projects.folder(str(a), [a.as_uri()]) == str(a)
    for name in (f"{a}b", f"{a}/../ab", "ab", "..", str(a.parent)):
        with pytest.raises(UsageError, match="is open here"):
            projects.folder(name, [a.as_uri()])


def test_few_memories_stay_open_and_none_that_is_in_use(tmp_path: Path) -> None:
    Memory.init(str(tmp_path), environ={})
    here = str(tmp_path.resolve())
    projects = Projects(here, {})
    with projects.memory(here, Asker("held")) as held:
        for number in range(2 * MOST_OPEN):
            with projects.memory(here, Asker(f"client {number}")) as memory:
                assert memory.list() == []
            assert len(projects) <= MOST_OPEN
        held.add("note", {"title": "still open"})
        assert [row.title for row in held.list()] == ["still open"]
    with projects.memory(here, Asker("held")) as again:
        assert again is held
    files = Path("/proc/self/fd")
    many = len(list(files.iterdir())) if files.exists() else 0
    projects.close()
    assert len(projects) == 0
    if many:
        assert len(list(files.iterdir())) <= many - MOST_OPEN


def test_a_call_does_not_wait_for_a_slow_one(folder: str) -> None:
    projects = Projects(folder, {})
    with projects.memory(folder, Asker("one")) as slow, ThreadPoolExecutor(2) as threads:

        def asked(number: int) -> "Memory":
            with projects.memory(folder, Asker("one"), writes=True) as memory:
                memory.add("note", {"title": f"Note {number}"})
                return memory

        beside = set(threads.map(asked, range(8)))
        assert slow not in beside
        assert len(beside) < MOST_BESIDE
        assert len(slow.list()) == 8
    projects.close()


def test_of_many_calls_that_wait_only_the_next_one_wakes_by_itself(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[tuple[str, bool]] = []
    begun = threading.Semaphore(0)

    class NotedEvent(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            if (name := threading.current_thread().name).startswith("call"):
                waits.append((name, timeout is not None))
                begun.release()
            return super().wait(timeout)

    pool = MemoryPool(lambda: Memory.open(folder, environ={}))
    # Nobody is slow here: else a further memory is opened for who is next.
    monkeypatch.setattr(memory_pool, "_SLOW_SECONDS", 3600.0)
    monkeypatch.setattr("gitmem.hosting.memory_pool.threading.Event", NotedEvent)
    answered: list[str] = []

    def call() -> None:
        with pool.taken():
            answered.append(threading.current_thread().name)

    calls = [threading.Thread(target=call, name=f"call {number}") for number in range(5)]
    with pool.taken():
        for thread in calls:
            thread.start()
            assert begun.acquire(timeout=60)
        assert waits == [(thread.name, thread is calls[0]) for thread in calls]
    for thread in calls:
        thread.join(60)
    assert answered == [thread.name for thread in calls]
    pool.close()
