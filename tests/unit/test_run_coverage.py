"""Whether a run that still fails got to where a failure was: case by case."""

from datetime import UTC, datetime
from typing import Any

import pytest

from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.run_coverage import Listener, is_gone, stopped_marks, tool_of
from gitmem.capture.runs import Run, more_places

_AT = datetime(2026, 11, 2, 9, tzinfo=UTC)


def seen(name: str, *places: str, tool: str = "pytest") -> FingerprintedFailure:
    return FingerprintedFailure(name, name, name, name, name, name, {"tool": tool}, places)


def run(command: str, *shown: FingerprintedFailure, **more: Any) -> Run:
    given = {"exit_code": 1, **more}
    return Run("r", _AT, 1.0, tuple(command.split()), ".", tree="t", head="h", failures=shown,
               **given)  # fmt: skip


OLD = seen("old", "test_a.py::test_old")
OTHER = seen("other", "test_b.py::test_other")
NEW = seen("new", "test_a.py::test_new")


@pytest.mark.parametrize(
    "command",
    ["pytest", "pytest -q -rx", "python -m pytest", "/x/bin/python3.11 -m pytest --tb=short",
     "uv run pytest", "env A=1 .venv/bin/pytest tests"],
)  # fmt: skip
def test_every_test_was_run(command: str) -> None:
    assert is_gone(OLD, run(command, NEW), None)
    assert is_gone(OLD, run(command, OTHER), run(command, OLD, OTHER))


@pytest.mark.parametrize(
    "command",
    ["pytest -x", "pytest -qx", "pytest --maxfail=2", "pytest --exitfirst", "pytest --lf",
     "pytest --sw", "pytest --stepwise-skip", "make test", "make -j4", "tox", "npm test",
     "sh -c pytest", "python run.py", "unheard-of"],
)  # fmt: skip
def test_it_may_not_have_been_run(command: str) -> None:
    assert not is_gone(OLD, run(command, OTHER), run(command, OLD, OTHER))


@pytest.mark.parametrize("more", [{"stopped": True}, {"exit_code": 2}, {"exit_code": 134}])
def test_it_ended_early(more: dict[str, Any]) -> None:
    assert not is_gone(OLD, run("pytest", OTHER, **more), run("pytest", OLD, OTHER))


@pytest.mark.parametrize(
    "shown",
    [
        seen("new", "test_a.py::test_old"),  # the test fails earlier now
        seen("new", "test_a.py"),  # its file can't be imported
        seen("new", "other/test_c.py::test_old"),  # an output may name one of two such tests
        seen("new"),
        seen("new", ""),
        seen("new", "x.py", tool="python"),
        seen("new", "x.py", tool=""),
    ],
)
def test_it_may_be_hidden(shown: FingerprintedFailure) -> None:
    assert not is_gone(OLD, run("pytest", OTHER, shown), run("pytest", OLD, OTHER))


@pytest.mark.parametrize("places", [(), ("",), ("test_a.py::test_old", "")])
def test_where_it_was_is_not_known(places: tuple[str, ...]) -> None:
    assert not is_gone(seen("old", *places), run("pytest", OTHER), run("pytest", OLD, OTHER))


def test_a_new_type_error_may_hide_others() -> None:
    one, two = seen("one", "a.py", tool="mypy"), seen("two", "b.py", tool="mypy")
    new = seen("new", "c.py", tool="mypy")
    assert is_gone(one, run("mypy .", two), run("mypy .", one, two))
    assert not is_gone(one, run("mypy .", two, new), run("mypy .", one, two))
    assert not is_gone(one, run("mypy .", two), run("mypy .", two, new))
    assert not is_gone(one, run("mypy .", two._replace(places=("a.py",))), run("mypy .", one, two))


def test_another_tool_says_nothing() -> None:
    lint = seen("lint", "a.py", tool="ruff")
    assert is_gone(lint, run("ruff check", lint._replace(site="x", places=("b.py",))), None)
    assert not is_gone(lint, run("pytest", OTHER), None)


@pytest.mark.parametrize("mark", stopped_marks())
def test_a_tool_that_says_that_it_stopped_is_heard_in_pieces(mark: bytes) -> None:
    for cut in range(len(mark) + 1):
        listener = Listener()
        for piece in (b"some text " * 20, mark[:cut], mark[cut:], b" and more" * 20):
            listener.feed(piece)
        assert listener.stopped
    silent = Listener()
    for piece in (b"some text\n", mark[:-1], b"#", mark[1:]):
        silent.feed(piece)
    assert not silent.stopped


def test_tools_are_known_by_what_is_started() -> None:
    assert tool_of(()) == ("", [])
    assert tool_of(("npx", "tsc", "--noEmit")) == ("tsc", ["--noEmit"])
    assert tool_of(("python", "pytest")) == ("", [])


def test_places_are_bounded() -> None:
    assert more_places(("a",), ("b", "a")) == ("a", "b")
    assert more_places((), ("b",)) == more_places(("b",), ()) == ("",)
    many = tuple(map(str, range(40)))
    assert more_places(many, tuple(f"{one}x" for one in many)) == ("",)
