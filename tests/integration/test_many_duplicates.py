"""Errors that are said to be the same: however they are linked, work grows with their number."""

import random
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from gitmem import Memory
from gitmem.records.convert import encode, from_data
from gitmem.records.layout import path_for

if TYPE_CHECKING:
    from pathlib import Path

START = datetime(2026, 1, 1, tzinfo=UTC)
STEPS = 100
"""Steps of SQLite's machine between two counts."""


def circle(at: int, size: int) -> list[int]:
    return [(at + 1) % size]


def star(at: int, size: int) -> list[int]:
    return [size // 2] if at != size // 2 else []


def chain(at: int, size: int) -> list[int]:
    return [at + 1] if at + 1 < size else []


def mutual(at: int, size: int) -> list[int]:
    return [other for other in (at ^ 1, (at + 7) % size, (at - 7) % size) if other < size]


def tangled(at: int, size: int) -> list[int]:
    chance = random.Random(at)
    return [(at + chance.randrange(1, size)) % size for _ in range(1 + at % 3)]


def write(root: "Path", kind: str, number: int, minutes: int, **fields: Any) -> None:
    prefix = {"error": "err", "fix": "fix"}[kind]
    created = START + timedelta(minutes=minutes)
    data = {
        "schema": 1, "id": f"{prefix}-{number:010d}", "kind": kind, "title": f"{kind} {number}",
        "created": created.isoformat().replace("+00:00", "Z"),
        "author": {"name": "Ann", "via": "human"}, **fields,
    }  # fmt: skip
    record = from_data(data)
    path = root / ".memory" / path_for(record.kind, record.id, record.title, record.created)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode(record))


def many(root: "Path", size: int, linked: Callable[[int, int], list[int]]) -> str:
    """Write errors that are linked in a way, a fix for each tenth; give the folder."""
    root.mkdir()
    Memory.init(str(root))
    for at in range(size):
        links = {"duplicates": [f"err-{other:010d}" for other in linked(at, size)]}
        write(root, "error", at, at % 97, error_type="E", message=f"text {at}", links=links)
        if at % 10 == 0:
            outcome = ("worked", "failed")[at // 10 % 2]
            links = {"fixes": [f"err-{at:010d}"]}
            write(root, "fix", at, 50, approach="x", outcome=outcome, links=links)
    return str(root)


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Give a list that gets one longer with each so many steps of SQLite's machine."""
    steps: list[int] = []
    connect = sqlite3.connect

    def watched(*args: Any, **named: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*args, **named)
        connection.set_progress_handler(lambda: steps.append(1), STEPS)
        return connection

    monkeypatch.setattr(sqlite3, "connect", watched)
    return steps


@pytest.mark.parametrize("linked", [circle, star, chain, mutual, tangled])
def test_the_work_of_a_list_grows_with_the_number_of_duplicates(
    tmp_path: "Path", monkeypatch: pytest.MonkeyPatch, linked: Callable[[int, int], list[int]]
) -> None:
    """What is counted is steps of SQLite's machine: taking the files in, and a list of them."""
    steps = counted(monkeypatch)
    counts = []
    for size in (120, 480):
        folder = many(tmp_path / str(size), size, linked)
        steps.clear()
        with Memory.open(folder) as memory:
            rows = memory.list("kind:error")
        assert len(rows) == size
        assert {row.status for row in rows} <= {"resolved", "regressed", "duplicate", "open"}
        counts.append(len(steps))
    assert counts[0] > 0
    assert counts[1] < 6 * counts[0]


def test_what_each_of_many_fixes_fixed_is_asked_in_steps_that_grow_with_their_number(
    tmp_path: "Path", monkeypatch: pytest.MonkeyPatch
) -> None:
    """``gitmem why`` looked at all fixes of the error for each of them: 3,000 took 8 s."""
    steps = counted(monkeypatch)
    counts = []
    for size in (60, 240):
        folder = many(tmp_path / str(size), 1, chain)
        for at in range(1, size):
            write(tmp_path / str(size), "fix", at, at % 97, approach="x", outcome="worked",
                  links={"fixes": ["err-0000000000"]})  # fmt: skip
        with Memory.open(folder) as memory:
            files = [row.file for row in memory.list("kind:fix")]
            steps.clear()
            catalog = memory.workspace.ask(lambda now: now.catalog)
            each = [catalog.fixed_by([file]) for file in files]
        assert {row.status for errors in each for (row,) in errors.values()} == {"resolved"}
        counts.append(len(steps))
    assert counts[1] < 10 * counts[0]  # it was 15


def test_the_status_of_a_group_follows_from_what_changes_in_it(tmp_path: "Path") -> None:
    folder = many(tmp_path / "group", 5, chain)

    def status(minutes: int = 0) -> list[str]:
        with Memory.open(folder) as memory:
            return [row.status for row in memory.list("kind:error", sort="oldest")]

    assert status() == ["resolved"] * 5
    write(tmp_path / "group", "error", 9, 60, error_type="E", message="again",
          links={"duplicates": ["err-0000000003"]})  # fmt: skip
    assert status() == ["regressed", *["resolved"] * 4, "duplicate"]
    write(tmp_path / "group", "fix", 9, 70, approach="y", outcome="worked",
          links={"fixes": ["err-0000000009"]})  # fmt: skip
    assert status() == ["resolved"] * 6
    with Memory.open(folder) as memory:
        for row in memory.list("kind:fix"):
            memory.forget(row.id)
    assert status() == ["open", *["duplicate"] * 5]
