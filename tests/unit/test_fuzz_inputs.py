"""What ``make fuzz`` feeds is different each time, bounded, and what a fault is counts as one."""

import random
from contextlib import nullcontext
from pathlib import Path

import pytest

from scripts import fuzz


def test_inputs_differ_and_are_bounded() -> None:
    rng, real = random.Random(1), [b"a real one\n" * 50, b"--- a/x\n+++ b/x\n"]
    inputs = [fuzz.made(rng, real) for _ in range(300)]
    assert len(set(inputs)) > 200
    assert max(map(len, inputs)) <= 2 * fuzz.LONGEST


def test_what_a_reader_lets_through_is_a_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def raises(data: bytes) -> None:
        raise KeyError(len(data))

    monkeypatch.setattr(fuzz, "KEPT", tmp_path / "kept")
    monkeypatch.setitem(fuzz.TARGETS, "x", lambda: nullcontext(raises))
    assert fuzz.fuzz("x", 5, random.Random(1), [b"a"]) == 3
    assert "KeyError" in capsys.readouterr().out
    assert len(list((tmp_path / "kept").iterdir())) == 3


@pytest.mark.parametrize("name", [name for name in fuzz.TARGETS if name not in {"mcp", "lsp"}])
def test_each_reader_stands_some_inputs(name: str) -> None:
    assert fuzz.fuzz(name, 0.3, random.Random(7), [b"a.py:1: error: x\n", b"id: note-1\n"]) == 0
