"""test-unit: tests of Ruby; what failed stands between rules, with the code around its place."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.cases import ERROR, FAILED, SKIPPED
from gitmem.output.failure import Failure, ParserResult, StackFrame, bounded
from gitmem.tools.base import Tool, ToolOutput, ToolTests
from gitmem.tools.common.compared import of_test, place_of
from gitmem.tools.common.frames import foreign
from gitmem.tools.common.reading import one
from gitmem.tools.forms import ALL, CountForm

_HEAD: Final = re.compile(
    r"(?P<word>Failure|Error): (?:test: )?(?P<name>\S.{0,300}?)\((?P<suite>[A-Z][\w:]*)\)"
    r"(?::(?P<said> \S.*)?)?$"
)
_RULE: Final = re.compile(r"={10,}$")
_STEP: Final = re.compile(
    r"(?P<file>(?:[A-Za-z]:)?[^\s:]{1,300}):(?P<line>\d{1,7}):in [`'](?P<function>[^'\n]{1,200})'$"
)
_CODE: Final = re.compile(r"\s+(?:=>\s+)?\d{1,7}: ?")
_TYPED: Final = re.compile(r"(?P<type>[A-Z]\w*(?:::[A-Z]\w*)*): (?P<message>.*)$")
_EXPECTED: Final = re.compile(r"<(?P<value>.*)> (?:was )?expected but was$")
_ACTUAL: Final = re.compile(r"<(?P<value>.*)>\.?$")
_MOST: Final = 200


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one failing test from its headline."""
    head = _HEAD.match(lines[at])
    if head is None or at == 0 or not _RULE.match(lines[at - 1]):
        return None
    end = at + 1
    while end < min(len(lines), at + _MOST) and not _RULE.match(lines[end]):
        end += 1
    body = lines[at + 1 : end]
    steps = [step for line in body if (step := _STEP.match(line))]
    frames = [
        StackFrame(step["file"], step["function"], int(step["line"])) for step in reversed(steps)
    ]
    words = [(head["said"] or "").strip()]
    for line in body:
        if not line.strip() and any(words) and not words[-1].startswith("  "):
            break  # a difference of both values, or the code of an error
        if not (_STEP.match(line) or _CODE.match(line)):
            words.append(line.strip())
    words = list(filter(None, words))
    typed = _TYPED.match(words[0]) if words and head["word"] == "Error" else None
    if typed:
        words[0] = typed["message"]
    own = [frame for frame in frames if not foreign(frame, "ruby")]
    place = place_of(own[-1].file, str(own[-1].line)) if own else None
    kind = typed["type"] if typed else "AssertionError"
    failure = Failure("test_unit", "ruby", kind, frames=bounded(frames), location=place)
    name = f"{head['suite']}#{head['name']}"
    return one(of_test(failure, name, words, _values(words)), lines, at - 1, end)


def _values(words: Sequence[str]) -> tuple[str, str]:
    for at, line in enumerate(words[:-1]):
        expected, actual = _EXPECTED.match(line), _ACTUAL.match(words[at + 1])
        if expected and actual:
            return expected["value"], actual["value"]
    return "", ""


TOOL = Tool(
    "test_unit",
    order=254,
    language="ruby",
    bears=("test-unit",),
    output=ToolOutput(
        words=("Failure: ", "Error: "),
        needs=r"^(?:Failure|Error): \S.*\([A-Z][\w:]*\)(?::|$)",
        parse=parse,
        closing=r"[\d.]+% passed|[\d.]+ tests/s, [\d.]+ assertions/s",
    ),
    tests=ToolTests(
        numbered=r" tests?\b",
        counts=(
            CountForm(
                " assertions, ",
                r"(\d+) tests, \d+ assertions, (\d+) failures, (\d+) errors, (\d+) pendings, "
                r"(\d+) omissions\b.*$",
                (ALL, FAILED, ERROR, SKIPPED, SKIPPED),
            ),
        ),
        names_failing=True,
    ),
)
