"""Gradle: the tests that failed, with a trace or in one line, and what it says of a build."""

import re
from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Any, Final

from gitmem.lazy_pattern import lazily
from gitmem.output.cases import FAILED, SKIPPED
from gitmem.output.failure import Failure, ParserResult, StackFrame, Test
from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolFiles,
    ToolFrames,
    ToolOutput,
    ToolReports,
    ToolSilence,
    ToolTests,
    ToolTitle,
)
from gitmem.tools.common import jvm_traces as jvm
from gitmem.tools.common.reading import indented, number, one, passed_over
from gitmem.tools.forms import ALL, CountForm, LineForm

_NEEDED: Final = lazily(
    r"^[^\S\n]*(?:\w*(?:[iI]mplementation|[cC]ompile|[aA]pi|[cC]ompileOnly|[rR]untimeOnly)|kapt)\b"
    r"""[ \t(]+(?:platform\()?["']([\w.-]+):([\w.-]+)""",
    re.MULTILINE,
)
_TEST: Final = re.compile(r"(?P<name>[\w.$]+ > \S.*?) FAILED$")
_SHORT: Final = re.compile(
    r"\s+(?P<caused>Caused by: )?(?P<type>(?:[\w$]+\.)*[\w$]+)"
    r" at (?P<file>[^\s:()]+\.\w+):(?P<line>\d+)$"
)
_BUILD: Final = re.compile(
    r"(?:FAILURE: Build failed|BUILD FAILED|\* What went wrong:|Execution failed for task)"
)
_CONSEQUENCE: Final = re.compile(
    r"Compilation (?:failed|error)|failing tests|non-zero exit|See log for more"
)
_ARGUMENTS: Final = lazily(r"\([^()]*\)$")
_IDENTIFIERS: Final = lazily(r"[\w.$]+")
_NEXT: Final = re.compile(r"\* What went wrong:|FAILURE: |BUILD ")
_MOST_BELOW: Final = 20
_MOST_LINES: Final = 200
"""Lines of one failed test."""


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read a test that failed, or what went wrong in a build."""
    if match := _TEST.match(lines[at]):
        return _test(lines, at, match["name"])
    return _build(lines, at) if _BUILD.match(lines[at]) else None


def _test(lines: Sequence[str], at: int, printed: str) -> ParserResult:
    """Read a test: below its name stands what it raised, with frames or the place alone."""
    trace = jvm.parse(lines, at + 1, at + 1) if at + 1 < len(lines) else None
    if trace and trace.start == at + 1:
        (failure,), end = trace.failures, trace.end
    else:
        end = indented(lines, at + 1, _MOST_LINES)
        if end == at + 1:
            return passed_over(at, end)
        failure = _without_trace(lines[at + 1 : end], printed)
    name = qualified_name(printed, [frame.function for frame in failure.frames])
    shown = failure.test or Test(name, message=failure.message.partition("\n")[0])
    return one(failure._replace(test=shown._replace(name=name)), lines, at, end)


def _without_trace(below: Sequence[str], printed: str) -> Failure:
    """Read what stands below a test's name: ``TYPE at FILE:LINE``, or a type and a message."""
    short = [match for line in below if (match := _SHORT.match(line))]
    causes = tuple(
        Failure("java", "java", match["type"], frames=_frame(match)) for match in short[1:]
    )
    if short:
        method = qualified_name(printed).partition("[")[0]
        frames = _frame(short[0], method)
        return Failure("java", "java", short[0]["type"], frames=frames, causes=causes)
    first, *others = (line.strip() for line in below)
    kind, message = jvm.read_head(first) or ("", first)
    return Failure("java", "java", kind, message="\n".join([message, *others]).strip())


def _frame(match: re.Match[str], function: str = "") -> tuple[StackFrame, ...]:
    return (StackFrame(match["file"], function, number(match["line"])),)


def _build(lines: Sequence[str], at: int) -> ParserResult:
    start = at
    for near in range(at, min(at + 5, len(lines))):
        if lines[near].startswith("* What went wrong"):
            at = near
            break
    else:
        return passed_over(at, at + 1)
    end = at + 1
    while end < len(lines) and end < at + 12 and lines[end].strip():
        end += 1
    message = "\n".join(line.strip() for line in lines[at + 1 : end])
    weight = "consequence" if _CONSEQUENCE.search(message) else "error"
    failure = Failure("gradle", "java", "", "", message, severity=weight)
    return one(failure, lines, start, end)._replace(end=_own_trace_end(lines, end))


