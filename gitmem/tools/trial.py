"""Trial, of Twisted: tests of Python; their names stand below the trace that they share."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import ParserResult, Test
from gitmem.tools.base import Tool, ToolFrames, ToolOutput
from gitmem.tools.common.compared import place_of, unequal
from gitmem.tools.common.python_traces import HEAD, chain

_HEAD: Final = re.compile(r"\[(?P<word>FAIL|ERROR)\]$")
_NAME: Final = re.compile(r"(?:[A-Za-z_]\w*\.){2,12}[A-Za-z_]\w*$")
_RUNNER: Final = re.compile(r"[/\\](?:unittest|twisted[/\\]trial)[/\\]")
_MOST: Final = 40


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read what tests raised, and their names."""
    head = _HEAD.match(lines[at])
    if head is None or at + 1 >= len(lines) or HEAD not in lines[at + 1]:
        return None
    failure, end = chain(lines, at + 1)
    while end < len(lines) and not lines[end].strip():
        end += 1
    names: list[str] = []
    while end < len(lines) and len(names) < _MOST and _NAME.match(lines[end]):
        names.append(lines[end])
        end += 1
    if failure is None or not names:
        return None
    first = failure.message.partition("\n")[0]
    expected, actual = unequal(first)
    status = "failed" if head["word"] == "FAIL" else "error"
    text = "\n".join(lines[at:end])
    own = [each for each in failure.frames if not _RUNNER.search(each.file)] or failure.frames
    place = failure.location or place_of(own[-1].file, str(own[-1].line))
    failures = tuple(
        failure._replace(
            tool="trial",
            location=place,
            test=Test(name, status, expected=expected, actual=actual, message=first),
            excerpt=text,
        )
        for name in names
    )
    return ParserResult(failures, at, end)


TOOL = Tool(
    "trial",
    order=62,
    language="python",
    output=ToolOutput(words=("[FAIL]", "[ERROR]"), needs=r"^\[(?:FAIL|ERROR)\]$", parse=parse),
    frames=ToolFrames(runner=("trial", "twisted/trial")),
)
