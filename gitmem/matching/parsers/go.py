"""Go: build and vet messages, failing tests, panics with goroutines."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.matching.failure import (
    Failure,
    FailureLocation,
    ParserResult,
    StackFrame,
    Test,
    bounded,
)
from gitmem.matching.parsers.common import number, one

_BUILD: Final = re.compile(
    r"(?:vet: |#.*\s)?(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,300}\.go):"
    r"(?P<line>\d+)(?::(?P<column>\d+))?: (?P<message>\S.*)$"
)
_FAIL: Final = re.compile(r"(?P<indent>\s*)--- FAIL: (?P<name>\S+) \([\d.]+s\)")
_SAID: Final = re.compile(r"\s+(?P<file>[^\s:]+\.go):(?P<line>\d+): ?(?P<message>.*)$")
_PANIC: Final = re.compile(
    r"(?:\t)?(?P<kind>panic|fatal error): (?P<message>.*?)(?: \[recovered\])?$"
)
_CALL: Final = re.compile(
    r"(?P<function>[\w./*()\-\[\]{}$~%·]{1,300}?)(?:\(.{0,400}\)| in goroutine \d+)$"
)
_PLACE: Final = re.compile(r"\s+(?P<file>\S.*?):(?P<line>\d+)(?: \+0x[0-9a-f]+)?\s*$")
_LOGGED: Final = re.compile(r"\d{4}/\d\d/\d\d \d\d:\d\d:\d\d ")
_WANT: Final = re.compile(
    r"(?:(?:got|have|actual)[ :=]+|= )(?P<got>\S.{0,500}?)[,;]? "
    r"(?:want|expected)[ :=]+(?P<want>.+)$",
    re.IGNORECASE,
)
_MOST: Final = 400


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read a panic, a failing test or a message of the compiler."""
    line = lines[at]
    if _PANIC.match(line):
        return _panic(lines, at)
    if _FAIL.match(line):
        return _test(lines, at)
    found = _BUILD.match(line)
    if not found or _LOGGED.match(line):
        return None
    del floor
    end = at + 1
    while end < len(lines) and end < at + 6 and lines[end].startswith("\t"):
        end += 1  # "have (...)" and "want (...)"
    words = [found["message"], *(below.strip() for below in lines[at + 1 : end])]
    place = FailureLocation(found["file"], number(found["line"]), number(found["column"]))
    return one(Failure("go", "go", "", "", "\n".join(words), location=place), lines, at, end)


def _test(lines: Sequence[str], at: int) -> ParserResult | None:
    head = _FAIL.match(lines[at])
    if not head:
        return None
    end = at + 1
    words: list[str] = []
    place = None
    while end < len(lines) and end < at + _MOST:
        inner = _FAIL.match(lines[end])
        if inner and len(inner["indent"]) > len(head["indent"]) and not words:
            return _test(lines, end)  # the subtest says what failed; its parents follow from it
        if inner or not lines[end].startswith(("    ", "\t")) or _PANIC.match(lines[end]):
            break
        said = _SAID.match(lines[end])
        if said and place is None:
            place = FailureLocation(said["file"], int(said["line"]))
        words.append(said["message"] if said else lines[end].strip())
        end += 1
    if not words and end < len(lines) and _PANIC.match(lines[end]):
        return _panicked_test(lines, at, end, head["name"])
    message = "\n".join(words)
    want = _WANT.search(words[0]) if words else None
    test = Test(
        name=head["name"],
        expected=want["want"] if want else "",
        actual=want["got"] if want else "",
        message=words[0] if words else "",
        failing_function=head["name"].split("/", 1)[0],
        failing_line=place.line if place else None,
    )
    return one(Failure("go", "go", "", "", message, location=place, test=test), lines, at, end)


def _panicked_test(lines: Sequence[str], at: int, panic: int, name: str) -> ParserResult | None:
    found = _panic(lines, panic)
    if not found:
        return None
    failure = found.failures[0]._replace(test=Test(name, failing_function=name.split("/", 1)[0]))
    return one(failure, lines, at, found.end)


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
        elif frames and not lines[end].startswith(("panic(", "\t", "created by")):
            break
        elif not frames and end > at + 12:
            return None
        end += 1
    frames = [frame for frame in frames if frame.file]
    if not frames:
        return None
    runtime = re.match(r"runtime error: ([\w ]{1,60})", message)
    failure = Failure(
        tool="go",
        language="go",
        error_type=runtime[1].strip() if runtime else head["kind"],
        message=message,
        frames=bounded(frames[::-1]),
    )
    return one(failure, lines, at, end)