def _own_trace_end(lines: Sequence[str], end: int) -> int:
    """Find the end of Gradle's own exception, which it prints of any build that went wrong."""
    at = end
    while at < min(len(lines), end + _MOST_BELOW) and not _NEXT.match(lines[at]):
        if lines[at].startswith("* Exception is:"):
            while at < len(lines) and lines[at].strip():
                at += 1
            return at
        at += 1
    return end


def read_manifest(text: str) -> dict[str, Any]:
    """Read ``build.gradle`` of either language."""
    needed = _NEEDED.findall(text)
    return {"language": "Kotlin" if re.search(r"\bkotlin\b", text) else "Java",
            "libraries": [artifact for _, artifact in needed],
            "declared": [group for group, _ in needed]}  # fmt: skip


def qualified_name(printed: str, functions: Iterable[str] = ()) -> str:
    """Write a test's name as Java does: ``shop.CartTest.small[2]`` for Gradle's ``… > small[2]``.

    Titles that are no names of classes and methods stay as they are printed.

    Args:
        printed: classes and the test, with ``>`` between them; a class may lack its package.
        functions: the frames of the failure, with their packages, outermost first.

    """
    head, bracket, parameters = printed.partition("[")
    parts = [_ARGUMENTS.sub("", part) for part in head.split(" > ") if part]
    plain = f"{'$'.join(parts[:-1])}.{parts[-1]}"
    if len(parts) == 1 or not _IDENTIFIERS.fullmatch(plain):
        return printed
    whole = (name for name in functions if name == plain or name.endswith(f".{plain}"))
    return f"{next(whole, plain)}{bracket}{parameters}"


TOOL = Tool(
    "gradle",
    order=180,
    language="java",
    output=ToolOutput(
        words=("FAILURE: ", "FAILED", "Execution failed for task"),
        parse=parse,
        like=("javac", "jvm"),
    ),
    command=ToolCommand(
        programs=("gradle",),
        wrappers=("gradlew",),
        comparable=True,
        shows=(
            r"-[iSd]|--(?:console|info|stacktrace|full-stacktrace|offline|continue|debug|scan"
            r"|(?:no-)?daemon|warning-mode|rerun-tasks|(?:no-)?build-cache|parallel).*"
        ),
        narrows=r"--tests.*",
        valued=("--console",),
    ),
    files=ToolFiles(
        manifests=("build.gradle", "build.gradle.kts", "libs.versions.toml"),
        locks=("gradle.lockfile",),
        supplies=("build.gradle", "build.gradle.kts"),
        folders=frozenset({".gradle"}),
        reads={"build.gradle": "Java", "build.gradle.kts": "Java"},
        read=read_manifest,
        turn=70,
        commands={
            "build.gradle": ("gradle build", "gradle test"),
            "build.gradle.kts": ("gradle build", "gradle test"),
        },
        wrapper="gradlew",
    ),
    title=ToolTitle(cause=r"\s*> (.*?)\s*$"),
    silence=ToolSilence(
        passes=(r"ignoreFailures\s*=\s*true",),
        runner_settings=(r"build\.gradle(?:\.kts)?",),
        narrower=(r"\bexclude\w*\b",),
        bars=MappingProxyType({"minimum": False}),
    ),
    frames=ToolFrames(
        folders=(r"\.gradle",), names=MappingProxyType({"java": r"(?:worker\.)?org\.gradle[.$]"})
    ),
    reports=ToolReports(folder=("build", "test-results")),
    tests=ToolTests(
        ends=("FAILED", "PASSED", "SKIPPED"),
        numbered=r" tests?\b",
        lines=(
            LineForm(
                " > ",
                r"(?P<name>[\w.$]+(?: > .+?)+) (?P<word>PASSED|FAILED|SKIPPED)"
                r"(?: \([\d.]+ ?m?s\))?$",
            ),
        ),
        name=qualified_name,
        counts=(
            CountForm(
                " completed",
                r"(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?$",
                (ALL, FAILED, SKIPPED),
            ),
        ),
        names_failing=True,
        qualified=True,
    ),
)
