""".NET: messages of the compiler and MSBuild, exceptions, failing tests of ``dotnet test``."""

import re
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any, Final

from gitmem.lazy_pattern import lazily
from gitmem.output.failure import Failure, FailureLocation, ParserResult, StackFrame, Test, bounded
from gitmem.tools.base import (
    Tool,
    ToolCommand,
    ToolFiles,
    ToolFrames,
    ToolIdentity,
    ToolOutput,
    ToolSilence,
    ToolTests,
)
from gitmem.tools.common.reading import number, one
from gitmem.tools.forms import NAMED, CountForm, LineForm

_NUGET: Final = lazily(r"""<PackageReference\s[^<>]*Include="([\w.-]+)\"""")
_FRAMEWORK: Final = lazily(r"<TargetFrameworks?>([^<]*)<")
_BUILD: Final = re.compile(
    r"\s*(?:\d+>)?(?:(?P<file>(?:[A-Za-z]:)?[^\s:(][^:(\n]{0,400})(?:\("
    r"(?P<line>\d+)(?:,(?P<column>\d+))?(?:,\d+,\d+)?\)|(?<=proj)|(?<=\.sln)|(?<=\.slnx)|(?<=\.props)"
    r"|(?<=\.targets)|(?<=\.[cf]s)|(?<=\.vb))|MSBUILD|CSC) ?: "
    r"error (?P<code>[A-Z]{2,6}\d{2,5}): "
    r"(?P<message>.*?)(?: \[[^\]\n]+\.\w+proj(?:::[^\]]*)?\])?\s*$"
)
_OF_DOTNET: Final = re.compile(
    r"(?i:\.(?:cs|fs|fsi|fsx|vb|xaml|axaml|razor|cshtml|vbhtml|resx|\w+proj|slnx?|props|targets|dll))\n"
    r"|\n(?:CS|FS|BC|MSB|NU|NETSDK|CA|IDE|SA|XLS|XC|XFC|RZ|BL|SYSLIB|MC)\d"
)
"""The file's ending, or who numbers its errors: compilers of others write the same form."""
_HEAD: Final = re.compile(
    r"(?:Unhandled [Ee]xception[.:]\s*)?\s*"
    r"(?P<type>(?:[A-Z]\w{0,80}\.){1,12}[A-Z]\w*(?:Exception|Error|Failure)?)"
    r"(?: \(0x[0-9A-Fa-f]+\)|\s\(\d+\))?: (?P<message>.*)$"
)
_AT: Final = re.compile(
    r"\s+at (?P<function>[^\n]{1,400}?\([^\n]{0,600}?\))(?: in "
    r"(?P<file>[^\n]{1,400}):line (?P<line>\d+))?\s*$"
)
_INNER: Final = re.compile(r"\s*---> (?P<rest>\S.*)$")
_END_INNER: Final = re.compile(
    r"\s*--- End of (?:inner exception stack trace|stack trace from previous location)"
)
_TEST: Final = re.compile(r"\s*Failed (?P<name>[\w.+]+(?:\(.{0,400}\))?) \[(?:< )?[\d., ms]+\]$")
_MOST: Final = 200


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one message, exception or failing test."""
    line = lines[at]
    match = _BUILD.match(line)
    if match and (
        not match["file"] or _OF_DOTNET.search(f"{match['file'].strip()}\n{match['code']}")
    ):
        place = None
        if match["file"]:
            place = FailureLocation(
                match["file"].strip(), number(match["line"]), number(match["column"])
            )
        failure = Failure("dotnet", "csharp", "", match["code"], match["message"], location=place)
        return one(failure, lines, at, at + 1)
    if _TEST.match(line):
        return _test(lines, at)
    start = at
    if _AT.match(line):
        while start > floor and start > at - 40 and not _HEAD.match(lines[start]):
            start -= 1
    head = _HEAD.match(lines[start])
    return _exception(lines, start, head) if head else None


def _exception(lines: Sequence[str], at: int, head: re.Match[str]) -> ParserResult | None:
    inner: list[Failure] = []
    frames: list[StackFrame] = []
    message, end = head["message"], at + 1
    nested = _INNER.search(message)
    has_trace = bool(nested)
    if nested:
        message = message[: nested.start()]
        inner += _inner(nested["rest"])
    while end < len(lines) and end < at + _MOST:
        step, deeper = _AT.match(lines[end]), _INNER.match(lines[end])
        if step:
            line = int(step["line"]) if step["line"] else None
            frames.append(StackFrame(step["file"] or "", step["function"], line))
        elif deeper:
            inner += _inner(deeper["rest"])
        elif _END_INNER.match(lines[end]):
            if "inner exception" in lines[end] and inner:
                inner[-1] = inner[-1]._replace(frames=bounded(frames[::-1]))
                frames = []
        else:
            break
        has_trace = True
        end += 1
    if not has_trace:
        return None
    failure = Failure(
        "dotnet",
        "csharp",
        head["type"],
        "",
        message.strip(),
        bounded(frames[::-1]),
        causes=tuple(inner),
    )
    if inner and not any(frame.file for frame in frames) and inner[-1].frames:
        failure = failure._replace(frames=inner[-1].frames)
    return one(failure, lines, at, end)


def _inner(text: str) -> list[Failure]:
    match = _HEAD.match(text)
    return [Failure("dotnet", "csharp", match["type"], "", match["message"])] if match else []


def _test(lines: Sequence[str], at: int) -> ParserResult | None:
    head = _TEST.match(lines[at])
    end = at + 1
    while end < len(lines) and end < at + 80 and not _TEST.match(lines[end]):
        if re.match(r"\s*(?:Passed|Skipped) \S|Failed! |Test Run", lines[end]):
            break
        end += 1
    body = lines[at + 1 : end]
    stack = next((near for near, line in enumerate(body) if "Stack Trace:" in line), len(body))
    words = [line.strip() for line in body[:stack] if line.strip() and "Error Message:" not in line]
    frames = [
        StackFrame(
            step["file"] or "", step["function"], int(step["line"]) if step["line"] else None
        )
        for line in body[stack:]
        if (step := _AT.match(line))
    ]
    if not head or not words:
        return None
    typed = re.match(r"(?P<type>(?:\w+\.)+\w+Exception) : (?P<message>.*)$", words[0])
    message = "\n".join([typed["message"], *words[1:]] if typed else words)
    last = next((frame for frame in frames if frame.file), None)
    place = FailureLocation(last.file, last.line) if last else None
    test = Test(head["name"], message=words[0], failing_line=last.line if last else None)
    failure = Failure(
        "dotnet",
        "csharp",
        typed["type"] if typed else "AssertionError",
        "",
        message,
        bounded(frames[::-1]),
        place,
        test,
    )
    return one(failure, lines, at, end)


def read_manifest(text: str) -> dict[str, Any]:
    """Read the file of a project."""
    wants = _FRAMEWORK.search(text)
    return {"wants": wants[1] if wants else "", "libraries": _NUGET.findall(text)}


TOOL = Tool(
    "dotnet",
    order=190,
    language="csharp",
    output=ToolOutput(
        words=(": error ", "xception", "Failed "),
        beside=("   at ",),
        commands=("msbuild",),
        parse=parse,
    ),
    tests=ToolTests(
        begins=("Passed", "Failed", "Skipped", "Test summary", "No test"),
        lines=(
            LineForm(
                "ed ",
                r"(?P<word>Passed|Failed|Skipped) (?P<name>[\w+]+(?:\.[\w+]+)+(?:\(.*\))?)"
                r"(?: \[(?:< )?[\d., msh]+\])?$",
            ),
        ),
        counts=(
            CountForm(
                "Total:",
                r"(?:Failed|Passed|Skipped)! +- Failed: +\d+, Passed: +\d+, Skipped: +\d+, "
                r"Total: +\d+.*$",
                NAMED,
            ),
            CountForm(
                "Test summary:",
                r"Test summary: total: +\d+, failed: +\d+, succeeded: +\d+, skipped: +\d+.*$",
                NAMED,
            ),
            CountForm("No test", r"No test (?:is available|matches).*$"),
        ),
        names_failing=True,
        qualified=True,
    ),
    command=ToolCommand(
        programs=("dotnet",),
        comparable=True,
        shows=r"--(?:no-restore|no-build|nologo|logger|verbosity).*|-v\S*|-l",
        narrows=r"--filter.*",
        valued=("-v", "-l", "--logger", "--verbosity"),
    ),
    files=ToolFiles(
        manifests=("*.csproj", "Directory.Packages.props"),
        locks=("packages.lock.json",),
        supplies=("*.csproj",),
        reads={"*.csproj": ".NET", "*.fsproj": ".NET"},
        read=read_manifest,
    ),
    identity=ToolIdentity(code_prefix="CS", code_tells="code", prose_code=r"CS\d{4}"),
    silence=ToolSilence(
        skips=(r"\[(?:\w+, ?)*(?:Ignore|Explicit)\b", r"\((?:Skip)\s*="),
        allows=(r"#pragma warning\(?\s*disable",),
    ),
    frames=ToolFrames(
        names=MappingProxyType(
            {
                "csharp": (
                    r"(?:System|Microsoft|Xunit|NUnit|MSTest|Moq|FluentAssertions|Newtonsoft"
                    r"|Internal)\."
                )
            }
        ),
        clean=((130, r"^<(\w+)>g__(\w+)\|.*$|^<(\w+)>[bd]__.*$", r"\1\3"),),
    ),
)
