"""Runners that tell all about a test in one line: its name, how it ended, how long it took."""

import re
from functools import cache
from typing import NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.output.outcome import WORDS, CaseOutcome
from gitmem.tools.choice import load, values


class _Line(NamedTuple):
    """A form of such a line: the runner, a word that the line must hold, its pattern.

    ``own`` tells that the runner itself is asked what a name or a verdict means.
    """

    tool: str
    word: str
    pattern: re.Pattern[str]
    own: bool


class _Opening(NamedTuple):
    """A form of a line that says which test runs."""

    tool: str
    pattern: re.Pattern[str]


def read_line(line: str) -> CaseOutcome | None:
    """Read a line without the blanks around it; None if it tells of no test."""
    for tool, word, pattern, own in _lines():
        if word in line and (match := pattern.match(line)):
            return (_own_outcome if own else _outcome)(tool, match)
    return None


def read_opening(line: str) -> tuple[str, str] | None:
    """Read which runner runs which test, from a line without the blanks around it."""
    line += " "
    for tool, pattern in _openings():
        if match := pattern.match(line):
            return tool, _name(match.groupdict())
    return None


@cache
def _lines() -> tuple[_Line, ...]:
    own = {*values("tests.name"), *values("tests.status")}
    return tuple(
        _Line(tool, word, lazily(text), tool in own)
        for tool, forms in values("tests.lines").items()
        for word, text in forms
    )


@cache
def _openings() -> tuple[_Opening, ...]:
    return tuple(
        _Opening(tool, lazily(text))
        for tool, texts in values("tests.opens").items()
        for text in texts
    )


def _outcome(tool: str, match: re.Match[str], status: str = "") -> CaseOutcome:
    parts = match.groupdict()
    seconds = float(parts["seconds"]) if parts.get("seconds") else None
    if parts.get("ms"):
        seconds = int(parts["ms"] or 0) / 1_000
    status = status or WORDS[(parts["word"] or "").lower()]
    return CaseOutcome(tool, _name(parts), status, parts.get("where") or "", seconds)


def _own_outcome(tool: str, match: re.Match[str]) -> CaseOutcome:
    tests = load(tool).tests
    status, verdict = tests.status(match["said"]) if tests.status else ("", "")
    outcome = _outcome(tool, match, status)
    name = tests.name(outcome.name) if tests.name else outcome.name
    return outcome._replace(name=name, said=verdict)


def _name(parts: dict[str, str | None]) -> str:
    """Give the name; a test may stand beside the class that it is in, or be its last part."""
    if "owner" not in parts:
        return parts.get("name") or ""
    owner, test = parts["owner"] or "", parts["test"] or ""
    return owner if owner.endswith(f".{test}") else f"{owner}.{test}"
