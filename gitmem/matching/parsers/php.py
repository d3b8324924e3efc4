"""PHP: fatal and parse errors, uncaught exceptions, PHPUnit."""

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
from gitmem.matching.parsers.common import one

_HEAD: Final = re.compile(
    r"(?:\[[^\]\n]{1,60}\] )?(?:PHP )?"
    r"(?P<kind>Fatal error|Parse error|Warning|Recoverable fatal error"
    r"|Catchable fatal error):\s+(?P<message>.*)$"
)
_PLACE: Final = re.compile(
    r"(?P<message>.*?) in (?P<file>(?:/|[A-Za-z]:|\w)[^\n]{0,400}?)(?: on line |:)(?P<line>\d+)\s*$"
)
_UNCAUGHT: Final = re.compile(r"Uncaught (?P<type>[A-Za-z_\\][\w\\]{0,200}): (?P<message>.*)$")
_STEP: Final = re.compile(
    r"#\d+ (?P<file>[^\n(]{1,400}|\[internal function\])(?:\((?P<line>\d+)\))?: "
    r"(?P<function>[\w\\:>{}$-]{1,200})"
)
_UNIT: Final = re.compile(r"\d+\) (?P<name>[\w\\]+::\w+(?: with data set .+)?)$")
_UNIT_PLACE: Final = re.compile(r"(?P<file>(?:/|[A-Za-z]:)\S+\.php):(?P<line>\d+)$")


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one error."""
    for near in (at, at - 1):
        if near >= floor and _UNIT.match(lines[near]):
            return _phpunit(lines, near)
    head = _HEAD.match(lines[at])
    if not head or (head["kind"] == "Warning" and " in " not in head["message"]):
        return None
    uncaught = _UNCAUGHT.match(head["message"])
    if uncaught:
        return _exception(lines, at, uncaught)
    found = _PLACE.match(head["message"])
    if not found:
        return None
    place = FailureLocation(found["file"], int(found["line"]))
    kind = {"Parse error": "ParseError"}.get(head["kind"], head["kind"])
    weight = "warning" if head["kind"] == "Warning" else "error"
    failure = Failure("php", "php", kind, "", found["message"], location=place, severity=weight)
    return one(failure, lines, at, at + 1)


def _exception(lines: Sequence[str], at: int, uncaught: re.Match[str]) -> ParserResult:
    frames: list[StackFrame] = []
    message, end = uncaught["message"], at + 1
    while end < len(lines) and end < at + 80:
        step = _STEP.match(lines[end].strip())
        if step:
            line = int(step["line"]) if step["line"] else None
            file = "" if step["file"].startswith("[") else step["file"]
            frames.append(StackFrame(file, step["function"], line))
        elif not re.match(
            r"(?:PHP )?(?:Stack trace:|#\d+ |  thrown in |Next )", lines[end].strip() or "x"
        ) and not lines[end].startswith("  thrown"):
            break
        end += 1
    found = _PLACE.match(message)
    place = None
    if found:
        message = found["message"]
        place = FailureLocation(found["file"], int(found["line"]))
    # A step names the place of the call and what was called: the caller is one step out.
    callers = [*(step.function for step in frames[1:]), "{main}"]
    stack = [
        frame._replace(function=caller)
        for frame, caller in zip(frames, callers, strict=False)
        if frame.file
    ]
    stack.reverse()
    if place:
        inner = frames[0].function if frames else "{main}"
        stack.append(StackFrame(place.file, inner, place.line))
    failure = Failure("php", "php", uncaught["type"], "", message, bounded(stack), place)
    return one(failure, lines, at, end)


def _phpunit(lines: Sequence[str], at: int) -> ParserResult | None:
    head = _UNIT.match(lines[at])
    end = at + 1
    while end < len(lines) and end < at + 60 and not _UNIT.match(lines[end]):
        if re.match(r"(?:FAILURES!|ERRORS!|--)", lines[end]):
            break
        end += 1
    body = lines[at + 1 : end]
    trace = [found for line in body if (found := _UNIT_PLACE.match(line))]
    if not head or not trace:
        return None
    words = [line for line in body if line.strip() and not _UNIT_PLACE.match(line)]
    typed = (
        re.match(r"(?P<type>[A-Z][\w\\]*(?:Exception|Error)): (?P<message>.*)$", words[0])
        if words
        else None
    )
    place = FailureLocation(trace[-1]["file"], int(trace[-1]["line"]))
    test = Test(head["name"], message=words[0] if words else "", failing_line=place.line)
    frames = [StackFrame(found["file"], "", int(found["line"])) for found in reversed(trace)]
    frames[0] = frames[0]._replace(function=head["name"])
    failure = Failure("phpunit", "php", typed["type"] if typed else "AssertionError", "",
                      "\n".join(words), bounded(frames), place, test)  # fmt: skip
    return one(failure, lines, at, end)
