"""Python tracebacks: chained, grouped, repeated frames, syntax errors, with or without head."""

import json
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from gitmem.output.failure import (
    MAX_MESSAGE,
    Failure,
    FailureLocation,
    ParserResult,
    StackFrame,
    bounded,
    excerpt,
)
from gitmem.tools.common import ipython_traces

HEAD: Final = "Traceback (most recent call last)"
_WITHIN: Final = '\\n  File \\"'
"""The line after the head, in a text of JSON."""
_TEXT: Final = re.compile(r'"(?:[^"\\]|\\.){1,16000}"')
GROUP: Final = "Exception Group"
"""What stands before the head of a group's traceback."""
EXAMPLE: Final = "Failed example:"
"""What stands below the place of an example of doctest, which is no frame."""
_OTHERS: Final = ", characters "
"""What stands behind a line of OCaml, whose places begin in the same way."""
_FILE: Final = re.compile(r'\s*File "([^"\n]{1,1000})", line (\d{1,9})(?:, in (.{1,300}))?')
_RAISED: Final = re.compile(
    r"(?P<type>[^\W\d][\w.]{0,200}(?:\[[^\]\n]{0,100}\])?)(?:: ?(?P<message>.*))?$"
)
_REPEATED: Final = re.compile(r"\s*\[Previous line repeated (\d{1,9}) more times?\]")
_CUT: Final = re.compile(r"\s*(?:\.\.\.|…|\[(?:\.\.\.|….{0,40}…)\])\s*$")
"""Lines were left out here, by whoever pasted the trace or by our own ``excerpt``."""
_MARKS: Final = re.compile(r"\s*[~^]+[ ~^]*$")
_LINKS: Final = (
    "During handling of the above exception, another exception occurred:",
    "The above exception was the direct cause of the following exception:",
)
_MARGIN: Final = re.compile(r"[ ]*(?:[|+][ ]?|\+-\+-+ .{0,40}-+$)")
_SPLIT: Final = re.compile(r"[ ]*\+-\+?-{8,}( (\d+|\.\.\.) -+)?")
_DETAIL: Final = re.compile(r"(?:DETAIL|HINT|CONTEXT|LINE \d+|QUERY): |\[SQL: |\(Background on ")
_WHERE: Final = re.compile(
    r"(?:Failed|Error) (?:in|at|during|while) [^:\n]{1,200}(?: \([^()]*\))?:?$"
)
"""A message that only says in which part it failed; the reason stands at the margin below."""
_REASON: Final = re.compile(r"[A-Z]\w* (?!.*\bexit\b)\w")
_FIELD: Final = re.compile(r"[A-Za-z_][\w.\[\]-]{0,100}$")
_MISSING: Final = re.compile(r"\S{0,300}python[\d.]{0,8}(?:\.exe)?: (No module named .{1,300})$")
_DEEPER: Final = 2
"""How much deeper than its head a traceback's frames are indented."""
_MOST_CODE: Final = 6
_MOST_SHOWN: Final = 24
"""Lines below the place of a frame: of a call over several lines Python shows and marks several."""
_MOST_MESSAGE: Final = 12
_OF_STARTED: Final = frozenset(
    {
        "CalledProcessError",
        "CellExecutionError",
        "ChildFailedError",
        "PapermillExecutionError",
        "ProcessExitedException",
        "ProcessRaisedException",
    }
)
"""What is raised where a program, or a notebook's cell, failed: why is in what that printed."""
SYNTAX: Final = ("SyntaxError", "IndentationError", "TabError")


