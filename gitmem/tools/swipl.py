"""SWI-Prolog: what its compiler and its goals say, and tests of plunit."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.cases import PASSED
from gitmem.output.failure import MAX_MESSAGE, Failure, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolOutput, ToolSilence, ToolTests
from gitmem.tools.common.compared import compared, of_test, place_of
from gitmem.tools.common.reading import one, passed_over
from gitmem.tools.forms import CountForm

_PLACED: Final = re.compile(
    r"ERROR: (?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}\.(?:pl|plt|pro|prolog)):(?P<line>\d{1,7}):"
    r"(?:(?P<column>\d{1,5}):)?(?: (?P<message>\S.{0,2000}))?$"
)
_GOAL: Final = re.compile(r"ERROR: -g (?P<goal>\S.{0,200}?): (?P<message>\S.{0,2000})$")
_SAID: Final = re.compile(
    r"ERROR: (?P<message>(?:[\w$:]{1,100}/\d{1,2}: )?(?:Unknown procedure: |(?:Type|Domain) error: "
    r"|Arithmetic: |Arguments are not sufficiently instantiated|source_sink `).{0,2000})$"
)
_MORE: Final = re.compile(r"ERROR: {3,}(?P<message>\S.{0,2000})$")
_TEST: Final = re.compile(r"\ttest (?P<name>\S.{0,300}?): (?P<message>\S.{0,2000})$")
_SUITE: Final = re.compile(r"% PL-Unit: (?P<name>\S+)")
_CALLED: Final = re.compile(r"(?P<goal>\w+:[\w$]+):? (?P<rest>\S.*)$")
_CONTEXT: Final = re.compile(r"(?:[\w$]{1,60}:)?[\w$]{1,100}/\d{1,2}: ")
_INITIALIZED: Final = "Initialization goal raised exception:"
_FALSE: Final = "false"
_TESTS: Final = "run_tests"
"""The goal that runs tests: that it is false says only that one of them failed."""
_MOST: Final = 12
_FAR: Final = 500


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read a fault with its place, which may stand above what is wrong, or a goal's error."""
    placed = _PLACED.match(lines[at])
    if placed:
        return _placed(lines, at, placed)
    goal = _GOAL.match(lines[at])
    statement = goal or _SAID.match(lines[at])
    if statement is None:
        return None
    message = statement["message"]
    if goal and message == _FALSE:
        if goal["goal"].startswith(_TESTS):
            return passed_over(at, at + 1)
        message = f"{goal['goal']}: {message}"
    return one(_failure(message), lines, at, at + 1)


def _placed(lines: Sequence[str], at: int, head: re.Match[str]) -> ParserResult | None:
    place = place_of(head["file"], head["line"], head["column"])
    message, end = head["message"] or "", at + 1
    test = _TEST.match(lines[end]) if end < len(lines) and not message else None
    if message == _INITIALIZED and end < len(lines) and (statement := _SAID.match(lines[end])):
        return one(_failure(statement["message"])._replace(location=place), lines, at, end + 1)
    further, end = _more(lines, end + 1 if test else end)
    if test:
        name = ":".join(filter(None, (_suite(lines, at), test["name"])))
        failure = Failure("swipl", "prolog", location=place)
        words = [test["message"], *further]
        return one(of_test(failure, name, words, compared(words)), lines, at, end)
    called = _CALLED.match(message)
    if called:
        message = message if called["rest"] == _FALSE else called["rest"]
    text = "\n".join(filter(None, (message, *further)))
    return one(_failure(text)._replace(location=place), lines, at, end) if text else None


def _more(lines: Sequence[str], at: int) -> tuple[list[str], int]:
    """Read the lines that go on with a message; give them and where they end."""
    words: list[str] = []
    while at < len(lines) and len(words) < _MOST and (more := _MORE.match(lines[at])):
        words.append(more["message"])
        at += 1
    return words, at


def _suite(lines: Sequence[str], at: int) -> str:
    """Name the tests that run where a line was printed."""
    above = (_SUITE.match(lines[near]) for near in range(at, max(-1, at - _FAR), -1))
    return next((match["name"] for match in above if match), "")


def _failure(message: str) -> Failure:
    """Make a failure of a message, without the predicate that raised it."""
    return Failure("swipl", "prolog", message=_CONTEXT.sub("", message, count=1)[:MAX_MESSAGE])


TOOL = Tool(
    "swipl",
    order=298,
    language="prolog",
    output=ToolOutput(
        words=("ERROR: ",),
        needs=r"\.(?:pl|plt|pro|prolog):\d|ERROR: -g |Unknown procedure: |Arithmetic: "
        r"|(?:Type|Domain) error: |Arguments are not suff|source_sink `",
        parse=parse,
        closing=(
            r"\*\*FAILED .*|% \d+ tests? (?:failed|passed)|ERROR: -g run_tests\b.{0,100}: false"
            r"|Warning: Halting with status .*"
        ),
    ),
    tests=ToolTests(
        begins=("% ",),
        counts=(CountForm("% All ", r"% All (\d+) tests passed$", (PASSED,)),),
        parts=r"% (?P<number>\d+) tests? (?P<word>passed|failed)$",
    ),
    command=ToolCommand(programs=("swipl",)),
    silence=ToolSilence(
        skips=(r"^\s*test\(.{1,200}\b(?:blocked|fixme)\(",),
        definition=r"\s*test\((?P<name>\w+)(?:,.*)?\)\s*(?::-|-->|\.$)",
    ),
)
