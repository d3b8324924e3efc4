"""Did a run that still fails get to where a failure was, or is the failure only hidden? Pure.

``pytest -x``, ``make -j`` and a syntax error hide what comes after them. A failure that is
missing from a run that still fails is gone only where something shows that its place was
reached: its test passed, or one tool that always says everything said nothing of that place.
What another program starts (``make``, ``tox``, a script) is never certain: a part of it may
not have been started at all.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gitmem.capture.runs import FingerprintedFailure, Run


class _Tool(NamedTuple):
    """A tool that names all failures before it ends.

    Attributes:
        codes: how it exits when it came to its end and something failed.
        early: options with which it ends earlier, or leaves out what did not fail last time.
        apart: its failures are independent; without, a new one may change what others say.

    """

    codes: frozenset[int]
    early: re.Pattern[str]
    apart: bool


_NEVER = re.compile(r"(?!)")
_PYTEST = r"-(?!r)[a-zA-Z]*x.*|--(exitfirst|maxfail|sw|stepwise|lf|last-failed|fail-?fast)\b.*"
_TOOLS = {
    "pytest": _Tool(frozenset({1}), re.compile(_PYTEST), apart=True),
    # Without apart: a class or a module that can't be set up hides all of its tests.
    "unittest": _Tool(frozenset({1}), re.compile(r"-[a-z]*f[a-z]*|--failfast"), apart=False),
    "ruff": _Tool(frozenset({1}), _NEVER, apart=True),
    "eslint": _Tool(frozenset({1}), _NEVER, apart=True),
    "mypy": _Tool(frozenset({1}), _NEVER, apart=False),
    "pyright": _Tool(frozenset({1}), _NEVER, apart=False),
    "tsc": _Tool(frozenset({1, 2}), _NEVER, apart=False),
}
_STARTERS = (("uv", "run"), ("poetry", "run"), ("pdm", "run"), ("hatch", "run"), ("npx",), ("env",))
_PYTHON = re.compile(r"python[\d.]*|pypy[\d.]*")

# What tools say when they stop before the end, or could not look at everything.
STOPPED = (
    b"stopping after ",  # pytest -x, --maxfail, with xdist, too
    b"Interrupted: ",  # pytest, after errors while it collects
    b"INTERNALERROR",
    b"aiting for unfinished jobs",  # make -j
    b"aiting for other jobs",  # cargo
    b"build stopped",  # ninja
    b"too many errors",
    b"prevented further checking",  # mypy, after a syntax error
    b"ompilation terminated",
    b"only showing the first",  # javac
)
_LONGEST = max(map(len, STOPPED))


class Listener:
    """Listens to an output for a tool that says that it stopped before the end."""

    def __init__(self) -> None:
        self.stopped = False
        self._tail = b""

    def feed(self, data: bytes) -> None:
        """Take the next piece of the output."""
        if not self.stopped:
            text = self._tail + data
            self.stopped = any(mark in text for mark in STOPPED)
            self._tail = text[-_LONGEST:]


def tool_of(command: Sequence[str]) -> tuple[str, list[str]]:
    """Name the tool that a command starts itself, with its arguments; empty if none is known."""
    words = list(command)
    for starter in _STARTERS:
        if tuple(words[: len(starter)]) == starter:
            words = words[len(starter) :]
            while starter == ("env",) and words and "=" in words[0]:
                words = words[1:]
    name = words[0].replace("\\", "/").rpartition("/")[2].removesuffix(".exe") if words else ""
    if _PYTHON.fullmatch(name) and words[1:2] == ["-m"]:
        name, words = "".join(words[2:3]), words[2:]
    return (name, words[1:]) if name in _TOOLS else ("", [])


def went(seen: FingerprintedFailure, run: Run, before: Run | None) -> bool:
    """Tell whether a run that does not show a failure shows that it is gone.

    Where every test that ran is known, its tests must have passed: one that was left out or
    skipped says nothing, not even in a run that is green.
    """
    known = passed(seen, run)
    return known if known is not None else run.green or is_gone(seen, run, before)


def passed(seen: FingerprintedFailure, run: Run) -> bool | None:
    """Tell whether the tests of a failure ran and passed; None if that is not known."""
    if run.tests is None or not run.tests.complete or not seen.fields.get("test"):
        return None
    # Names that were only read from an output may lack the file: they are no names to look up.
    if not seen.places or not all("::" in one or one.endswith(".py") for one in seen.places):
        return None
    return all(map(run.tests.passed, seen.places))


def is_gone(seen: FingerprintedFailure, run: Run, before: Run | None) -> bool:
    """Tell whether a run that still fails shows that a failure is gone, and not only hidden.

    Args:
        seen: the failure, with all places where it stood.
        run: the run in question, which does not show it.
        before: the run before; None if there is none that can be compared.

    """
    if not seen.places or "" in seen.places:
        return False
    name, arguments = tool_of(run.command)
    if run.stopped or name != seen.fields.get("tool"):
        return False
    tool = _TOOLS[name]
    if run.exit_code not in tool.codes or any(map(tool.early.fullmatch, arguments)):
        return False
    own = all(one.places and one.fields.get("tool") == name for one in run.failures)
    shown = {place for one in run.failures for place in one.places}
    if not own or "" in shown or any(map(shown.__contains__, _around(seen.places))):
        return False
    if not {_bare(place) for place in shown}.isdisjoint(map(_bare, seen.places)):
        return False
    return tool.apart or (
        before is not None and seen.site in before.sites and run.sites < before.sites
    )


def _around(places: Sequence[str]) -> Iterator[str]:
    """Name places, and the files around tests: one that can't be imported hides all of them."""
    for place in places:
        yield place
        yield place.partition("::")[0]


def _bare(place: str) -> str:
    """Name a test without its file: of two tests of one name an output may tell only one."""
    return place.partition("::")[2] or place