class Trace(NamedTuple):
    """One traceback of a chain, and the line after it."""

    failure: Failure
    end: int


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read the chain of tracebacks that starts at or just before ``at``."""
    start = at
    missing = _MISSING.match(lines[at])
    if missing:
        return _missing(lines, at, missing[1])
    if HEAD in lines[at] and _WITHIN in lines[at]:
        return _quoted(lines, at)
    if HEAD in lines[at] and (shown := ipython_traces.parse(lines, at)):
        return shown
    if HEAD not in lines[at]:
        if (
            not _FILE.match(lines[at])
            or _OTHERS in lines[at]
            or lines[at + 1 : at + 2] == [EXAMPLE]
        ):
            return None
        if at - 1 >= floor and HEAD in lines[at - 1]:
            start = at - 1
    if GROUP in lines[start] or _margin(lines[start]).strip():
        return group(lines, start)
    failure, end = chain(lines, start)
    if failure is None:
        return None
    return ParserResult((failure._replace(excerpt=excerpt(lines, start, end)),), start, end)


def _quoted(lines: Sequence[str], at: int) -> ParserResult | None:
    """Read a traceback that is a value of a line in JSON, as logs have it."""
    start = lines[at].index(HEAD)
    begins = lines[at].rfind('"', 0, start)
    text = _TEXT.match(lines[at], begins) if begins >= 0 else None
    if text is None:
        return None
    try:
        plain = str(json.loads(text[0]))
    except ValueError:
        return None
    failure, _ = chain(plain[plain.index(HEAD) :].split("\n"), 0)
    if failure is None:
        return None
    return ParserResult((failure._replace(excerpt=excerpt(lines, at, at + 1)),), at, at + 1)


def _missing(lines: Sequence[str], at: int, message: str) -> ParserResult:
    """Read what ``python -m`` says without a traceback."""
    failure = Failure("python", "python", "ModuleNotFoundError", "", message)
    return ParserResult((failure._replace(excerpt=lines[at]),), at, at + 1)


def chain(lines: Sequence[str], start: int) -> tuple[Failure | None, int]:
    """Read tracebacks as long as one leads to the next; the last one is what was raised."""
    earlier: list[Failure] = []
    at = start
    while True:
        trace = _one(lines, at)
        if trace is None:
            break
        earlier.append(trace.failure)
        at = trace.end
        if trace.failure.message.startswith(HEAD):
            # The message is a traceback itself, of a child process: what is told there.
            inner = _one(lines, at) if at < len(lines) else None
            if inner:
                at = inner.end
                earlier[-1] = trace.failure._replace(message="")
                earlier.insert(-1, inner.failure)
        after = _skip_blank(lines, at, 3)
        if after < len(lines) and lines[after].strip() in _LINKS:
            nearest = _skip_blank(lines, after + 1, 3)
            if nearest < len(lines) and HEAD in lines[nearest]:
                at = nearest
                continue
        break
    if not earlier:
        return None, start
    *causes, last = earlier
    causes.reverse()
    return last._replace(causes=tuple(causes)), at


def _one(lines: Sequence[str], at: int) -> Trace | None:
    """Read one traceback, whose head may be missing."""
    base = _base(lines, at) if HEAD in lines[at] else 0
    at += HEAD in lines[at]
    # Some runners put an empty line before each frame, and before what was raised.
    spaced = at + 1 < len(lines) and not lines[at].strip() and bool(_FILE.match(lines[at + 1]))
    at += spaced
    first = _indent(lines[at]) if at < len(lines) else 0
    frames: list[StackFrame] = []
    column = None
    while at < len(lines):
        file = _FILE.match(lines[at])
        if not file:
            repeated = _REPEATED.match(lines[at])
            if repeated and frames:
                frames += frames[-1:] * min(int(repeated[1]), 3)
                at += 1
                continue
            after = _after_cut(lines, at) if frames else at
            after += spaced and after == at and not lines[at].strip()
            if after > at:
                at = after
                continue
            break
        if _without_margins(lines, at, base, spaced=spaced):
            at, code = _code_at_margin(lines, at + 1)
        else:
            at, code, column = _code(lines, at + 1, _indent(lines[at]), base)
        function = (file[3] or "").strip()
        frames.append(StackFrame(file[1], function, int(file[2]), code))
    if not frames:
        return None
    raised = _RAISED.match(lines[at][base:]) if at < len(lines) else None
    if raised is None and at < len(lines) and first > _indent(lines[at]) > base:
        base = _indent(lines[at])  # somebody indented a trace without its head
        raised = _RAISED.match(lines[at][base:])
    if raised is None or not _is_type(raised["type"], raised["message"]):
        return Trace(_failure("", "", frames, column), at)
    at, message = _message(lines, at + 1, raised["message"] or "", base)
    return Trace(_failure(raised["type"], message, frames, column), at)


def _base(lines: Sequence[str], at: int) -> int:
    """Give how far a traceback is indented; progress may stand on the line of its head."""
    if not lines[at].partition(HEAD)[0].strip():
        return _indent(lines[at])
    return max(0, _indent(lines[at + 1]) - _DEEPER) if at + 1 < len(lines) else 0


def _after_cut(lines: Sequence[str], at: int) -> int:
    """Give the line where a shortened traceback goes on; ``at`` if it was not shortened there."""
    if not _CUT.match(lines[at]):
        return at
    # Of the frame that was cut in two, the source line may be left.
    for after in range(at + 1, min(at + 1 + _MOST_CODE, len(lines))):
        line = lines[after]
        if _FILE.match(line):
            return after
        if not line[:1].isspace():
            raised = _RAISED.match(line)
            goes_on = raised is not None and _is_type(raised["type"], raised["message"])
            return after if goes_on else at
    return at


def _code(lines: Sequence[str], at: int, indent: int, base: int) -> tuple[int, str, int | None]:
    """Read the source lines below a File line: the first one, and the column of its mark."""
    code, column = "", None
    deeper = max(indent, base)
    for _ in range(_MOST_SHOWN):
        if at >= len(lines) or _FILE.match(lines[at]) or _REPEATED.match(lines[at]):
            break
        line = lines[at]
        below = lines[at + 1] if at + 1 < len(lines) else ""
        goes_on = _MARKS.match(below) or (line and _FILE.match(below))
        if not line.strip() and not goes_on:
            # A mark-less frame may be followed by an empty line; an exception never is.
            break
        if line.strip() and _indent(line) <= deeper and not _MARKS.match(line):
            break
        if _MARKS.match(line):
            column = len(line) - len(line.lstrip()) - (deeper + 2 if code else 0) + 1
        elif not code:
            code = line.strip()
        at += 1
    return at, code, column if column and column > 0 else None


def _without_margins(lines: Sequence[str], at: int, base: int, *, spaced: bool) -> bool:
    """Tell whether a frame lost what it is indented by, as of text that was pasted or trimmed."""
    below = lines[at + 1] if at + 1 < len(lines) else ""
    lost = _indent(below) == base and (spaced or _indent(lines[at]) == base)
    return lost and bool(below.strip())


def _code_at_margin(lines: Sequence[str], at: int) -> tuple[int, str]:
    """Read source lines that are not indented: they end where a frame or an exception begins."""
    for end in range(at, min(at + _MOST_CODE + 1, len(lines))):
        blank = not lines[end].strip()
        line = lines[end + 1] if blank and end + 1 < len(lines) else lines[end]
        raised = _RAISED.match(line.strip())
        if (
            _FILE.match(line)
            or _REPEATED.match(line)
            or (raised and _is_type(raised["type"], raised["message"]))
        ):
            return end, lines[at].strip() if end > at else ""
        if blank:
            break
    return at, ""


def _message(lines: Sequence[str], at: int, first: str, base: int) -> tuple[int, str]:
    """Add the lines that belong to a message: those indented deeper, and a database's details."""
    parts = [first]
    if _WHERE.match(first) and at < len(lines) and _REASON.match(lines[at][base:]):
        parts.append(lines[at].rstrip())
        at += 1
    while at < len(lines) and len(parts) < _MOST_MESSAGE:
        line = lines[at]
        if line[:base].strip():
            break
        line = line[base:]
        if not (line[:1] in " \t" and line.strip()) and not _DETAIL.match(line):
            below = lines[at + 1][base:] if at + 1 < len(lines) else ""
            # The name of a field, and below it what is wrong with it.
            if not (_FIELD.match(line) and below[:1] in (" ", "\t") and below.strip()):
                break
        if _FILE.match(line) or HEAD in line:
            break
        parts.append(line.rstrip())
        at += 1
    return at, "\n".join(parts)[:MAX_MESSAGE]


