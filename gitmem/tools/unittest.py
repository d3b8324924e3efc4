"""unittest: ``FAIL: name`` and ``ERROR: name`` between rules, each with a traceback."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import FailureLocation, ParserResult, Test
from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolEnding,
    ToolFrames,
    ToolIdentity,
    ToolOutput,
    ToolSilence,
    ToolTests,
)
from gitmem.tools.common.compared import unequal
from gitmem.tools.common.examples import parse as parse_example
from gitmem.tools.common.python_traces import HEAD, chain
from gitmem.tools.common.reading import one
from gitmem.tools.forms import LineForm

_HEAD: Final = re.compile(
    r"(FAIL|ERROR): (\S.{0,300}?)(?: \((?P<where>[^()]{1,300})\))?"
    r"(?: (?P<label>\[.*\](?: \(.*\))?|\(.*\)))?(?: .*)?$"
)
_MOST: Final = 8
_EXAMPLE: Final = "Failed doctest test for "


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one failing test."""
    head = _HEAD.match(lines[at])
    if not head:
        return None
    below = range(at + 1, min(len(lines), at + _MOST))
    if not any(lines[near].startswith("-----") for near in below):
        return None
    trace = next((near for near in below if HEAD in lines[near]), None)
    if trace is None:
        return None
    failure, end = chain(lines, trace)
    if failure is None:
        return None
    start = at - 1 if at and lines[at - 1].startswith("=====") else at
    if failure.message.startswith(_EXAMPLE):
        for near in range(end, min(len(lines), end + _MOST)):
            example = parse_example(lines, near, end)
            if example and example.failures:
                (failure,) = example.failures
                return one(failure._replace(tool="unittest"), lines, start, example.end)
    own = [frame for frame in failure.frames if "/unittest/" not in frame.file.replace("\\", "/")]
    last = own[-1] if own else failure.frames[-1]
    expected, actual = unequal(failure.message.split("\n", 1)[0])
    where = head["where"] or ""
    name = head[2]
    whole = where if where.endswith(name) else f"{where}.{name}".strip(".")
    test = Test(
        name=f"{whole} {head['label']}" if head["label"] else whole,
        status="failed" if head[1] == "FAIL" else "error",
        expected=expected,
        actual=actual,
        message=failure.message.split("\n", 1)[0],
        failing_function=last.function,
        failing_line=last.line,
    )
    place = failure.location or FailureLocation(last.file, last.line, None, last.code)
    return one(failure._replace(tool="unittest", test=test, location=place), lines, start, end)


_CASE: Final = r"(?P<test>\w+) \((?P<owner>[\w.<>]+)\)"

TOOL = Tool(
    "unittest",
    order=60,
    language="python",
    output=ToolOutput(words=("FAIL: ", "ERROR: "), commands=("manage.py",), parse=parse),
    tests=ToolTests(
        begins=("OK", "FAIL", "Ran ", "NO TESTS"),
        ends=(" ok", " FAIL", "ERROR"),
        lines=(
            LineForm(
                " ... ",
                rf"{_CASE}(?: [(\[].*[)\]])? \.\.\. (?P<word>ok|FAIL|ERROR|skipped"
                r"|expected failure|unexpected success)(?: .*)?$",
            ),
        ),
        # A method that is called test alone is begun as one of Rust would be.
        opens=(rf"{_CASE} $", rf"(?!test ){_CASE} \.\.\. ?"),
        closes=r"\S.* \.\.\. (?P<word>ok|FAIL|ERROR|skipped)(?: .*)?$",
        parts=r"(?P<word>Ran) (?P<number>\d+) tests? in [\d.]+s$",
        verdict=r"(?:OK|FAILED|NO TESTS RAN)(?: \((?P<parts>.*)\))?$",
        names_failing=True,
    ),
    command=ToolCommand(programs=("unittest",), comparable=True, only_tests=("",)),
    identity=ToolIdentity(
        comparing=("assertequal",), silent=r"[\w.]+ not (?:raised|triggered)(?: by|$)"
    ),
    silence=ToolSilence(
        skips=(
            r"@?unittest\.(?:skip\w*|expectedFailure)\b",
            r"@(?:skip|skipIf|skipUnless|expectedFailure)\b",
            r"\bself\.skipTest\(",
            r"\bSkipTest\b",
        ),
        inverts=(r"\bexpectedFailure\b",),
    ),
    frames=ToolFrames(runner=("unittest",), evidence=(r"(?:^|/)unittest(?:/|\.py$)",)),
    # Without apart: a class or a module that can't be set up hides all of its tests.
    ending=ToolEnding(
        codes=frozenset({1}),
        no_tests=5,
        early="--failfast",
        early_alone=r"-[a-z]*f[a-z]*",
        by_name=".",
        unprepared=r"unittest\.loader\._FailedTest\.(.+)|(.+)\.setUp(?:Class|Module)",
    ),
)
