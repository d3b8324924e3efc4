"""What is kept and read of watched runs is bounded, however many there were."""

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gitmem.capture import drafts as drafts_module
from gitmem.capture.drafts import DROPPED, KEPT, Drafts
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.history import RunHistory
from gitmem.capture.learnt import Draft
from gitmem.capture.lesson_log import LessonLog
from gitmem.capture.runs import Run
from gitmem.matching import parse as parsing
from gitmem.memory import Memory
from gitmem.output.failure import Failure
from gitmem.store.journal import Journal

START = datetime(2026, 1, 1, tzinfo=UTC)
FEW, MANY = 400, 10_000


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Journal:
    # Thousands of runs that wait for the disk would take minutes.
    monkeypatch.setattr(os, "fsync", lambda _: None)
    return Journal(str(tmp_path / "journal"))


def run(number: int, command: str = "pytest", *, text: int = 1000) -> Run:
    """Make the run of a number; it began so many seconds after the first one."""
    fields = {"message": f"failed {number}", "excerpt": "x" * text}
    failure = FingerprintedFailure("e", "s", "p", "m", "t", "k", fields, ("test_a",))
    at = START + timedelta(seconds=number)
    return Run(f"{number:08x}", at, 0.5, (command,), ".", 1, "tree", "head", (failure,))


def read_by(work: Callable[[], object]) -> int:
    """Count the bytes that this process reads while it does something."""
    work()  # what is imported once

    def so_far() -> int:
        return int(Path("/proc/self/io").read_text(encoding="ascii").split()[1])

    before = so_far()
    counting = so_far() - before
    before = so_far()
    work()
    return so_far() - before - counting


def size_of(journal: Journal) -> int:
    return sum(entry.stat().st_size for entry in os.scandir(journal.directory))


def test_ten_thousand_runs_take_and_cost_what_a_few_do(journal: Journal) -> None:
    history = RunHistory(journal, "here")
    for number in range(FEW):
        history.add(run(number))
    few_bytes, few_read = size_of(journal), read_by(history.timeline)
    for number in range(FEW, MANY):
        history.add(run(number))
    assert size_of(journal) < 2 * few_bytes
    assert read_by(history.timeline) < 1.5 * few_read
    assert [r.id for r in history.timeline()] == [run(n).id for n in range(MANY - 200, MANY)]
    assert history.of(("pytest",), ".") == history.timeline()


def test_of_many_commands_only_the_newest_runs_are_read(journal: Journal) -> None:
    history = RunHistory(journal, "here")
    commands = [f"command-{number}" for number in range(24)]
    for number in range(24 * 150):
        history.add(run(number, commands[number % 24], text=4000))
    assert [r.id for r in history.timeline()] == [
        run(n).id for n in range(24 * 150 - 200, 24 * 150)
    ]
    assert read_by(history.timeline) < size_of(journal) / 5
    last = history.of_last_command()
    assert {r.command for r in last} == {("command-23",)}
    assert len(last) == 150
    assert read_by(history.of_last_command) < size_of(journal) / 5


def test_commands_that_nobody_runs_any_more_are_forgotten(journal: Journal) -> None:
    history = RunHistory(journal, "here")
    other = RunHistory(journal, "elsewhere")
    other.add(run(0))
    for number in range(300):
        history.add(run(number, f"command-{number}"))
        stream = Path(journal.directory, f"{history.stream((f'command-{number}',), '.')}.jsonl")
        os.utime(stream, (number, number))
    assert [runs[0].command for runs in history.all()] == [
        (f"command-{number}",) for number in range(300 - 96, 300)
    ]
    assert len(other.all()) == 1
    newest = history.newest_first()
    assert [next(newest).command for _ in range(2)] == [("command-299",), ("command-298",)]


def test_a_text_is_taken_apart_once_whatever_is_asked_about_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Memory.init(str(tmp_path), environ={})
    memory = Memory.open(str(tmp_path), environ={})
    RunHistory(memory.workspace.journal, "here").add(run(1))
    texts: list[str] = []
    parse = parsing.parse

    def noted(text: str, **options: Any) -> list[Failure]:
        texts.append(text)
        return parse(text, **options)

    monkeypatch.setattr(parsing, "parse", noted)
    text = 'Traceback (most recent call last):\n  File "a.py", line 3, in f\nValueError: no'
    assert [match.seen.title for match in memory.failures.meant_by(text)] == ["ValueError: no"]
    assert texts == [text]
    # Without the blanks before it, this is another text.
    memory.failures.meant_by(f"  {text}")
    assert texts[1:] == [f"  {text}", text]
    memory.close()


def draft(number: int) -> Draft:
    error = {"title": f"failed {number}", "excerpt": "x" * 2000}
    return Draft(f"{number:08x}", f"site-{number}", error, [{"approach": "mended"}], [], ["why"])


def test_open_drafts_stay_and_settled_ones_go(journal: Journal) -> None:
    drafts = Drafts(journal)
    waiting = [draft(number) for number in range(5)]
    for number in range(5):
        drafts.add(waiting[number])
    for number in range(5, 2000):
        drafts.add(draft(number))
        drafts.mark(draft(number), KEPT if number % 3 else DROPPED, ["fix-1"])
    assert [d.id for d in drafts.open()] == [d.id for d in waiting]
    assert drafts.find("00000003").error == waiting[3].error
    assert [d.id for d in drafts.all()][-200:] == [draft(n).id for n in range(1800, 2000)]
    assert size_of(journal) < 600 * 3000


def test_drafts_of_other_failures_are_not_read_as_such(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    drafts = Drafts(journal)
    for number in range(20):
        drafts.add(draft(number))
    read = 0
    reading = drafts_module._draft

    def counted(event: dict[str, Any]) -> Draft | None:
        nonlocal read
        read += 1
        return reading(event)

    monkeypatch.setattr(drafts_module, "_draft", counted)
    assert drafts.of_site("another-site") == drafts.of_site("") == []
    assert read == 0
    assert [d.id for d in drafts.of_site("site-7")] == [draft(7).id]


def test_lessons_are_the_newest_ones(journal: Journal) -> None:
    log = LessonLog(journal, "here")
    for number in range(3000):
        log.note_written(run(number), draft(number), [f"fix-{number}"])
    written = log.last_written()
    assert written is not None
    assert written.records == ("fix-2999",)
    assert len(log.all_written()) < 2000
