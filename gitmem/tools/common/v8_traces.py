"""JavaScript stacks of V8 (Node, Deno, Chrome), with source excerpt, causes and error codes."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import (
    MAX_MESSAGE,
    PLAIN_CODES,
    Failure,
    FailureLocation,
    ParserResult,
    StackFrame,
    Test,
    bounded,
    excerpt,
)
from gitmem.tools.common.node_titles import of_mocha, of_tape

AT: Final = re.compile(
    r"\s+at (?:(?:async |new )?(?P<function>[^()\n]{1,300}?) \("
    r"(?P<place>[^()\n]{0,600}(?:\([^()\n]{0,100}\)[^()\n]{0,400})?)\)"
    r"|(?:async )?(?P<bare>\S{1,600}:\d+:\d+|<\w{1,40}>))(?:,? \{|\s*)$"
)
# Firefox and Safari: name@place.
_AT_SIGN: Final = re.compile(
    r"\s*(?P<function>[^@\s]{0,200})@(?P<place>(?:https?:/|file:/|webpack:/|/)\S{1,600}?:\d+(?::\d+)?)$"
)
_PLACE: Final = re.compile(r"(?:file://)?(?P<file>.{1,600}?):(?P<line>\d+)(?::(?P<column>\d+))?$")
HEAD: Final = re.compile(
    r"(?:\[cause\]: |<ref \*\d{1,6}> |\(node:\d{1,12}\) UnhandledPromiseRejectionWarning: "
    r"|.{0,60}?(?:Uncaught (?:\(in promise\) )?|\bException during run: )|\s*)"
    r"(?P<type>[A-Za-z_$][\w$.]{0,100}?(?:Error|Exception|Warning|Rejection)|Error|DOMException)"
    r"(?: \[(?P<code>\w+)\])?(?:: (?P<message>.*))?$"
)
_OTHER: Final = re.compile(r"(?P<type>[A-Z]\w{1,60})(?: \[(?P<code>\w+)\])?: (?P<message>.+)$")
_EVIDENT: Final = re.compile(
    r"^(?:node|internal|https?|webpack|chrome-extension|ext|npm|jsr):|node_modules"
    r"|\.(?:[cm]?[jt]sx?|vue|svelte|astro|html?|coffee|wasm|node)\b"
)
_ENDING: Final = re.compile(r"\.[A-Za-z]\w{0,9}$")
_OTHER_STEP: Final = re.compile(r"\s+\d{1,4}: +\S")
"""The first of two lines of a step as Rust writes it: the second looks like one of V8."""
_CODE: Final = re.compile(r"\s*code: '([\w-]{1,80})'")
_PARSED: Final = re.compile(
    r"(?P<file>[^\s:][^:\n]{0,400}\.\w{1,8}): (?P<message>[^\n]{1,1000}?)"
    r" \((?P<line>\d{1,7}):(?P<column>\d{1,6})\):?(?=\n|$)"
)
_PLACED_ONLY: Final = re.compile(
    r"(?P<file>[^\s:][^:\n]{0,400}\.\w{1,8}):(?P<line>\d{1,7}):(?P<column>\d{1,6})\n"
    r"(?P<code>[^\n]*\n)+?\n(?P<message>\S[^\n]*(?:\n[^\n]+)*)$"
)
"""A place, the code there, and below an empty line what is wrong."""
_SOURCE: Final = re.compile(
    r"(?:file://|Parse error at )?(?P<file>(?:[A-Za-z]:)?[^\s:][^:\n]{0,400}):(?P<line>\d+)"
    r"(?:,\d+)?$"
)
_LEVELS: Final = frozenset({"ERROR", "FATAL"})
"""What stands where a type does, and only says how bad it is."""
_CAUSE: Final = re.compile(r"\s*(?:\[cause\]|\[errors\]|cause): ")
_MOST: Final = 30
_MOST_COMPARED: Final = 400
"""Lines of an assertion's message: it shows both values, and what differs, sometimes twice."""
FILE_FAILED: Final = "test failed"
"""All that node:test says of a file of tests that ended before they did; why stands above."""
DIFFERENCES: Final = ("+ expected - actual", "+ actual - expected")


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read a stack from its head or from one of its frames."""
    start = at
    if AT.match(lines[at]):
        start = _above(lines, at, floor)
        if start < 0:
            return None
    head = HEAD.match(lines[start]) or _OTHER.match(lines[start])
    if not head or _CAUSE.match(lines[start]):
        return None
    failure, end = _read(lines, start, head)
    failure = _parsed(failure)
    place, source = _source(lines, start, floor)
    if not failure.frames and (place is None or not HEAD.match(lines[start])):
        return None
    if _of_others([place.file] if place else [frame.file for frame in failure.frames]):
        return None
    level = failure.error_type in _LEVELS
    if place and (level or not failure.frames or "SyntaxError" in failure.error_type):
        failure = failure._replace(location=place)
    if level:
        failure = failure._replace(error_type="")
    end = _closing(lines, end)
    failure = of_mocha(lines, start, floor, failure)
    if end + 1 < len(lines) and lines[end + 1].strip() == f"'{FILE_FAILED}'":
        name = lines[end].strip("\u2716 ").rpartition(" (")[0]
        failure, end = failure._replace(test=Test(name, message=FILE_FAILED)), end + 2
    failure = of_tape(lines, source, failure)
    return ParserResult((failure._replace(excerpt=excerpt(lines, source, end)),), source, end)


def _of_others(files: Sequence[str]) -> bool:
    """Tell by the endings of files that a stack of the same form is another language's."""
    return not any(map(_EVIDENT.search, files)) and any(map(_ENDING.search, files))


