"""go test: a run that took too long, and the tables of testify where no test's head is near."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolIdentity, ToolOutput, ToolSilence
from gitmem.tools.common.compared import compared, of_test, place_of
from gitmem.tools.common.reading import one

_LATE: Final = re.compile(r"panic: (?P<message>test timed out after \S{1,40})")
_RUNNING: Final = "running tests:"
_NAMED: Final = re.compile(r"\t\t(?P<name>\S{1,300}) \([\d.hms]+\)$")
_TRACE: Final = re.compile(r"\s*Error Trace:\s+(?P<file>\S.{0,300}?\.go):(?P<line>\d{1,7})")
_PLACE: Final = re.compile(r"\s+(?P<file>[^\s:]+\.go):(?P<line>\d{1,7}):\s*$")
_ROW: Final = re.compile(r"\s*(?P<label>Error Trace|Error|Test|Messages):\s*(?P<text>.*)$")
_PARTS: Final = re.compile(r"(?:FAIL\t|exit status |ok  \t|--- |=== |panic: )")
_MOST: Final = 60
_STACK: Final = 2_000
_MOST_TESTS: Final = 20
_STEP: Final = re.compile(r"\t(?P<file>\S.{0,300}?\.go):(?P<line>\d{1,7}) ")


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read which test hung, or what a table says."""
    late = _LATE.match(lines[at])
    return _late(lines, at, late["message"]) if late else _table(lines, at, floor)


def _late(lines: Sequence[str], at: int, message: str) -> ParserResult | None:
    """Read a run that took too long: the tests that still ran are all that is known.

    The stacks of all goroutines stand below; that of a test goes through its function.
    """
    end = at + 1
    names: list[str] = []
    while end < len(lines) and (lines[end].startswith("\t") or not lines[end].strip()):
        if named := _NAMED.match(lines[end]):
            names.append(named["name"])
        elif lines[end].strip() not in {"", _RUNNING}:
            break
        end += 1
    if not names:
        return None
    below = end
    while end < len(lines) and end < at + _STACK and not _PARTS.match(lines[end]):
        end += 1
    # A test is named with those that it is in; of several that ran at once each may be it.
    inner = [name for name in names if not any(other.startswith(f"{name}/") for other in names)]
    late = Failure("go", "go", "panic", "", message)
    failures = tuple(
        of_test(late._replace(location=_place(lines[below:end], name)), name, [], ("", ""))
        for name in inner[:_MOST_TESTS]
    )
    read = one(failures[0], lines, at, min(end, at + _MOST))
    excerpt = read.failures[0].excerpt
    return ParserResult(tuple(item._replace(excerpt=excerpt) for item in failures), at, end)


def _place(stacks: Sequence[str], name: str) -> FailureLocation | None:
    """Give the line at which a test's own function waits."""
    call = f".{name.partition('/')[0]}("
    for at in range(len(stacks) - 1):
        step = _STEP.match(stacks[at + 1]) if call in stacks[at] else None
        if step:
            return place_of(step["file"], step["line"])
    return None


def _table(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    trace = _TRACE.match(lines[at])
    if trace is None:
        return None
    rows: dict[str, list[str]] = {}
    end, label = at, ""
    while end < len(lines) and end < at + _MOST and lines[end][:1] in {" ", "\t"}:
        row = _ROW.match(lines[end])
        if row and row["label"] in rows:
            break
        if row:
            label = row["label"]
            rows[label] = [row["text"].strip()]
        elif _PLACE.match(lines[end]):
            break
        elif label:
            rows[label].append(lines[end].strip())
        end += 1
    if "Error" not in rows or not rows.get("Test"):
        return None
    start = at - 1 if at > floor and _PLACE.match(lines[at - 1]) else at
    place: FailureLocation = place_of(trace["file"].rpartition("/")[2], trace["line"])
    wording = [line for line in rows["Error"] if line]
    failure = Failure("go", "go", message=" ".join(wording), location=place)
    return one(of_test(failure, rows["Test"][0], wording, compared(wording)), lines, start, end)


TOOL = Tool(
    "go_test",
    order=29,
    language="go",
    bears=("go",),
    identity=ToolIdentity(silent="test timed out after "),
    output=ToolOutput(
        words=("panic: test timed out", "Error Trace:"), commands=("go",), parse=parse
    ),
    silence=ToolSilence(definition=r"func (?P<name>Test\w+)\(\w+ \*testing\.T\)"),
)
