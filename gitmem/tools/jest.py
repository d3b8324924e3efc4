"""Jest and Vitest: one block a failing test, with what was expected and a source excerpt."""

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from gitmem.output.failure import (
    MAX_MESSAGE,
    Failure,
    FailureLocation,
    ParserResult,
    StackFrame,
    Test,
    bounded,
    excerpt,
)
from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolFiles,
    ToolFrames,
    ToolIdentity,
    ToolOutput,
    ToolReports,
    ToolSilence,
    ToolTests,
    ToolTitle,
)
from gitmem.tools.common.compared import place_of
from gitmem.tools.common.frames import foreign
from gitmem.tools.common.spec_words import SPEC_ASSERTS, SPEC_INVERTS, SPEC_SKIPS
from gitmem.tools.common.v8_traces import HEAD, error, stack
from gitmem.tools.forms import LISTED, CountForm, GroupForm

_BULLET: Final = re.compile(r"  ● (?P<name>.+?)\s*$")
_VITEST: Final = re.compile(
    r" ?FAIL  +(?:\|[^|]+\| )?(?P<name>\S.*? > .+?|\S+\.[cm]?[jt]sx? \[ .+ \])\s*$"
)
_CARET: Final = re.compile(
    r"\s+\u276f (?:(?P<function>[^\s(][^\n]{0,200}?) )?(?P<file>\S{1,400}?):"
    r"(?P<line>\d+):(?P<column>\d+)\s*$"
)
_RULED: Final = re.compile(r"\s*(?:⎯+|─+)")
_ENDS: Final = re.compile(
    r"(?:Test Suites?|Tests|Snapshots|Test Files|Ran all): |"
    r"(?:PASS|FAIL) |Summary of all failing tests"
)
_COUNTS: Final = re.compile(
    r" +(?:Test Files|Tests|Snapshots|Type Errors|Errors|Start at|Duration) {1,2}\S"
)
"""Vitest's summary, on the other stream: it may come between the lines of a block."""
_EXPECTED: Final = re.compile(r"\s+(?:- )?Expected(?: \w+)?:? +(\S.*)$")
_RECEIVED: Final = re.compile(r"\s+(?:\+ )?Received(?: \w+)?:? +(\S.*)$")
_DIFFERENCE: Final = re.compile(r"[-+] \d+")
_CONSOLE: Final = re.compile(r"(?P<blanks> {2,6})console\.\w+(?: \S+:\d+)?\s*$")
_STREAM: Final = re.compile(r"std(?:err|out) \| \S")
"""What heads in Jest, and in Vitest, what the code under test printed."""
_AFTER_STREAM: Final = re.compile(
    r"std(?:err|out) \| \S| ?(?:FAIL|PASS) | Test Files "
    r"|\s*[\u2713\u276f\xd7\u2193\u23af\u2500] ?\S"
)
_MARKED: Final = re.compile(r"\s*>? *(\d+) *\|(.*)$")
_BROKEN: Final = re.compile(r"(\S+) \[ .+ \]")
_SUITE: Final = "Test suite failed to run"
_UNREADABLE: Final = "Jest encountered an unexpected token"
_DETAILS: Final = "Details:"
_OF_FILE: Final = re.compile(
    r"(?P<file>\S.{0,400}?): (?P<message>.+?) \((?P<line>\d{1,7}):(?P<column>\d{1,5})\)$"
)
_AT_FILE: Final = re.compile(r"\s+(?P<file>\S.{0,400}?\.\w{1,5}):(?P<line>\d{1,7})$")
_MOST: Final = 400


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one test's block; the head of a file leads to the first block below it."""
    if printed := _printed(lines, at):
        return printed
    bullet, vitest = _BULLET.match(lines[at]), _VITEST.match(lines[at])
    if bullet and bullet["name"] == "Console":
        return None
    head = bullet or vitest
    if not head or (bullet and _RULED.match("".join(lines[at + 2 : at + 3]))):
        return None
    names = [head["name"]]
    body = at + 1
    while vitest and (more := _next_name(lines, body)):
        named = _VITEST.match(lines[more - 1])
        names += [named["name"]] if named else []  # the same error in several tests is shown once
        body = more
    end = _end(lines, body)
    block = [line for line in lines[body:end] if not _COUNTS.match(line)]
    quoted = excerpt(lines, at, end)
    failures = [_of_test(name, block)._replace(excerpt=quoted) for name in dict.fromkeys(names)]
    return ParserResult(tuple(failures), at, end)


