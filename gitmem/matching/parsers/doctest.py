"""doctest: an example of a docstring or a document that gave something else than it shows.

The words are those that our pytest plugin has for such an example: one failure, whoever ran it.
"""

import posixpath
import re
from collections.abc import Sequence
from typing import Final

from gitmem.matching.failure import (
    Failure,
    FailureLocation,
    ParserResult,
    StackFrame,
    Test,
    bounded,
)
from gitmem.matching.parsers.common import number, one, passed_over
from gitmem.matching.parsers.python import HEAD, chain

_PLACE: Final = re.compile(
    r'(?:File "(?P<file>[^"\n]{1,1000})", line|Line) (?P<line>\d{1,9}|\?), in (?P<name>\S.{0,300})$'
)
_FAILED: Final = "Failed example:"
_INDENT: Final = "    "
_ANNOUNCED: Final = ("Trying:", "Expecting:")
"""What stands with -v above every example, and what is expected of it."""
_DIFFERENCES: Final = (("Differences (ndiff", 2), ("Differences (unified", 1))
"""How a difference is titled, and how many characters stand before its lines."""
_TITLES: Final = ("Expected", "Got", "Exception raised", "Differences (context",
                  *(title for title, _ in _DIFFERENCES))  # fmt: skip
_LONGEST: Final = 500
_MOST: Final = 3_000
Sections = dict[str, list[str]]


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read an example that failed."""
    if lines[at].startswith(_INDENT):
        return _announced(lines, at, floor)
    start = at - 1 if lines[at] == _FAILED else at
    place = _PLACE.match(lines[start]) if start >= floor else None
    if place is None or lines[start + 1 : start + 2] != [_FAILED]:
        return None
    sections, end = _sections(lines, start + 1)
    failure = _example(place, sections)
    return one(failure, lines, start, end)


def _announced(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Skip what an example that is about to run is, and what it should give."""
    head = at
    while head > floor and lines[head].startswith(_INDENT):
        head -= 1
    if lines[head] not in _ANNOUNCED:
        return None
    while at < len(lines) and lines[at].startswith(_INDENT):
        at += 1
    return passed_over(head, at)


def _sections(lines: Sequence[str], at: int) -> tuple[Sections, int]:
    """Give what is indented below each title, by its first words, and the line after it."""
    sections: Sections = {}
    body: list[str] = []
    end = at
    for here in range(at, min(len(lines), at + _MOST)):
        line = lines[here]
        if line.startswith(_INDENT):
            body.append(line[len(_INDENT) :])
        elif not line.strip():
            body.append("")
            continue
        elif line == _FAILED and not sections:
            body = sections.setdefault("example", [])
        elif line.startswith(_TITLES):
            title = next(filter(line.startswith, _TITLES))
            body = sections.setdefault(title, [])
        else:
            break
        end = here + 1
    return sections, end


def _example(place: re.Match[str], sections: Sections) -> Failure:
    source = " ".join(" ".join(sections["example"]).split())[:_LONGEST]
    file, name, line = place["file"] or "", place["name"], number(place["line"])
    frame = StackFrame(file, name, line, f">>> {source}")
    sides = _sides(sections)
    expected, actual = ("\n".join(side).strip()[:_LONGEST] for side in sides)
    raised = _raised(sections.get("Exception raised") or sides[1])
    if raised:
        frames = [frame, *(each for each in raised.frames if not _of_doctest(each.file))]
        actual = f"{raised.error_type}: {raised.message}".rstrip(": ")[:_LONGEST]
        failure = raised._replace(frames=bounded(frames))
    else:
        shown = [" ".join(text.split()) or "nothing" for text in (actual, expected)]
        differ = f" gave {shown[0]}, not {shown[1]}" if actual or expected else " failed"
        failure = Failure(language="python", message=f"{source}{differ}", frames=(frame,))
    last = failure.frames[-1]
    test = Test(
        name=name,
        expected=expected,
        actual=actual,
        message=failure.message.partition("\n")[0],
        failing_function=last.function,
        failing_line=last.line,
    )
    location = FailureLocation(last.file, last.line, None, last.code)
    return failure._replace(tool="doctest", test=test, location=location)


def _sides(sections: Sections) -> tuple[list[str], list[str]]:
    """Give the lines that were expected and those that came, both in full."""
    for title, width in _DIFFERENCES:
        if lines := sections.get(title):
            expected, actual = (
                [line[width:] for line in lines if line[:1] in signs] for signs in ("- ", "+ ")
            )
            return expected, actual
    return sections.get("Expected", []), sections.get("Got", [])


def _raised(lines: Sequence[str]) -> Failure | None:
    """Give the exception that came, where its traceback did."""
    return chain(lines, 0)[0] if lines and HEAD in lines[0] else None


def _of_doctest(path: str) -> bool:
    return (
        path.startswith("<doctest ") or posixpath.basename(path.replace("\\", "/")) == "doctest.py"
    )