def _parsed(failure: Failure) -> Failure:
    """Take the place out of what a parser says of a file: ``FILE: Unexpected token (4:11)``."""
    pattern = _PARSED if failure.error_type == "SyntaxError" else _PLACED_ONLY
    match = pattern.match(failure.message)
    if match is None:
        return failure
    place = FailureLocation(match["file"], int(match["line"]), int(match["column"]))
    return failure._replace(message=match["message"], location=place)


def error(lines: Sequence[str]) -> Failure | None:
    """Read the first error with its stack among lines; None if there is none."""
    for at, line in enumerate(lines):
        head = HEAD.match(line)
        if head:
            failure, _ = _read(lines, at, head)
            return failure
    return None


def uncaught(lines: Sequence[str]) -> Failure | None:
    """Read the last error with its stack among lines, with the place that is named above it."""
    for at in reversed(range(len(lines))):
        if HEAD.match(lines[at]) and (result := parse(lines, at, 0)):
            return result.failures[0]
    return None


def _read(lines: Sequence[str], start: int, head: re.Match[str]) -> tuple[Failure, int]:
    words = [head["message"] or ""]
    at = start + 1
    most = _MOST_COMPARED if head["type"].endswith("AssertionError") else _MOST
    end = min(len(lines), start + most)
    first = next(
        (
            near
            for near in range(at, end)
            if (AT.match(lines[near]) and not _OTHER_STEP.match(lines[near - 1]))
            or _AT_SIGN.match(lines[near])
        ),
        at,
    )
    for line in lines[at:first]:
        if HEAD.match(line):
            first = at
            break
        if line.strip() in DIFFERENCES:
            break
        words.append(line)
    frames, at = stack(lines, first)
    code, causes = head["code"] or "", []
    while at < len(lines) and (lines[at].startswith("  ") or lines[at].startswith("}")):
        inner = _CAUSE.match(lines[at])
        caused = HEAD.match(lines[at][inner.end() :]) if inner else None
        if caused:
            cause, at = _read(lines, at, caused)
            causes.append(cause)
            continue
        match = _CODE.match(lines[at])
        code = code or (match[1] if match else "")
        at += 1
        if at > first + 300:
            break
    message = "\n".join(words if first > start + 1 else words[:1])
    return Failure(
        tool="node",
        language="javascript",
        error_type=head["type"],
        code="" if code in PLAIN_CODES else code,
        message=message[:MAX_MESSAGE].strip(),
        frames=bounded(frames),
        causes=tuple(causes),
    ), at


def stack(lines: Sequence[str], at: int) -> tuple[list[StackFrame], int]:
    """Read frames, given innermost first."""
    frames: list[StackFrame] = []
    while at < len(lines):
        match = AT.match(lines[at]) or _AT_SIGN.match(lines[at])
        if not match:
            if re.match(r"\s+\.\.\. \d+ lines matching", lines[at]):
                at += 1
                continue
            break
        where = match["place"] or match.groupdict().get("bare") or ""
        at += 1
        if where[:1] == "<" and where != "<anonymous>":
            continue  # a runner that leaves out its own
        place = _PLACE.match(where)
        file = place["file"] if place else where
        frames.append(
            StackFrame(file, match["function"] or "", int(place["line"]) if place else None)
        )
        if lines[at - 1].rstrip().endswith("{"):
            break
    frames.reverse()
    return frames, at


def _above(lines: Sequence[str], at: int, floor: int) -> int:
    least = max(floor, at - _MOST)
    while at > least:
        at -= 1
        if HEAD.match(lines[at]) or _OTHER.match(lines[at]):
            return at
    return -1


def _source(lines: Sequence[str], start: int, floor: int) -> tuple[FailureLocation | None, int]:
    """Find the place and the source line that Node prints above an uncaught error."""
    for above in range(start - 1, max(floor, start - 9) - 1, -1):
        match = _SOURCE.match(lines[above])
        if match:
            code = lines[above + 1].strip() if above + 1 < start else ""
            marks = next((line for line in lines[above + 1 : start] if "^" in line), "")
            column = marks.find("^") + 1 or None
            return FailureLocation(match["file"], int(match["line"]), column, code), above
    return None, start


def _closing(lines: Sequence[str], end: int) -> int:
    """Take the line along in which Node says its version."""
    for near in range(end, min(len(lines), end + 3)):
        if lines[near].startswith("Node.js v"):
            return near + 1
    return end
