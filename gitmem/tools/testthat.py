"""testthat: tests of R, each failure below a rule with its place and its name."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.cases import FAILED, PASSED, SKIPPED
from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolOutput, ToolSilence, ToolTests
from gitmem.tools.common.compared import compared, of_test, place_of
from gitmem.tools.common.reading import one
from gitmem.tools.forms import CountForm

_HEAD: Final = re.compile(
    r"(?:(?:\u2500\u2500|--) (?:\d+\. )?|(?=\w+ \('))(?P<kind>Failure|Error|Failed|ERROR) "
    r"\('?(?P<file>[^\s:']{1,300}):(?P<line>\d{1,7})(?::(?P<column>\d{1,5}))?'?\): "
    r"(?P<name>\S.*?)(?: [\u2500-]{2,})?$"
)
_RULE: Final = re.compile(r"(?:\u2500\u2500|--|\u2550\u2550|==) ?|\[ FAIL \d")
_RAISED: Final = re.compile(
    r"(?:<(?P<type>[^>]{1,200})>|Error(?: in .{0,200}?)?:) ?(?P<message>.*)$"
)
_MOST: Final = 100


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one expectation that failed, or an error in a test."""
    head = _HEAD.match(lines[at])
    if head is None:
        return None
    end = at + 1
    while end < len(lines) and end < at + _MOST and not _RULE.match(lines[end]):
        if _HEAD.match(lines[end]):
            break
        if not lines[end].strip() and end + 1 < len(lines) and not lines[end + 1].strip():
            break
        end += 1
    body = [line.rstrip() for line in lines[at + 1 : end] if line.strip()]
    trace = next((no for no, line in enumerate(body) if line == "Backtrace:"), len(body))
    words = body[:trace]
    raised = _RAISED.match(words[0]) if words and head["kind"] in {"Error", "ERROR"} else None
    kind = ""
    if raised:
        kind = (raised["type"] or "simpleError").partition("/")[0]
        words = [word for word in (raised["message"], *words[1:]) if word]
        words = [words[0].removeprefix("Error: "), *words[1:]] if words else words
    place = place_of(head["file"], head["line"], head["column"])
    failure = Failure("testthat", "r", kind, location=place)
    return one(of_test(failure, head["name"], words, compared(words)), lines, at, end)


TOOL = Tool(
    "testthat",
    order=45,
    language="r",
    output=ToolOutput(
        words=("Failure (", "Error ('", "Error (", "ERROR (", "Failed ("),
        parse=parse,
        closing=r"(?:Error: )?Test failures|\[ FAIL \d+ \| WARN \d+ \|",
    ),
    tests=ToolTests(
        begins=("[ FAIL ",),
        titles_beside=r"\s*[\u2714\u2716] \|",
        counts=(
            CountForm(
                "[ FAIL ",
                r"\[ FAIL (\d+) \| WARN \d+ \| SKIP (\d+) \| PASS (\d+) \]$",
                (FAILED, SKIPPED, PASSED),
                again=True,
            ),
        ),
    ),
    silence=ToolSilence(skips=(r"\bskip(?:_\w+|_if(?:_not)?)?\(",), defines=("test_that",)),
)
