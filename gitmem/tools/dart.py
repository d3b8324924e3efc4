"""Dart and Flutter: tests, and exceptions that the framework caught."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.cases import FAILED, PASSED, SKIPPED
from gitmem.output.failure import Failure, ParserResult, StackFrame, bounded
from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolOutput, ToolTests
from gitmem.tools.common.compared import of_test, place_of
from gitmem.tools.common.reading import one
from gitmem.tools.forms import CountForm

_HEAD: Final = re.compile(
    r"(?:\d\d:\d\d )?\+\d+(?: ~\d+)? -\d+: (?:\S+\.dart: )?(?P<name>\S.*?) \[E\]\s*$"
)
_CAUGHT: Final = re.compile(r"\W*EXCEPTION CAUGHT BY [A-Z ]+\W*$")
_THROWN: Final = re.compile(
    r"The following (?P<type>\w+)(?: object)? was thrown (?P<doing>[^:\n]{1,200}):$"
)
_STACK: Final = re.compile(r"When the exception was thrown, this was the stack")
_EXPECTATION: Final = re.compile(r"\s*(?:file://)?(?P<file>\S+\.dart) line (?P<line>\d{1,7})$")
_DESCRIPTION: Final = "The test description was:"
_RULE: Final = re.compile(r"\W{20,}$")
_REPEATS: Final = re.compile(r"\s*Test failed\. See exception logs above\.")
_STEP: Final = re.compile(
    r"\s*(?:#\d+\s+(?P<function>\S.*?) \((?P<place>\S+?\.dart):(?P<line>\d{1,7})(?::\d+)?\)"
    r"|(?P<short>\S+\.dart) (?P<at>\d{1,7})(?::\d+)?\s+(?P<named>\S.*))$"
)
_PACKAGE: Final = ("package:", "dart:", "org-dartlang")
_MOST: Final = 200


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one test that failed, or one exception in its frame."""
    if _CAUGHT.match(lines[at]):
        return _caught(lines, at)
    head = _HEAD.match(lines[at])
    return _tested(lines, at, head["name"]) if head else None


def _tested(lines: Sequence[str], at: int, name: str) -> ParserResult | None:
    end = at + 1
    while end < min(len(lines), at + _MOST) and (
        not lines[end].strip() or lines[end].startswith("  ")
    ):
        end += 1
    body = lines[at + 1 : end]
    if not body or _REPEATS.match(body[0]):
        return ParserResult((), at, end)  # told above, with its stack
    words, frames = _parts(body)
    return _result(lines, (at, end), name, words, frames, "")


def _caught(lines: Sequence[str], at: int) -> ParserResult | None:
    end = at + 1
    while end < min(len(lines), at + _MOST) and not _RULE.match(lines[end]):
        end += 1
    body = lines[at + 1 : end]
    thrown = _THROWN.match(body[0]) if body else None
    if thrown is None:
        return None
    stack = next((no for no, line in enumerate(body) if _STACK.match(line)), len(body))
    words = [line for line in body[1:stack] if line.strip()]
    _, frames = _parts(body[stack:])
    expected = next(filter(None, map(_EXPECTATION.match, body)), None)
    if expected:
        frames = [StackFrame(expected["file"], "", int(expected["line"]), in_app=True)]
    name = next(
        (body[no + 1].strip() for no, line in enumerate(body[:-1]) if line == _DESCRIPTION), ""
    )
    kind = "" if thrown["type"] == "TestFailure" else thrown["type"]
    return _result(lines, (at, end + 1), name, words, frames, kind)


def _result(
    lines: Sequence[str], span: tuple[int, int], name: str, words: Sequence[str],
    frames: list[StackFrame], kind: str,
) -> ParserResult:  # fmt: skip
    own = next((step for step in frames if step.in_app), None)
    place = place_of(own.file, str(own.line)) if own else None
    failure = Failure("dart", "dart", kind, frames=bounded(frames[::-1]), location=place)
    if name:
        return one(of_test(failure, name, words), lines, *span)
    message = "\n".join(line.strip() for line in words)
    return one(failure._replace(message=message), lines, *span)


def _parts(body: Sequence[str]) -> tuple[list[str], list[StackFrame]]:
    """Part what was said from the steps, given innermost first."""
    words: list[str] = []
    frames: list[StackFrame] = []
    for line in body:
        if step := _STEP.match(line):
            file = step["place"] or step["short"]
            own = not file.startswith(_PACKAGE)
            function = (step["function"] or step["named"]).strip()
            number = int(step["line"] or step["at"])
            frames.append(StackFrame(file.removeprefix("file://"), function, number, in_app=own))
        elif not frames and line.strip():
            words.append(line)
    return words, frames


TOOL = Tool(
    "dart",
    order=54,
    language="dart",
    output=ToolOutput(
        words=(" [E]", "EXCEPTION CAUGHT BY "),
        parse=parse,
        closing=r"(?:\d\d:\d\d )?\+\d+(?: ~\d+)? -\d+: Some tests failed\.$",
    ),
    tests=ToolTests(
        ends=("Some tests failed.",),
        counts=(
            CountForm(
                "Some tests failed",
                r"(?:\d\d:\d\d )?\+(\d+)(?: ~(\d+))? -(\d+): Some tests failed\.$",
                (PASSED, SKIPPED, FAILED),
            ),
        ),
    ),
    command=ToolCommand(programs=("dart", "flutter")),
    files=ToolFiles(
        tests=r"(?:.*/)?test/.*_test\.dart",
        turn=77,
        commands={"pubspec.yaml": ("dart test",)},
    ),
)