def _printed(lines: Sequence[str], at: int) -> ParserResult | None:
    """Read what the code under test printed; an error in it is none while something else fails."""
    console, end = _CONSOLE.match(lines[at]), at + 1
    if console:
        inside = re.compile(rf"\s*$| {{{len(console['blanks']) + 1}}}")
        while end < len(lines) and inside.match(lines[end]):
            end += 1
    elif _STREAM.match(lines[at]):
        while end < len(lines) and not _AFTER_STREAM.match(lines[end]):
            end += 1
    else:
        return None
    end = min(end, at + _MOST)
    logged = error(lines[at + 1 : end])
    return ParserResult((logged._replace(severity="hint"),) if logged else (), at, end)


def _next_name(lines: Sequence[str], at: int) -> int:
    """Give the line after the next name of a test that shares an error; 0 if none follows."""
    name = at
    while name < len(lines) and (_COUNTS.match(lines[name]) or (name > at and not lines[name])):
        name += 1
    return name + 1 if name < len(lines) and _VITEST.match(lines[name]) else 0


def _of_test(name: str, block: Sequence[str]) -> Failure:
    """Give the failure of a test, or of a file that could not be loaded."""
    broken = _BROKEN.fullmatch(name)
    failure = _block(block, broken[1] if broken else name)
    if broken and failure.test:
        return failure._replace(test=failure.test._replace(status="error"))
    return failure


def _end(lines: Sequence[str], at: int) -> int:
    most = min(len(lines), at + _MOST)
    while at < most:
        line = lines[at]
        if _BULLET.match(line) or _VITEST.match(line) or _ENDS.match(line):
            break
        if _RULED.match(line) and line.strip(" ⎯─")[:1] in ("", "["):
            return at + 1
        at += 1
    return at


def _block(lines: Sequence[str], name: str) -> Failure:
    if failure := _unreadable(lines):
        return failure
    at = next((near for near, line in enumerate(lines) if line.strip()), 0)
    first = lines[at].strip() if at < len(lines) else ""
    head = HEAD.match(first)
    error_type, message = (head["type"], head["message"] or "") if head else ("", first)
    if first.startswith("expect("):
        error_type = "AssertionError"
    frames, place = _frames(lines)
    code = _marked(lines)
    if frames and code:
        frames[-1] = frames[-1]._replace(code=code)
    own = [frame for frame in frames if not foreign(frame, "javascript")]
    if place is None and own:
        place = FailureLocation(own[-1].file, own[-1].line, None, code)
    expected, actual = _value(lines, _EXPECTED, "-"), _value(lines, _RECEIVED, "+")
    test = Test(
        name=name,
        expected=expected,
        actual=actual,
        message=first[:1_000],
        failing_line=place.line if place else None,
    )
    return Failure(
        tool="jest",
        language="javascript",
        error_type=error_type,
        message=message[:MAX_MESSAGE],
        frames=bounded(frames),
        location=place,
        test=test if name != _SUITE else None,
    )


def _unreadable(lines: Sequence[str]) -> Failure | None:
    """Read of a file that could not be parsed what stands below much advice: where and why."""
    wording = [line.strip() for line in lines]
    if _UNREADABLE not in wording or _DETAILS not in wording:
        return None
    details = lines[wording.index(_DETAILS) + 1 :]
    head = next((match for line in details if (match := HEAD.match(line.strip()))), None)
    if head is None:
        return None
    message, place = head["message"] or "", None
    if of_file := _OF_FILE.match(message):
        message = of_file["message"]
        place = place_of(of_file["file"], of_file["line"], of_file["column"])
    elif at_file := next(filter(None, map(_AT_FILE.match, details)), None):
        place = place_of(at_file["file"], at_file["line"])
    return Failure("jest", "javascript", head["type"], message=message, location=place)


