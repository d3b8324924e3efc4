"""Sanitizers of C and its kin: of addresses, threads, memory, leaks and undefined behaviour."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult, StackFrame, bounded
from gitmem.tools.base import Tool, ToolFrames, ToolIdentity, ToolOutput
from gitmem.tools.common.reading import number, one

_HEAD: Final = re.compile(
    r"(?:==\d+==)?\s*(?:ERROR|WARNING): (?P<which>Address|Thread|Memory|Leak|HWAddress)Sanitizer: "
    r"(?P<kind>[\w-]+(?: [a-z][\w-]*){0,4}?)"
    r"(?= on | \(|:|\s*$| in | for | 0x)"
)
_UNDEFINED: Final = re.compile(
    r"(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}):(?P<line>\d+):(?P<column>\d+): "
    r"runtime error: (?P<message>\S.*)$"
)
_FRAME: Final = re.compile(
    r"\s+#\d+ (?:0x[0-9a-f]+ in )?(?P<function>\S[^\n]{0,400}?) "
    r"(?:(?P<file>(?:[A-Za-z]:)?[^\s:()][^:\n()]{0,400}):(?P<line>\d+)(?::\d+)?(?: \(\S+\))*"
    r"|\((?P<module>[^()\n]+)\)(?: \(BuildId: \w+\))?)\s*$"
)
_ACCESS: Final = re.compile(
    r"\s*(?:The signal is caused by a )?"
    r"(?P<said>(?:Previous )?(?:atomic )?(?:READ|WRITE|[Rr]ead|[Ww]rite)"
    r"(?: of size \d+| memory access))"
)
_LEAK: Final = re.compile(r"(?P<said>(?:Direct|Indirect) leak) of \d+ byte")
_ABOUT: Final = re.compile(r"\s+Location is (?P<said>.{1,200}?)(?: of size \d+)?(?: at 0x.*)?$")
_FREED: Final = re.compile(r"freed by thread ")
_END: Final = re.compile(r"SUMMARY: \w+Sanitizer")
_RUNTIME: Final = re.compile(r"(?:^|/)(?:\.\./|(?:lib)?sanitizer|compiler-rt/)")
_SHORT: Final = {
    "Address": "asan", "HWAddress": "asan", "Thread": "tsan", "Memory": "msan", "Leak": "lsan",
}  # fmt: skip
_MOST: Final = 400


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one report: its kind, what was done, and the stack that did it."""
    head = _HEAD.search(lines[at])
    if head:
        return _report(lines, at, head)
    wording = _UNDEFINED.match(lines[at])
    if wording is None:
        return None
    place = FailureLocation(wording["file"], number(wording["line"]), number(wording["column"]))
    failure = Failure("ubsan", "c", "", "", wording["message"], location=place)
    return one(failure, lines, at, at + 1)


def _report(lines: Sequence[str], at: int, head: re.Match[str]) -> ParserResult:
    frames: list[StackFrame] = []
    wording: list[str] = []
    stacks, end = 0, at + 1
    while end < len(lines) and end < at + _MOST:
        line = lines[end]
        if _END.match(line):
            end += 1
            break
        step = _FRAME.match(line)
        if step:
            stacks += not _FRAME.match(lines[end - 1])
            if stacks == 1:
                frames.append(_step(step))
        elif match := _ACCESS.match(line) or _LEAK.match(line) or _ABOUT.match(line):
            wording.append(match["said"])
        elif _FREED.match(line):
            wording.append("of a region that was freed")
        end += 1
    kind = head["kind"]
    first, *more = dict.fromkeys(wording) or [""]
    message = "\n".join([f"{kind}: {first}" if first else kind, *more])
    tool = _SHORT[head["which"]]
    failure = Failure(tool, "c", kind, "", message, bounded(frames[::-1]))
    own = next((step for step in frames if step.file and not _RUNTIME.search(step.file)), None)
    if own and own.line:
        failure = failure._replace(location=FailureLocation(own.file, own.line))
    return one(failure, lines, at, end)


def _step(match: re.Match[str]) -> StackFrame:
    if match["module"]:
        return StackFrame(match["module"].partition("+")[0], match["function"], in_app=False)
    return StackFrame(match["file"], match["function"], number(match["line"]))


TOOL = Tool(
    "sanitizers",
    order=236,
    language="c",
    bears=("asan", "tsan", "ubsan", "msan", "lsan"),
    output=ToolOutput(
        words=("Sanitizer: ", "runtime error: "),
        parse=parse,
        closing=r"SUMMARY: \w+Sanitizer|ThreadSanitizer: reported|==\d+==ABORTING",
    ),
    frames=ToolFrames(
        roots=(r"(?:\.\./)+src/libsanitizer/",),
        paths=(r"/(?:libsanitizer|sanitizer_common|compiler-rt)/",),
        names={"c": r"__interceptor_|__asan_|__sanitizer_|_start$|__libc_start"},
    ),
    identity=ToolIdentity(
        silent=(
            r"(?=\S)(?:(?:(?:heap|stack|global|container|use)-[a-z-]+|double-free|SEGV|data race"
            r"|detected memory leaks)(?::? |$))?"
            r"(?:(?:(?:READ|WRITE|Read|Write) of size|Direct leak|Indirect leak)\b.*)?$"
        )
    ),
)
