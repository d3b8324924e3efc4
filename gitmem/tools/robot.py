"""Robot Framework: tests in tables of keywords."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput, ToolSilence, ToolTests
from gitmem.tools.common.compared import compared, of_test
from gitmem.tools.common.reading import one, passed_over
from gitmem.tools.forms import LISTED, CountForm

_HEAD: Final = re.compile(r"(?P<name>\S.{0,400}?) +\| FAIL \|\s*$")
_DOTTED: Final = re.compile(r"FAIL: (?P<name>\S.{0,400})$")
_RULE: Final = re.compile(r"[-=]{20,}\s*$")
_COUNTS: Final = re.compile(r"\d+ (?:critical )?tests?, \d+ passed, \d+ failed")
_DOCUMENTED: Final = " :: "
_TYPED: Final = re.compile(r"(?P<type>[A-Z]\w{0,80}(?:Error|Exception)): (?P<message>.+)$")
_UNEQUAL: Final = re.compile(r"(?:.{0,200}: )?(?P<actual>\S.{0,400}?) != (?P<expected>\S.{0,400})$")
_TRACEBACK: Final = "Traceback"
_MOST: Final = 60


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one test that failed; a suite only counts its tests."""
    head = _HEAD.match(lines[at])
    dotted = _DOTTED.match(lines[at]) if head is None and at else None
    if head is None and (dotted is None or not _RULE.match(lines[at - 1])):
        return None
    end = at + 1
    while end < len(lines) and end < at + _MOST and not _RULE.match(lines[end]):
        if _HEAD.match(lines[end]):
            break
        end += 1
    words = [line.strip() for line in lines[at + 1 : end] if line.strip()]
    if dotted and (not words or _TRACEBACK in "".join(lines[end + 1 : end + 2])):
        return None  # unittest draws rules around such a line, too
    if not words or any(map(_COUNTS.match, words)):
        return passed_over(at, end)
    name = head["name"].partition(_DOCUMENTED)[0] if head else ""
    if dotted:
        name = dotted["name"].rpartition(".")[2]
    typed = _TYPED.match(words[0])
    kind = typed["type"] if typed else ""
    words = [typed["message"] if typed else words[0], *words[1:]]
    unequal = None if kind else _UNEQUAL.match(words[0])
    values = (unequal["expected"], unequal["actual"]) if unequal else compared(words)
    return one(of_test(Failure("robot", "robot", kind), name, words, values), lines, at, end)


TOOL = Tool(
    "robot",
    order=38,
    language="robot",
    output=ToolOutput(words=("| FAIL |", "FAIL: "), parse=parse),
    tests=ToolTests(
        ends=("| PASS |", "| FAIL |", "| SKIP |"),
        numbered=r" tests?,",
        counts=(
            CountForm(
                " passed, ",
                r"\d+ (?:critical )?tests?, \d+ passed, \d+ failed(?:, \d+ skipped)?$",
                LISTED,
                again=True,
            ),
        ),
    ),
    command=ToolCommand(programs=("robot", "pabot"), comparable=True, only_tests=("",)),
    silence=ToolSilence(skips=(r"^\s+Skip(?: If)?\b", r"^robot:skip\b")),
)
