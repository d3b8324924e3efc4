"""shUnit2: tests of shell scripts in functions."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, ParserResult
from gitmem.tools.base import Tool, ToolOutput, ToolSilence
from gitmem.tools.common.compared import compared, of_test
from gitmem.tools.common.reading import one, passed_over

_ASSERT: Final = re.compile(r"ASSERT:(?P<message>.*)$")
_ERROR: Final = re.compile(
    r"shunit2:(?:ERROR|FATAL) (?P<message>(?P<name>test\w{0,200})\(\) "
    r"returned non-zero return code\.)$"
)
_TEST: Final = re.compile(r"(?P<name>test\w{0,200})$")
_MOST_ABOVE: Final = 400


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one assertion; that its test then returned something follows from it."""
    if error := _ERROR.match(lines[at]):
        if at and _ASSERT.match(lines[at - 1]):
            return passed_over(at, at + 1)
        failure = Failure("shunit2", "shell", message=error["message"])
        return one(of_test(failure, error["name"], [], ("", "")), lines, at, at + 1)
    wording = _ASSERT.match(lines[at])
    name = _above(lines, at) if wording else ""
    if wording is None or not name:
        return None
    words = [wording["message"].strip()]
    failure = of_test(Failure("shunit2", "shell"), name, words, compared(words))
    return one(failure, lines, at, at + 1)


def _above(lines: Sequence[str], at: int) -> str:
    """Find the test that runs: its name stands alone on a line."""
    for near in range(at - 1, max(-1, at - _MOST_ABOVE), -1):
        if test := _TEST.match(lines[near]):
            return test["name"]
    return ""


TOOL = Tool(
    "shunit2",
    order=41,
    language="shell",
    output=ToolOutput(
        words=("ASSERT:", "shunit2:"),
        parse=parse,
        closing=r"FAILED \(failures=\d+\)|Ran \d+ tests?\.",
    ),
    silence=ToolSilence(skips=(r"^\s*startSkipping\b",)),
)
