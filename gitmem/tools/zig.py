"""Zig: its compiler, and its tests, each with the stack of what it returned."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.cases import FAILED, PASSED, SKIPPED
from gitmem.output.failure import Failure, ParserResult, StackFrame, bounded
from gitmem.tools.base import Tool, ToolFrames, ToolIdentity, ToolOutput, ToolSilence, ToolTests
from gitmem.tools.common.compared import of_test, place_of
from gitmem.tools.common.reading import one, passed_over
from gitmem.tools.forms import CountForm

_STEP: Final = re.compile(
    r"(?P<file>\S.{0,400}?\.zig):(?P<line>\d{1,7}):(?P<column>\d{1,5}): 0x[0-9a-f]+ in "
    r"(?P<function>.{1,300}?) \([^()]*\)$"
)
_HEAD: Final = re.compile(
    r"(?:Test \[\d+/\d+\] |\d+/\d+ )?(?P<name>(?:[\w.]{1,200}\.)?(?:decl)?test[._]\S.{0,300}?|test)"
    r"\.\.\. ?(?P<rest>.*)$"
)
_BUILD: Final = re.compile(
    r"(?P<file>\S[^:\n]{0,400}\.zig):(?P<line>\d{1,7}):(?P<column>\d{1,5}): "
    r"(?P<level>error|note): (?P<message>\S.*)$"
)
_TEST: Final = re.compile(r"(?:.*\.)?(?:decl)?test[._](?P<name>.+)$")
_RETURNED: Final = re.compile(r"FAIL \((?P<type>\w{1,100})\)$")
_COMPARED: Final = re.compile(r"expected (?P<expected>.{1,400}), found (?P<actual>.{1,400})$")
_PANIC: Final = re.compile(r"thread \d+ panic: (?P<message>.*)$")
_EXPECTED: Final = "expected this output:"
_FOUND: Final = "instead found this:"
_WHERE: Final = "First difference occurs"
_ASSERTED: Final = "Test"
_MOST: Final = 120


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read a test that failed, from the line that says so or the first step of its stack."""
    if build := _BUILD.match(lines[at]):
        return _compiled(lines, at, build)
    start = _above(lines, at, floor)
    if start is None:
        return None
    head = _HEAD.match(lines[start])
    end, words, frames = _parts(lines, start + 1)
    if head is None or not frames:
        return None
    words = [line for line in (head["rest"].strip(), *words) if line]
    returned = next((match["type"] for line in words if (match := _RETURNED.match(line))), "")
    values = _values(words)
    words = [line.strip("= \u2403") for line in words if not _RETURNED.match(line)]
    first = next((no for no, line in enumerate(words) if line.startswith(_WHERE)), len(words))
    words = [line for line in words[:first] if line]
    panic = next((match for line in words if (match := _PANIC.match(line))), None)
    kind = "" if returned.startswith(_ASSERTED) else returned
    if panic:
        kind, words = "panic", [panic["message"]]
    test = _TEST.match(head["name"])
    own = [step for step in frames if "/std/" not in step.file]
    place = place_of(own[-1].file, str(own[-1].line)) if own else None
    message = "\n".join(words) or returned
    failure = Failure("zig", "zig", kind, "", message, bounded(frames), place)
    name = test["name"] if test else head["name"]
    return one(of_test(failure, name, words, values), lines, start, end)


def _compiled(lines: Sequence[str], at: int, build: re.Match[str]) -> ParserResult:
    """Read what the compiler says; a note belongs to the error above it."""
    if build["level"] == "note":
        return passed_over(at, at + 1)
    place = place_of(build["file"], build["line"], build["column"])
    failure = Failure("zig", "zig", message=build["message"], location=place)
    return one(failure, lines, at, min(len(lines), at + 3))


def _above(lines: Sequence[str], at: int, floor: int) -> int | None:
    """Find the line that names the test; a failure that is used up already is another one's."""
    for near in range(at, max(floor, at - _MOST) - 1, -1):
        if head := _HEAD.match(lines[near]):
            return None if head["rest"] in {"OK", "SKIP"} else near
    return None


def _parts(lines: Sequence[str], at: int) -> tuple[int, list[str], list[StackFrame]]:
    """Part what was said from the steps below it; give also where they end."""
    words: list[str] = []
    frames: list[StackFrame] = []
    most = min(len(lines), at + _MOST)
    while at < most and not _HEAD.match(lines[at]):
        if step := _STEP.match(lines[at]):
            code = lines[at + 1].strip() if at + 1 < most and lines[at + 1][:1] == " " else ""
            frames.append(StackFrame(step["file"], step["function"], int(step["line"]), code))
            at += 1 if code else 0
        elif frames and lines[at][:1] != " ":
            break
        elif not frames:
            words.append(lines[at])
        at += 1
    return at, words, frames[::-1]


def _values(words: Sequence[str]) -> tuple[str, str]:
    """Give the compared values; texts stand between rules."""
    for line in words:
        if match := _COMPARED.match(line.strip()):
            return match["expected"], match["actual"]
    parts: dict[str, list[str]] = {}
    label = ""
    for line in words:
        text = line.strip().strip("= ")
        if text in {_EXPECTED, _FOUND}:
            label = text
        elif line.startswith("===="):
            label = ""
        elif label:
            parts.setdefault(label, []).append(text.rstrip("\u2403"))
    expected, actual = ("\n".join(parts.get(key, [])).strip() for key in (_EXPECTED, _FOUND))
    return expected, actual


TOOL = Tool(
    "zig",
    order=34,
    language="zig",
    output=ToolOutput(
        words=(": 0x", "FAIL (", " panic: ", "...expected", "... expected", ".zig:"),
        commands=("zig",),
        parse=parse,
        closing=r"error: the following test command failed|\d+ passed; \d+ skipped; \d+ failed\.",
    ),
    tests=ToolTests(
        numbered=" passed; ",
        counts=(
            CountForm(
                " passed; ",
                r"(\d+) passed; (\d+) skipped; (\d+) failed\.$",
                (PASSED, SKIPPED, FAILED),
            ),
            CountForm("All ", r"All (\d+) tests passed\.$", (PASSED,)),
        ),
    ),
    identity=ToolIdentity(
        comparing=(
            "testunexpectedresult",
            "testexpectedequal",
            "difference",
            "first",
            "line",
            "occurs",
            "on",
            "output",
        )
    ),
    frames=ToolFrames(paths=("/lib/(?:zig/)?std/",)),
    silence=ToolSilence(skips=(r"\berror\.SkipZigTest\b",), defines=("test",)),
)
