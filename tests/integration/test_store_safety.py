"""Writers that meet, die or run out of disk: nothing is lost, nothing is torn."""

import errno
import json
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from gitmem.errors import GitmemError
from gitmem.memory import Memory
from gitmem.records.convert import decode
from gitmem.store.journal import Journal
from gitmem.sync.derived import Derived
from tests import faults
from tests.depth import amount, deep, sampled
from tests.random_records import memory as random_memory
from tests.random_records import path_of

if TYPE_CHECKING:
    from tests.conftest import Checkout

WRITERS, WRITES = 8, amount(share=60, ci=200, whole=200)
_MOST_CALLS = 200  # more means that the fault is never reached: a bug of the test


@pytest.fixture
def world(repo: "Checkout", monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a repository whose memory holds a few records; no git is needed to name the author."""
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Ada")
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "ada@example.com")
    Memory.init(str(repo))
    with Memory.open(str(repo)) as memory:
        for number in range(3):
            memory.add("note", {"title": f"here before {number}", "body": "safe"})
    repo.commit()
    return repo


def record_files(world: Path) -> dict[str, bytes]:
    folder = world / ".memory"
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".") and path.name != "gitmem.yaml"
    }


def assert_sound(world: Path, before: dict[str, bytes]) -> dict[str, bytes]:
    """Nothing that was there is lost, everything there is whole; give what is there now."""
    now = record_files(world)
    assert {path: now.get(path) for path in before} == before
    for path, data in now.items():
        if path.endswith(".yaml"):
            reading = decode(data, path)
            assert reading.record is not None
            assert reading.problems == []
    with Memory.open(str(world)) as memory:
        found = {(p.code, p.severity) for p in memory.checks.files()}
        assert found <= {("leftover", "info"), ("unwritten-session", "info")}
        assert len(memory.list()) == sum(path.endswith(".yaml") for path in now)
    return now


# --- writers that meet --------------------------------------------------------------------------


def write_many(world: Path, writer: int) -> None:
    os.nice(10)  # on a small machine the readers would get no turn
    with Memory.open(str(world)) as memory:
        for number in range(WRITES):
            text = f"writer {writer} number {number}"
            memory.add(("note", "pattern", "decision")[number % 3], {"title": text, "tags": ["w"]})


def read_all_the_time(world: Path, stop: Path, report: Path) -> None:
    rounds = most = 0
    while not stop.exists():
        with Memory.open(str(world), settings={"index.wait_seconds": 60}) as memory:
            seen = memory.list("tag:w")
            assert len(seen) >= most, "a record went away"
            most = len(seen)
            assert all(row.title.startswith("writer ") for row in seen)
            assert not [p for p in memory.checks.files() if p.code != "leftover"], (
                memory.checks.files()
            )
        rounds += 1
    report.write_text(str(rounds))


def search_all_the_time(world: Path, stop: Path, report: Path) -> None:
    rounds = most = 0
    with Memory.open(str(world), settings={"index.wait_seconds": 60}) as memory:
        while not stop.exists():
            found = len(memory.search("writer number", limit=10_000).hits)
            assert found >= most, "a record went away"
            most = found
            rounds += 1
    report.write_text(str(rounds))


@deep
@pytest.mark.slow
def test_eight_processes_write_many_records_each_while_others_read(
    world: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    stop, looked, searched = (tmp_path / name for name in ("stop", "looked", "searched"))
    readers = [
        faults.start(partial(read_all_the_time, world, stop, looked)),
        faults.start(partial(search_all_the_time, world, stop, searched)),
    ]
    writers = [faults.start(partial(write_many, world, number)) for number in range(WRITERS)]
    codes = [faults.wait(child) for child in writers]
    stop.touch()
    codes += [faults.wait(child) for child in readers]
    assert codes == [0] * (WRITERS + 2), capfd.readouterr().err
    now = assert_sound(world, {})
    assert sum(path.endswith(".yaml") for path in now) == WRITERS * WRITES + 3
    with Memory.open(str(world)) as memory:
        assert len(memory.list("tag:w")) == WRITERS * WRITES
        assert len(memory.search("writer number", limit=10_000).hits) == WRITERS * WRITES
        assert memory.checks.verify() == []
        fresh = Derived(memory.workspace.store, None, 0)
        assert memory.workspace.derived.catalog().dump() == fresh.catalog().dump()
        fresh.close()
    with capfd.disabled():
        print(  # noqa: T201  the counts are what the test is for
            f"\n{WRITERS} processes x {WRITES} writes: {WRITERS * WRITES} records; "
            f"read {looked.read_text()} and searched {searched.read_text()} times meanwhile"
        )


# --- writers that die, disks that are full ------------------------------------------------------


def archive(rng: Random) -> bytes:
    records = [{"path": path_of(data), "record": data} for data in random_memory(rng, 3)]
    for entry in records:
        entry["record"] = {"schema": 1, **entry["record"], "links": {}}  # type: ignore[dict-item]
    whole = {"archive": "gitmem-memory", "format": 1, "records": records, "attachments": {}}
    return json.dumps(whole).encode()


class Task(NamedTuple):
    """Something that writes: made ready, done, and what must hold when it says that it is done."""

    ready: Callable[[Memory], Any]
    do: Callable[[Memory, Any], Any]
    records: int = 1


def unique(memory: Memory) -> str:
    return (
        f"made at {len(list(Path(memory.workspace.site.folder).rglob('*')))}-{os.urandom(3).hex()}"
    )


def log(memory: Memory) -> str:
    path = Path(memory.workspace.site.root).parent / "log.txt"
    path.write_text("".join(f"line {number} of {os.urandom(2).hex()}\n" for number in range(1_000)))
    return str(path)


def three(_memory: Memory) -> list[dict[str, str]]:
    return [{"title": f"one of several {os.urandom(3).hex()}"} for _ in range(3)]


def live(memory: Memory) -> str:
    for session in memory.sessions.live():
        memory.sessions.abandon(session.id)
    return memory.sessions.start("a piece of work").id


TASKS = {
    "add": Task(unique, lambda m, title: m.add("error", {"title": title, "message": "x" * 9000})),
    "attach": Task(log, lambda m, path: m.add("error", {"title": "seen"}, attach=[path])),
    "add several": Task(three, lambda m, entries: m.records.writer.add_all("note", entries), 3),
    "import": Task(
        lambda _: archive(Random(os.urandom(8))), lambda m, data: m.transfer.import_(data), 3
    ),
    "session end": Task(live, lambda m, session: m.end_session(session)),
    "session start": Task(
        lambda m: [m.sessions.abandon(s.id) for s in m.sessions.live()],
        lambda m, _: m.sessions.start("work"),
        0,
    ),
    "session log": Task(live, lambda m, session: m.sessions.log("note", "x", session=session), 0),
    "setting": Task(unique, lambda m, _: m.workspace.settings.set("search.limit", "7", "team"), 0),
}


@sampled(2)
@pytest.mark.parametrize("name", TASKS)
def test_a_writer_that_dies_at_any_call_loses_and_tears_nothing(world: Path, name: str) -> None:
    task = TASKS[name]
    for wished in range(_MOST_CALLS):
        with Memory.open(str(world)) as memory:
            prepared = task.ready(memory)
        before = record_files(world)
        died = faults.dies_at(wished, partial(done_by_child, world, task, prepared))
        now = assert_sound(world, before)
        assert len(now) - len(before) <= max(task.records, 1) + 1
        if not died:
            yaml = [path for path in now.keys() - before.keys() if path.endswith(".yaml")]
            assert len(yaml) == task.records
            break
        with Memory.open(str(world)) as memory:  # the next command works
            memory.add("note", {"title": f"after {name} died at {wished}"})
            if name == "session end":
                finish(memory, prepared)
    assert 1 < wished < _MOST_CALLS - 1


def done_by_child(world: Path, task: Task, prepared: Any) -> None:
    with Memory.open(str(world)) as memory:
        task.do(memory, prepared)


def finish(memory: Memory, session: str) -> None:
    """Whoever died while ending a session: it can be ended now, or it has its record."""
    written = [row.id for row in memory.list("kind:session")].count(session)
    if any(found.id == session for found in memory.sessions.live()):
        if not written:
            assert memory.end_session(session).id == session
        else:
            memory.sessions.abandon(session)
        written = 1
    assert written == 1
    assert not memory.sessions.live()


def test_a_session_that_has_its_record_but_is_still_live_can_be_ended(world: Path) -> None:
    with Memory.open(str(world)) as memory:
        session = live(memory)
        closing = memory.workspace.site.journal + "/done"
        Path(closing).write_text("in the way of closing")
        with pytest.raises(GitmemError, match="has its record"):
            memory.end_session(session)
        Path(closing).unlink()
        stream = Path(memory.workspace.site.journal, f"{session}.jsonl")
        events = stream.read_text().splitlines(keepends=True)
        stream.write_text("".join(events[:-1]))  # it died before it could note the end
        memory.end_session(session)
        assert memory.sessions.live() == []
        assert memory.checks.files() == []


@sampled(3)
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO], ids=["full disk", "broken disk"])
@pytest.mark.parametrize("name", TASKS)
def test_a_failing_call_is_a_clear_error_with_nothing_half_written(
    world: Path, name: str, number: int
) -> None:
    task = TASKS[name]
    for wished in range(_MOST_CALLS):
        with Memory.open(str(world)) as memory:
            prepared = task.ready(memory)
            before = record_files(world)
            told = None
            try:
                reached = faults.raises_at(wished, number, partial(task.do, memory, prepared))
            except GitmemError as error:
                reached, told = True, error
        new = {p for p in assert_sound(world, before).keys() - before.keys() if p.endswith(".yaml")}
        if told is None:
            assert len(new) == task.records
        else:
            assert told.message
            assert "\n" not in told.message
            assert told.hint
            said_so = "has its record" in told.message  # a session whose stream did not close
            assert len(new) in ({1} if said_so else {0}), told.message
        if not reached:
            break
    assert 1 < wished < _MOST_CALLS - 1


def test_a_record_is_written_whenever_a_checkout_deletes_its_empty_folder(world: Path) -> None:
    shutil.rmtree(world / ".memory/notes")

    def checked_out(_name: str, _args: tuple[Any, ...]) -> None:
        for folder in sorted((world / ".memory/notes").rglob("*"), reverse=True):
            with suppress(OSError):  # it is in use
                folder.rmdir()

    for wished in range(_MOST_CALLS):
        with Memory.open(str(world)) as memory, faults.at_call(wished, checked_out) as made:
            added = memory.add("note", {"title": f"meanwhile {wished}", "body": "kept"})
        assert list((world / ".memory").rglob(f"*{added.id}.yaml"))
        shutil.rmtree(world / ".memory/notes")
        if len(made) <= wished:
            break
    assert 1 < wished < _MOST_CALLS - 1


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO], ids=["full disk", "broken disk"])
def test_a_setting_that_could_not_be_written_is_the_old_one_or_the_new(
    world: Path, number: int
) -> None:
    marker = world / ".memory" / "gitmem.yaml"
    task = TASKS["setting"]
    for wished in range(_MOST_CALLS):
        marker.write_text("format: 1\n")
        with Memory.open(str(world)) as memory:
            try:
                reached = faults.raises_at(wished, number, partial(task.do, memory, None))
            except GitmemError:
                reached = True
        assert marker.read_text() in {"format: 1\n", "format: 1\nsettings:\n  search.limit: 7\n"}
        if not reached:
            break


def test_a_journal_keeps_every_event_whose_append_returned(tmp_path: Path) -> None:
    folder = str(tmp_path / "journal")
    kept: list[dict[str, Any]] = []
    for wished in range(_MOST_CALLS):
        event = {"number": wished, "text": "x" * 500}
        if wished % 7 == 0:
            shutil.rmtree(folder, ignore_errors=True)  # also the very first event of all
            kept.clear()
        died = faults.dies_at(wished % 7, partial(Journal(folder).append, "s", event))
        found = Journal(folder).read("s") if Path(folder).exists() else []
        assert found[: len(kept)] == kept
        assert found[len(kept) :] in ([], [event])
        assert died or found[-1] == event
        kept = found
        after = {"number": wished, "text": "after"}
        Journal(folder).append("s", after)
        kept.append(after)
        assert Journal(folder).read("s") == kept
        if wished > 30:
            break


def test_the_same_attachment_twice_is_one_file(world: Path, tmp_path: Path) -> None:
    picture = tmp_path / "p.png"
    picture.write_bytes(b"x" * 100)
    with Memory.open(str(world)) as memory:
        one = memory.add("error", {"title": "a"}, attach=[str(picture)])
        two = memory.add("error", {"title": "b"}, attach=[str(picture)])
        assert one.attachments == two.attachments  # type: ignore[attr-defined]
        assert memory.checks.files() == []
