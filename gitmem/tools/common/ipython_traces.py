"""Tracebacks as IPython shows them, in notebooks too: arrows at the lines that ran. Pure."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import MAX_MESSAGE, Failure, ParserResult, StackFrame, bounded, excerpt

_HEAD: Final = re.compile(
    r"(?P<type>[^\W\d][\w.]{0,200})\s{2,}Traceback \(most recent call last\)\s*$"
)
_FRAME: Final = re.compile(
    r"(?:File )?(?P<file>(?:[A-Za-z]:)?[^\s:]\S{0,400}?\.pyx?)(?::(?P<line>\d{1,7}))?,?"
    r" in (?P<function>[\w.<>]{1,200})\("
)
_ARROW: Final = re.compile(r"-+> (?P<line>\d{1,7})(?: (?P<code>.*))?$")
_LINK: Final = re.compile(
    r"(?:During handling of the above exception, another exception occurred"
    r"|The above exception was the direct cause of the following exception):$"
)
_MOST_LINES: Final = 400
_MOST_MESSAGE: Final = 12


def parse(lines: Sequence[str], at: int) -> ParserResult | None:
    """Read the chain of such tracebacks whose first head is at a line; the last is the error."""
    earlier: list[Failure] = []
    end = at
    while end < len(lines) and (head := _HEAD.match(lines[end])):
        last = _one(lines, end, head["type"])
        if last is None:
            break
        failure, end = last
        earlier.append(failure)
        after = _not_empty(lines, end)
        if after == len(lines) or not _LINK.match(lines[after]):
            break
        end = _not_empty(lines, after + 1)
    if not earlier:
        return None
    *causes, error = earlier
    text = excerpt(lines, at, end)
    return ParserResult((error._replace(causes=tuple(causes[::-1]), excerpt=text),), at, end)


def _one(lines: Sequence[str], at: int, kind: str) -> tuple[Failure, int] | None:
    """Read one traceback, and the line after it; None where its end is not in sight."""
    frames: list[StackFrame] = []
    in_file = False
    for number in range(at + 1, min(at + _MOST_LINES, len(lines))):
        line = lines[number]
        name, _, message = line.partition(":")
        if name == kind:
            end, words = number + 1, [message.strip()]
            while end < len(lines) and lines[end].strip() and len(words) < _MOST_MESSAGE:
                words.append(lines[end].rstrip())
                end += 1
            text = "\n".join(words)[:MAX_MESSAGE]
            return Failure("python", "python", kind, "", text, bounded(frames)), end
        if frame := _FRAME.match(line):
            first = int(frame["line"]) if frame["line"] else None
            frames.append(StackFrame(frame["file"], frame["function"], first))
        if frame or not line.strip():
            in_file = bool(frame)
        elif in_file and (arrow := _ARROW.match(line)):
            code = (arrow["code"] or "").strip()
            frames[-1] = frames[-1]._replace(line=int(arrow["line"]), code=code)
    return None


def _not_empty(lines: Sequence[str], at: int) -> int:
    """Give the next line in which something stands."""
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at
