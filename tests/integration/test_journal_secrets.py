"""Events of the journal are read without secrets, and each line is looked at once."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

import gitmem.redaction
from gitmem import Memory
from gitmem.capture.history import RunHistory
from gitmem.capture.runs import Run

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Checkout

SECRET = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"


def looked_through(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect from now on the texts that are looked through for secrets."""
    looked: list[str] = []
    redact = gitmem.redaction.redact

    def counted(text: str, **given: Any) -> Any:
        looked.append(text)
        return redact(text, **given)

    monkeypatch.setattr(gitmem.redaction, "redact", counted)
    return looked


def test_a_line_with_a_secret_does_not_make_the_others_be_looked_at_again(
    make_repo: "Callable[..., Checkout]", monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = make_repo("shop")
    Memory.init(str(repo))
    with Memory.open(str(repo)) as memory:
        for number in range(20):
            memory.workspace.journal.append("notes", {"event": "said", "text": f"line {number}"})
    (stream,) = (repo / ".git").rglob("notes.jsonl")
    with stream.open("a") as file:  # as an older version wrote it
        file.write(f'{{"event": "said", "text": "token {SECRET}"}}\n')
    looked = looked_through(monkeypatch)
    with Memory.open(str(repo)) as memory:
        first = memory.workspace.journal.read("notes")
        assert len(first) == 21
        assert SECRET not in str(first)
        assert "token" in first[-1]["text"]
        first[-1]["text"] = "changed by who asked"
        before = len(looked)
        again = memory.workspace.journal.read("notes")
        assert len(looked) == before
        assert SECRET not in str(again)
        assert "changed" not in again[-1]["text"]


def test_the_runs_of_many_commands_are_looked_through_at_once(
    repo: "Checkout", monkeypatch: pytest.MonkeyPatch
) -> None:
    Memory.init(str(repo))
    with Memory.open(str(repo)) as memory:
        for number in range(30):
            run = Run(
                f"{number:08x}", datetime.now(UTC), 0.5, (f"test{number % 10}",), ".", 1, "", "", ()
            )
            RunHistory(memory.workspace.journal, "here").add(run)
    looked = looked_through(monkeypatch)
    with Memory.open(str(repo)) as memory:
        assert len(RunHistory(memory.workspace.journal, "here").timeline()) == 30
    assert len(looked) == 1
