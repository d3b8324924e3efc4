"""doctest: an example of a docstring or a document that gave something else than it shows.

The words are those that our pytest plugin has for such an example: one failure, whoever ran it.
"""

import posixpath
from collections.abc import Sequence
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.output.failure import Failure, FailureLocation, ParserResult, StackFrame, Test, bounded
from gitmem.tools.common.python_traces import EXAMPLE, HEAD, chain
from gitmem.tools.common.reading import number, one, passed_over

_PLACE: Final = lazily(
    r'(?:File "(?P<file>[^"\n]{1,1000})", line|Line) (?P<line>\d{1,9}|\?), in (?P<name>\S.{0,300})$'
)
_UNEXPECTED: Final = "UNEXPECTED EXCEPTION: "
_PYTEST_PLACE: Final = lazily(
    r"(?P<file>.{1,1000}):(?P<line>\d{1,9}): (?:DocTestFailure|UnexpectedException)$"
)
_PYTEST_SOURCE: Final = lazily(r"(?:\d{3,}|\?\?\?) >>> (?P<source>.+)$")
_INDENT: Final = "    "
_TRYING: Final = "Trying:"
_EXPECTING: Final = "Expecting"
_DIFFERENCES: Final = (("Differences (ndiff", 2), ("Differences (unified", 1))
"""How a difference is titled, and how many characters stand before its lines."""
_TITLES: Final = ("Expected", "Got", "Exception raised", "Differences (context",
                  *(title for title, _ in _DIFFERENCES))  # fmt: skip
_LONGEST: Final = 500
_MOST: Final = 3_000
Sections = dict[str, list[str]]


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read an example that failed."""
    if lines[at] == _TRYING:
        return _announced(lines, at)
    start = at - 1 if lines[at] == EXAMPLE else at
    place = _PLACE.match(lines[start]) if start >= floor else None
    if place is None or lines[start + 1 : start + 2] != [EXAMPLE]:
        return None
    sections, end = _sections(lines, start + 1)
    frame = StackFrame(place["file"] or "", place["name"], number(place["line"]))
    return one(_example(frame, sections), lines, start, end)


def read_pytest(name: str, lines: Sequence[str]) -> Failure | None:
    """Read the block of pytest for an example; of a long one it shows the first line."""
    place = next((_PYTEST_PLACE.match(line) for line in reversed(lines) if line.strip()), None)
    if place is None:
        return None
    titles = (*_TITLES, _UNEXPECTED)
    start = next((at for at, line in enumerate(lines) if line.startswith(titles)), None)
    if start is None:
        return None
    name = name.removeprefix("[doctest] ").rpartition("::")[2]
    source = next(filter(None, map(_PYTEST_SOURCE.match, reversed(lines[:start]))), None)
    if lines[start].startswith(_UNEXPECTED):
        sections = {"Exception raised": [*lines[start + 1 :]]}
    else:
        sections, _ = _sections(lines, start)
    sections["example"] = [source["source"]] if source else [name]
    frame = StackFrame(place["file"], name, number(place["line"]))
    return _example(frame, sections)._replace(tool="pytest")


def _announced(lines: Sequence[str], at: int) -> ParserResult:
    """Skip what an example is that is about to run, and what it should give: with -v."""
    end = at + 1
    most = min(len(lines), at + _MOST)
    while end < most and (lines[end].startswith((_INDENT, _EXPECTING)) or not lines[end].strip()):
        end += 1
    return passed_over(at, end)


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
        elif line == EXAMPLE and not sections:
            body = sections.setdefault("example", [])
        elif line.startswith(_TITLES):
            title = next(filter(line.startswith, _TITLES))
            body = sections.setdefault(title, [])
        else:
            break
        end = here + 1
    return sections, end


def _example(place: StackFrame, sections: Sections) -> Failure:
    source = " ".join(" ".join(sections["example"]).split())[:_LONGEST]
    frame = place._replace(code=f">>> {source}")
    sides = _sides(sections)
    expected, actual = ("\n".join(side).strip()[:_LONGEST] for side in sides)
    came = sections.get("Exception raised") or (sides[1] if expected.startswith(HEAD) else ())
    if raised := _raised_in(came):
        actual = f"{raised.error_type}: {raised.message}".rstrip(": ")[:_LONGEST]
        failure = raised._replace(frames=bounded([frame, *raised.frames]))
    else:
        shown = [" ".join(text.split()) or "nothing" for text in (actual, expected)]
        differ = f" gave {shown[0]}, not {shown[1]}" if actual or expected else " failed"
        failure = Failure(language="python", message=f"{source}{differ}", frames=(frame,))
    last = failure.frames[-1]
    test = Test(
        name=place.function,
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


def _raised_in(output: Sequence[str]) -> Failure | None:
    """Give the exception that an example ended with, without the frames of doctest itself."""
    start = next((at for at, line in enumerate(output) if line.startswith(HEAD)), None)
    raised = chain(output, start)[0] if start is not None else None
    if raised is None:
        return None
    own = [frame for frame in raised.frames if _is_code(frame.file)]
    return raised._replace(frames=tuple(own))


def _is_code(path: str) -> bool:
    """Tell whether a file of a traceback is neither an example nor doctest itself."""
    return "<doctest" not in path and posixpath.basename(path.replace("\\", "/")) != "doctest.py"
