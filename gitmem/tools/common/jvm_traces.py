"""Stack traces of the JVM: Java, Kotlin, Scala, with causes, and JUnit's through runners."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import (
    MAX_MESSAGE,
    Failure,
    ParserResult,
    StackFrame,
    Test,
    bounded,
    excerpt,
)

AT: Final = re.compile(
    r"\s*at (?:[\w.\-@$]{1,100}//?){0,2}(?P<name>[\w.$<>\-/]{1,400}?)"
    r"\((?P<file>[^():\n]{1,200})(?::(?P<line>\d+))?\)(?: ~?\[.{0,200}\])?\s*$"
)
_MORE: Final = re.compile(r"\s*\.\.\. \d+ (?:more|common frames omitted)")
_CAUSED: Final = re.compile(r"\s*(?:Caused by|Suppressed): (.*)$")
_HEAD: Final = re.compile(
    r"(?:.{0,300}?(?:\s|^|\[))?(?P<type>"
    r"(?:[a-z_][\w$]{0,60}\.){1,12}[A-Z][\w$]{0,100})(?:: (?P<message>.*))?$"
)
_PLAIN: Final = re.compile(
    r"(?:Exception in thread \"[^\"\n]{0,200}\" )?"
    r"(?P<type>[A-Z]\w{0,100}(?:Error|Exception|Failure))(?:: ?(?P<message>.*))?$"
)
_THREAD: Final = re.compile(r'Exception in thread "[^"\n]{0,200}" ')
_TEST: Final = re.compile(r"(?:^|\.)(?:\w*Tests?|\w*TestCase|Test\w*|\w*Spec|\w*IT)(?:\$\w+)?$")
_BUT_WAS: Final = re.compile(
    r"expected:? ?<(?P<expected>.{0,1000}?)> but was:? ?<(?P<actual>.{0,1000})>", re.DOTALL
)
_MOST_MESSAGE: Final = 60


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read a trace from its head, from one of its frames, or from a lone typed line."""
    start = at
    if AT.match(lines[at]):
        start = _head_above(lines, at, floor)
        if start < 0:
            return None
    head = read_head(lines[start])
    if head is None:
        return None
    first = _first_frame(lines, start + 1)
    if first < 0:
        return None
    return _trace(lines, start, first, head)


def _trace(lines: Sequence[str], start: int, first: int, head: tuple[str, str]) -> ParserResult:
    error_type, message = head
    message = "\n".join([message, *lines[start + 1 : first]])
    frames, end = _frames(lines, first)
    causes: list[Failure] = []
    while end < len(lines):
        caused = _CAUSED.match(lines[end])
        inner = read_head(caused[1]) if caused else None
        if not inner:
            break
        below = _first_frame(lines, end + 1)
        words = lines[end + 1 : below] if below > 0 else []
        inner_frames, end = _frames(lines, below if below > 0 else end + 1)
        causes.append(_failure(inner[0], "\n".join([inner[1], *words]), inner_frames))
    failure = _failure(error_type, message, frames)
    failure = failure._replace(
        causes=tuple(causes), test=_test(failure), excerpt=excerpt(lines, start, end)
    )
    return ParserResult((failure,), start, end)


def read_head(line: str) -> tuple[str, str] | None:
    """Read the type of an exception and its message from the line that begins a trace."""
    line = _THREAD.sub("", line[:4_000])
    match = _HEAD.match(line) or _PLAIN.match(line)
    return (match["type"], match["message"] or "") if match else None


def _head_above(lines: Sequence[str], at: int, floor: int) -> int:
    """Find the line with the exception above a frame."""
    least = max(floor, at - _MOST_MESSAGE)
    while at > least:
        at -= 1
        if not AT.match(lines[at]) and read_head(lines[at]) and not _CAUSED.match(lines[at]):
            return at
    return -1


def _first_frame(lines: Sequence[str], at: int) -> int:
    """Find the first frame below a head; a message may have lines of its own."""
    for near in range(at, min(len(lines), at + _MOST_MESSAGE)):
        if AT.match(lines[near]) or _MORE.match(lines[near]):
            return near
        if _CAUSED.match(lines[near]) or "Exception in thread" in lines[near]:
            return -1
    return -1


def _frames(lines: Sequence[str], at: int) -> tuple[list[StackFrame], int]:
    """Read frames, given innermost first."""
    frames: list[StackFrame] = []
    while at < len(lines):
        match = AT.match(lines[at])
        if match:
            name = match["name"].rsplit("/", 1)[-1]
            line = match["line"]
            frames.append(StackFrame(match["file"], name, int(line) if line else None))
        elif not _MORE.match(lines[at]):
            break
        at += 1
    frames.reverse()
    return frames, at


def _failure(error_type: str, message: str, frames: list[StackFrame]) -> Failure:
    return Failure(
        tool="java",
        language="java",
        error_type=error_type,
        message=message[:MAX_MESSAGE].strip(),
        frames=bounded(frames),
    )


def _test(failure: Failure) -> Test | None:
    """Find the test in the stack: the outermost method of a test class."""
    for frame in failure.frames:
        owner, _, method = frame.function.rpartition(".")
        if _TEST.search(owner) and not owner.startswith(("junit.", "org.junit", "org.testng")):
            was = _BUT_WAS.search(failure.message)
            return Test(
                name=f"{owner}.{method}",
                expected=was["expected"] if was else "",
                actual=was["actual"] if was else "",
                message=failure.message.split("\n", 1)[0],
                failing_function=method,
                failing_line=frame.line,
            )
    return None
