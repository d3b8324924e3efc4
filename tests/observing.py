"""Runs of a made-up command, observed in real repositories."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gitmem.capture.observed import Observed
from gitmem.memory import Memory
from gitmem.memory.failures.observing import Observer
from gitmem.output.failure import Failure, StackFrame
from gitmem.output.failure import Test as FailedTest

if TYPE_CHECKING:
    from gitmem.capture.learnt import Draft
    from tests.conftest import Checkout

COMMAND = ("make", "check")


def failure(word: str, tool: str = "python") -> Failure:
    """Make a failure; for pytest, of a test of its own."""
    frame = StackFrame(f"{word}.py", f"do_{word}", 3, in_app=True)
    test = FailedTest(f"tests/test_{word}.py::test_{word}") if tool == "pytest" else None
    message = f"{word} is broken"
    return Failure(tool, "python", "ValueError", "", message, (frame,), test=test)


def observe(
    shop: Path,
    *words: str,
    code: int | None = None,
    whole: bool = True,
    environ: dict[str, str] | None = None,
    command: tuple[str, ...] = COMMAND,
    stopped: bool = False,
) -> Observed:
    """Observe a run that shows these failures."""
    exit_code = code if code is not None else int(bool(words))
    with Memory.open(str(shop), environ={**os.environ, **(environ or {})}) as memory:
        observer = Observer(memory.records, command)
        observer.before()
        tool = "pytest" if command[0] == "pytest" else "python"
        failures = [failure(one, tool) for one in words]
        return observer.after(exit_code, 0.5, failures, whole=whole, stopped=stopped)


def edit(shop: "Checkout", text: str, file: str = "app.py") -> None:
    shop.add(file, text)


def records(shop: Path, kind: str) -> list[Any]:
    with Memory.open(str(shop)) as memory:
        rows = memory.list(f"kind:{kind}")
        found = [memory.show(row.id).record for row in rows]
        return sorted(found, key=lambda one: (one.created, one.id))


def drafts(shop: Path) -> "list[Draft]":
    with Memory.open(str(shop)) as memory:
        return memory.failures.drafts.open()


def states(shop: Path) -> list[str]:
    with Memory.open(str(shop)) as memory:
        rows = sorted(memory.list("kind:error"), key=lambda row: row.created)
        return [row.status for row in rows]