def _is_type(name: str, message: str | None) -> bool:
    """Tell the name of an exception from a word: it starts with a capital, or is dotted."""
    last = name.rsplit(".", 1)[-1]
    return last.lstrip("_")[:1].isupper() and (message is not None or last.isidentifier())


def _failure(
    error_type: str, message: str, frames: list[StackFrame], column: int | None
) -> Failure:
    location = None
    last = frames[-1]
    if error_type in SYNTAX:
        location = FailureLocation(last.file, last.line, column, last.code)
    return Failure(
        tool="python",
        language="python",
        error_type=error_type,
        message=message,
        frames=bounded(frames),
        location=location,
        severity="ending" if error_type.rpartition(".")[2] in _OF_STARTED else "error",
    )


def group(lines: Sequence[str], start: int) -> ParserResult | None:
    """Read an exception group: the first exception in it, the others and the group as causes.

    What was raised in a task is the error; the words of the group are the same for any of them.
    """
    end = start
    while end < len(lines) and (_MARGIN.match(lines[end]) or end == start):
        if end > start + 400:
            break
        end += 1
    plain: list[str] = []
    parts: list[list[str]] = [plain]
    for at in range(start, end):
        if _SPLIT.match(lines[at]):
            parts.append([])
            continue
        parts[-1].append(_unmargin(lines[at]))
    failures = [failure for part in parts if (failure := _head_of(part))]
    if not failures:
        return None
    groups = [failure for failure in failures if _is_group(failure)]
    inner = [failure for failure in failures if not _is_group(failure)]
    first, *others = [*inner, *groups] if groups else failures
    if inner and groups:
        first = first._replace(frames=bounded([*groups[0].frames, *first.frames]))
    text = excerpt(lines, start, end)
    first = first._replace(causes=(*first.causes, *others), excerpt=text)
    return ParserResult((first,), start, end)


def _is_group(failure: Failure) -> bool:
    return failure.error_type.endswith("ExceptionGroup")


def _head_of(part: Sequence[str]) -> Failure | None:
    for at, line in enumerate(part):
        if HEAD in line or _FILE.match(line):
            return chain(part, at)[0]
        raised = _RAISED.match(line.strip())
        if raised and _is_type(raised["type"], raised["message"]) and raised["message"]:
            return Failure("python", "python", raised["type"], "", raised["message"])
    return None


def _unmargin(line: str) -> str:
    line = re.sub(r"^[ ]*[|+][ ]?", "", line, count=1)
    return line.replace("Exception Group Traceback", "Traceback")


def _margin(line: str) -> str:
    match = _MARGIN.match(line)
    return match[0] if match else ""


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _skip_blank(lines: Sequence[str], at: int, most: int) -> int:
    end = at + most
    while at < len(lines) and at < end and not lines[at].strip():
        at += 1
    return at
