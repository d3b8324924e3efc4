"""Go: build and vet messages, failing tests, panics with goroutines."""

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
)
from gitmem.tools.common import go_mod
from gitmem.tools.common.compared import compared
from gitmem.tools.common.go_events import GoEvents, as_output
from gitmem.tools.common.go_logs import VERDICT, WANT, logged_above, telling_part
from gitmem.tools.common.go_packages import GoPackages
from gitmem.tools.common.reading import number, one, passed_over

_BUILD: Final = re.compile(
    r"(?:vet: |#.*\s)?(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,300}\.go):"
    r"(?P<line>\d+)(?::(?P<column>\d+))?: (?P<message>\S.*)$"
)
_COMMAND: Final = re.compile(
    r"(?:go: (?P<go>(?:inconsistent vendoring|errors parsing|go\.mod |cannot find |updates to |"
    r"missing go\.sum|.{1,300} requires go).*)"
    r"|(?P<package>package .{1,300} is not a main package|found packages .+|no Go files in .+"
    r"|package .{1,300}: build constraints exclude all Go files.*)"
    r"|\s+imports .{1,300}: (?P<cycle>import cycle not allowed.*)"
    r"|\S+: (?P<main>function main is undeclared in the main package))$"
)
"""What the go command itself says, which names no line of a Go file."""
_FAIL: Final = re.compile(
    r"(?P<indent>\s*)(?:--- FAIL: |=== FAIL: (?P<package>\S+) )(?P<name>\S+) "
    r"(?:\(re-run \d+\) )?\([\d.]+s\)"
)
"""A failing test: as the go command says it, and as what collects its tests at the end does."""
_PANIC: Final = re.compile(
    r"(?:\t)?(?P<kind>panic|fatal error): (?P<message>.*?)(?: \[recovered[^\]]*\])?$"
)
_CALL: Final = re.compile(
    r"(?P<function>[\w./*()\-\[\]{}$~%·]{1,300}?)(?:\(.{0,400}\)| in goroutine \d+)$"
)
_PLACE: Final = re.compile(r"\s+(?P<file>\S.*?):(?P<line>\d+)(?: \+0x[0-9a-f]+)?\s*$")
_PRINTED: Final = re.compile(r"runtime/debug\.(?:Print)?Stack\(")
_PACKAGE: Final = re.compile(r"(?:ok  |FAIL|\?   )\t")
_SIGNAL: Final = re.compile(r"signal: (?:interrupt|terminated)")
"""What ``go run`` says of a program that somebody stopped."""
_STOPPED: Final = "stopped"
_QUOTED: Final = 40
_LOGGED: Final = re.compile(r"\d{4}/\d\d/\d\d \d\d:\d\d:\d\d ")
_MOST: Final = 400


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read a panic, a failing test or a message of the compiler."""
    line = lines[at]
    if _PANIC.match(line):
        result = _panic(lines, at)
        if result and _was_caught(lines, at, result.end):
            return passed_over(at, result.end)
        return result
    if _FAIL.match(line):
        return _test(lines, at)
    if _SIGNAL.fullmatch(line):
        return one(Failure("go", "go", _STOPPED, message=line), lines, at, at + 1)
    if match := _COMMAND.match(line):
        message = next(filter(None, match.groups()))
        end = at + 1
        if message.endswith(":") and end < len(lines):
            message, end = f"{message} {lines[end].strip()}", end + 1
        return one(Failure("go", "go", message=message), lines, at, end)
    match = _BUILD.match(line)
    if not match or _LOGGED.match(line):
        return None
    del floor
    end = at + 1
    while end < len(lines) and end < at + 6 and lines[end].startswith("\t"):
        end += 1  # "have (...)" and "want (...)"
    words = [match["message"], *(below.strip() for below in lines[at + 1 : end])]
    place = FailureLocation(match["file"], number(match["line"]), number(match["column"]))
    return one(Failure("go", "go", "", "", "\n".join(words), location=place), lines, at, end)


def _test(lines: Sequence[str], at: int) -> ParserResult | None:
    """Read a failing test: what it logged stands below it, or above where all tests are told."""
    head = _FAIL.match(lines[at])
    if not head:
        return None
    end, logged, inner = at + 1, [], False
    while end < len(lines) and end < at + _MOST:
        nested = VERDICT.match(lines[end])
        if nested and len(nested["indent"]) > len(head["indent"]):
            inner = inner or nested["word"] == "FAIL"
            break
        if nested or not lines[end].startswith(("    ", "\t")) or _PANIC.match(lines[end]):
            break
        logged.append(lines[end])
        end += 1
    if not logged and end < len(lines) and _PANIC.match(lines[end]):
        return _panicked_test(lines, at, end, head["name"])
    start = at
    if not logged:
        start, logged = logged_above(lines, at, head["name"])
    if not logged and (inner or _failing_below(lines, at, head) or _told_above(lines, at, head)):
        return passed_over(at, at + 1)  # the subtest says what failed; its parents follow from it
    place, message = telling_part(logged)
    want = WANT.search(message)
    expected, actual = (want["want"], want["got"]) if want else compared([message])
    test = Test(
        name=head["name"],
        expected=expected,
        actual=actual,
        message=message.partition("\n")[0][:1_000],
        failing_function=head["name"].split("/", 1)[0],
        failing_line=place.line if place else None,
    )
    message = message or f"{head['name']} failed"
    failure = Failure("go", "go", "", "", message[:MAX_MESSAGE], location=place, test=test)
    result = one(failure, lines, start if start > at - _QUOTED else at, end)
    return result._replace(start=at)


def _failing_below(lines: Sequence[str], at: int, head: re.Match[str]) -> bool:
    """Tell whether a subtest of a test failed, among those told below it."""
    for near in range(at + 1, min(len(lines), at + _MOST)):
        nested = VERDICT.match(lines[near])
        if not nested or len(nested["indent"]) <= len(head["indent"]):
            return False
        if nested["word"] == "FAIL":
            return True
    return False


def _told_above(lines: Sequence[str], at: int, head: re.Match[str]) -> bool:
    """Tell whether a collection of failing tests has told a subtest of this one already."""
    inner = f"=== FAIL: {head['package']} {head['name']}/"
    above = lines[max(0, at - _MOST) : at] if head["package"] else ()
    return any(line.startswith(inner) for line in above)


def _panicked_test(lines: Sequence[str], at: int, panic: int, name: str) -> ParserResult | None:
    result = _panic(lines, panic)
    if not result:
        return None
    failure = result.failures[0]._replace(test=Test(name, failing_function=name.split("/", 1)[0]))
    return one(failure, lines, at, result.end)


def _panic(lines: Sequence[str], at: int) -> ParserResult | None:
    head = _PANIC.match(lines[at])
    if not head:
        return None
    message = head["message"]
    frames: list[StackFrame] = []
    end = at + 1
    while end < len(lines) and end < at + _MOST:
        if re.match(r"goroutine \d+ ", lines[end]):
            if frames:
                break
        elif lines[end].startswith("\t") and (place := _PLACE.match(lines[end])) and frames:
            frames[-1] = frames[-1]._replace(file=place["file"], line=int(place["line"]))
        elif call := _CALL.match(lines[end].removeprefix("created by ")):
            frames.append(StackFrame("", call["function"]))
        elif not lines[end].startswith(("panic(", "\t", "created by")) if frames else end > at + 12:
            break
        end += 1
    frames = [frame for frame in frames if frame.file]
    runtime = re.match(r"runtime error: ([\w ]{1,60})", message)
    if not frames:
        if not runtime:
            return None
        end = at + 1  # the line was taken alone; no other language says so
    failure = Failure(
        tool="go",
        language="go",
        error_type=runtime[1].strip() if runtime else head["kind"],
        message=message,
        frames=bounded(frames[::-1]),
    )
    return one(failure, lines, at, end)


def _was_caught(lines: Sequence[str], at: int, end: int) -> bool:
    """Tell whether the code printed its stack itself, and the tests of its package went on."""
    if not any(map(_PRINTED.match, lines[at + 1 : end])):
        return False
    for line in lines[end : end + _MOST]:
        if VERDICT.match(line):
            return True
        if _PACKAGE.match(line):
            break
    return False


def diagnostic(_code: str, message: str) -> tuple[str, str]:
    """Word what a language server shows as the compiler does, which has no codes and no indent."""
    return "", "\n".join(line.strip() for line in message.split("\n"))


TOOL = Tool(
    "go",
    order=230,
    language="go",
    names=MappingProxyType({"gopls": "", "compiler": ""}),
    output=ToolOutput(
        words=(
            ".go:",
            "--- FAIL",
            "=== FAIL: ",
            "panic: ",
            "fatal error: ",
            "go: ",
            "import cycle",
            "main package",
            "found packages",
            "o Go files",
            "signal: ",
        ),
        commands=("golangci-lint",),
        parse=parse,
        events='"Action":"',
        plain=GoEvents,
    ),
    tests=ToolTests(
        begins=("--- PASS", "--- FAIL", "--- SKIP", "ok ", "FAIL", "?   \t", "=== RUN "),
        follows=r"\s*(?:--- |(?:ok  |FAIL|\?   )\t|=== RUN )",
        follow=GoPackages,
        names_empty=True,
    ),
    command=ToolCommand(
        programs=("go",),
        comparable=True,
        shows=r"-json|-count=\d+|-failfast",
        narrows="-run.*",
        only_tests=("test",),
    ),
    files=ToolFiles(
        manifests=("go.mod",),
        locks=("go.sum",),
        supplies=("go.mod",),
        reads={"go.mod": "Go"},
        read=go_mod.read,
        turn=50,
        commands={"go.mod": ("go build ./...", "go test ./...")},
        aside=(r"go\.(?:mod|sum)",),
    ),
    identity=ToolIdentity(counts_as="go"),
    diagnostic=diagnostic,
    silence=ToolSilence(skips=(r"\bt\.Skip(?:f|Now)?\(",)),
    frames=ToolFrames(
        folders=("vendor", "pkg/mod"),
        paths=("/go/src/(?:runtime|testing|net|os|reflect)/",),
        roots=("/usr/local/go/src/",),
        files=("_testmain.go",),
        names=MappingProxyType(
            {"go": "(?:runtime|testing|reflect|net/http|os|sync|panic|created by runtime)[.(]"}
        ),
        libraries=("vendor", "pkg/mod"),
        clean=((70, r"\.func\d+(?:\.\d+)*$", ""),),
    ),
    ending=ToolEnding(
        early="-failfast",
        stopped=("too many errors",),
        lists_all="test",
        runs_built="run",
        by_name="/",
        by_option="-run",
        interrupted=(_STOPPED,),
        uncaught=(r"^panic: [^\n]+\n(?:.*\n)*goroutine \d+ \[",),
    ),
    # It writes no reports; go-junit-report names the version of Go in them.
    reports=ToolReports(suites=r"go\.version", case=as_output),
)