def _value(lines: Sequence[str], pattern: re.Pattern[str], sign: str) -> str:
    """Give a compared value; of a difference the first line that only it has."""
    value = next((match[1] for line in lines if (match := pattern.match(line))), "")
    if value and not _DIFFERENCE.fullmatch(value):
        return value
    changed = re.compile(rf"\s*{re.escape(sign)} +(?!Expected|Received)(\S.*)$")
    return next((match[1].rstrip(",") for line in lines if (match := changed.match(line))), "")


def _frames(lines: Sequence[str]) -> tuple[list[StackFrame], FailureLocation | None]:
    frames: list[StackFrame] = []
    place = None
    at = 0
    while at < len(lines):
        caret = _CARET.match(lines[at])
        if caret:
            frames.insert(0, StackFrame(caret["file"], caret["function"] or "", int(caret["line"])))
            place = place or FailureLocation(
                caret["file"], int(caret["line"]), int(caret["column"])
            )
        block, after = stack(lines, at)
        frames = [*block, *frames]
        at = max(after, at + 1)
    return frames, place


def _marked(lines: Sequence[str]) -> str:
    """Find the source line with the arrow, or the line above the mark."""
    for at, line in enumerate(lines):
        if re.match(r"\s*> *\d+ *\|", line):
            return line.split("|", 1)[1].strip()
        if at and re.match(r"\s*\|\s+\^", line):
            above = _MARKED.match(lines[at - 1])
            return above[2].strip() if above else ""
    return ""


_MATCHERS: Final = (
    "tobe", "tobedefined", "tobefalsy", "tobegreaterthan", "tobelessthan", "tobenull",
    "tobetruthy", "tobeundefined", "tocontain", "toequal", "tohavelength", "tomatch",
    "tostrictequal",
)  # fmt: skip
"""Jest's words for comparisons, lower case."""

TOOL = Tool(
    "jest",
    order=160,
    language="javascript",
    output=ToolOutput(words=("● ", "FAIL ", "  console.", "stderr | ", "stdout | "), parse=parse),
    tests=ToolTests(
        begins=("PASS", "FAIL", "Tests"),
        groups=(
            GroupForm(
                r"(?:PASS|(?P<bad>FAIL)) +(?P<name>\S+\.[cm]?[jt]sx?)(?: \(\d[\d.]* m?s\))?$"
            ),
        ),
        counts=(
            CountForm(
                "Tests:",
                r"Tests: +(?:\d+ (?:failed|passed|skipped|todo), )*\d+ total$",
                LISTED,
                again=True,
            ),
        ),
        title_file=r"(?:PASS|FAIL) +(?P<name>\S+\.\w+)(?: \([\d.]+ m?s\))?$",
        titles_end="\u25cf ",
        titles_beside="RUNS  ",
        names_failing=True,
    ),
    command=ToolCommand(
        programs=("jest",),
        comparable=True,
        narrows="--testNamePattern.*|--onlyFailures|--onlyChanged",
        last_failed=("--onlyFailures",),
        only_tests=("",),
    ),
    files=ToolFiles(tests=r"(?:.*/)?__tests__/.*", settings={"jest.config.*": "Jest"}),
    identity=ToolIdentity(
        compares=r"expect\(",
        silent=(
            r"Expected function to throw"
            r"|expect\((?:received|jest\.fn\(\))\)(?:\.\w+)+\([^()]{0,40}\)(?: // [\w. ]+)?$"
        ),
        comparing=_MATCHERS,
    ),
    title=ToolTitle(matcher=r"expect\(.*?\)((?:\.\w+)+)\(.*?\)(?: // .*)?$"),
    silence=ToolSilence(
        skips=(SPEC_SKIPS, "testPathIgnorePatterns", "--passWithNoTests"),
        inverts=(SPEC_INVERTS,),
        defines=("it", "test"),
        groups=("describe",),
        asserts=(SPEC_ASSERTS,),
        runner_settings=(r"jest\.config\.\w+", r"package\.json"),
        narrower=(r"\btestNamePattern",),
        bars=MappingProxyType({r"threshold\w*": False}),
    ),
    frames=ToolFrames(runner=(r"jest[\w-]*",)),
    ending=ToolEnding(early="--bail.*|-t"),
    reports=ToolReports(suites="jest tests", joint=" \u203a ", options="--outputFile"),
)
