"""The words of somebody who asks: written with a record, found, shown, merged, without secrets."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from gitmem.errors import InvalidError
from gitmem.memory import Memory
from gitmem.records.convert import decode, encode
from gitmem.records.merge import merge
from gitmem.semantic.record_text import embedded_text
from tests.conftest import Checkout

ASKED = ("where do our bills live", "which database has the money")


@pytest.fixture
def memory(repo: Checkout) -> Checkout:
    Memory.init(str(repo))
    return repo


def gitmem(root: Path, *arguments: str, code: int = 0) -> str:
    """Run a command; give what it printed, with what it said."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "gitmem", *arguments], cwd=root, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def decide(root: Path, asked: Sequence[str] = ASKED, **options: int) -> str:
    """Add a decision about invoices that is asked for otherwise."""
    flags = [part for line in asked for part in ("--asked-as", line)]
    text = ("--title", "Invoices are kept in Postgres", "--decision", "one relational store")
    return gitmem(root, "add", "decision", *text, *flags, **options)


def test_a_record_is_found_by_the_words_of_who_asks_and_shows_them(memory: Checkout) -> None:
    decide(memory)
    assert "Invoices are kept" in gitmem(memory, "search", "bills money")
    assert "Invoices are kept" in gitmem(memory, "search", '"where do our bills"')
    shown = gitmem(memory, "show", next(iter(ids(memory))))
    assert all(line in shown for line in ASKED)
    with Memory.open(str(memory)) as opened:
        record = opened.show(ids(memory)[0]).record
    assert record.asked_as == ASKED
    assert embedded_text(record).text.splitlines()[1:3] == list(ASKED)


def ids(root: Path) -> list[str]:
    with Memory.open(str(root)) as opened:
        return [row.id for row in opened.list()]


@pytest.mark.parametrize(
    "asked", [("one",) * 6, ("",), ("two\nlines",), ("x" * 501,)], ids=["6", "none", "2", "long"]
)
def test_more_than_five_lines_or_none_are_refused(memory: Checkout, asked: Sequence[str]) -> None:
    with Memory.open(str(memory)) as opened, pytest.raises(InvalidError, match="asked_as"):
        opened.add("note", {"title": "t", "body": "b", "asked_as": list(asked)})
    assert ids(memory) == []


def test_secrets_are_taken_out_of_them(memory: Checkout) -> None:
    secret = "ghp_" + "a1B2" * 9
    decide(memory, [f"why does {secret} not work"])
    (file,) = (memory / ".memory" / "decisions").rglob("*.yaml")
    assert secret not in file.read_text(encoding="utf-8")


def test_edits_of_both_sides_are_merged_as_lists_are(memory: Checkout) -> None:
    decide(memory)
    (file,) = (memory / ".memory" / "decisions").rglob("*.yaml")
    base = file.read_bytes()
    ours = base.replace(b"- which database has the money\n", b"")
    theirs = base.replace(
        b"- where do our bills live\n", b"- where do our bills live\n- the shop\n"
    )
    assert len({base, ours, theirs}) == 3
    merged = merge(base, ours, theirs)
    assert merged is not None
    record, problems = decode(merged.text, str(file))
    assert (merged.clashes, problems) == ((), [])
    assert record is not None
    assert set(record.asked_as) == {"where do our bills live", "the shop"}
    assert encode(record) == merged.text


def test_the_editor_offers_them(memory: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    editor = memory / "editor.sh"
    editor.write_text('#!/bin/sh\ncp "$1" seen\n')
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(editor))
    monkeypatch.setenv("VISUAL", str(editor))
    gitmem(memory, "add", "note", "--edit", code=2)
    assert "#asked_as: []" in (memory / "seen").read_text()
