"""What a parser finds: a failure, before anybody has recorded it.

These are light twins of the parts in ``gitmem.records``: building one checks nothing and
costs nothing, because most failures are looked at once and never written.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

MAX_MESSAGE: Final = 2_000
"""Characters of a message that are kept."""
MAX_FRAMES: Final = 60
"""Frames of a stack that are kept: the outer third and the inner two thirds."""
MOST_CAUSES: Final = 5
LONGEST_CAUSE: Final = 300
"""How many causes of a failure are kept, and characters of each."""
PLAIN_CODES: Final = ("Error", "ERR_TEST_FAILURE")
"""What stands where a code does, without its being one: ``node:test`` writes it."""
CAUSED_BY: Final = " (caused by "
"""What stands in a title between what a wrapper says and the innermost cause."""


class StackFrame(NamedTuple):
    """One line of a stack trace, innermost last; ``in_app`` is None until it is known."""

    file: str
    function: str = ""
    line: int | None = None
    code: str = ""
    in_app: bool | None = None


class FailureLocation(NamedTuple):
    """The place a compiler, a linter or a test names."""

    file: str
    line: int | None = None
    column: int | None = None
    code: str = ""


class Test(NamedTuple):
    """The test that failed, as its runner names it."""

    name: str
    status: str = "failed"
    expected: str = ""
    actual: str = ""
    message: str = ""
    failing_function: str = ""
    failing_line: int | None = None
    input: str = ""


Test.__test__ = False  # type: ignore[attr-defined]  # for pytest: no class of tests


class Failure(NamedTuple):
    """One thing that went wrong.

    Attributes:
        tool: who said so, such as ``pytest`` or ``gcc``; empty if nobody is known for it.
        language: the language the failing code is written in.
        error_type: the name of the exception, if there is one.
        code: the rule or error code, such as ``TS2322``, ``E0308`` or ``F401``.
        message: what was said, without place and code.
        frames: the stack, innermost last.
        location: the place named, for tools that name one.
        test: the test that failed, for test runners.
        causes: what led to it, nearest first, for chained exceptions.
        excerpt: the lines it was read from, bounded.
        severity: ``error``; ``ending`` for how a step of a build ended whose words nobody
            knows, such as a recipe of make; ``warning``; ``consequence`` for what only says that
            something else failed, such as make's ``Error 1``; ``hint`` for a guess of the
            fallback. What it is known by is another question: see ``basis``.

    """

    tool: str = ""
    language: str = ""
    error_type: str = ""
    code: str = ""
    message: str = ""
    frames: tuple[StackFrame, ...] = ()
    location: FailureLocation | None = None
    test: Test | None = None
    causes: tuple["Failure", ...] = ()
    excerpt: str = ""
    severity: str = "error"


class ParserResult(NamedTuple):
    """What a parser made of some lines: failures, and the lines it has used up.

    Attributes:
        failures: in order of appearance; none if the lines only are to be passed over.
        start: index of the first line used.
        end: index after the last line used.

    """

    failures: tuple[Failure, ...]
    start: int
    end: int


def bounded(frames: list[StackFrame]) -> tuple[StackFrame, ...]:
    """Keep both ends of a stack that is too deep."""
    if len(frames) <= MAX_FRAMES:
        return tuple(frames)
    outer = MAX_FRAMES // 3
    return (*frames[:outer], *frames[outer - MAX_FRAMES :])


def chain_of(failure: Failure) -> tuple[Failure, ...]:
    """Give what led to a failure, nearest first, bounded.

    Nothing of an exception out of a group: what else was raised in it is beside it, not before.
    """
    chain: list[Failure] = []
    rest = list(failure.causes)
    while rest and len(chain) < MOST_CAUSES:
        cause = rest.pop(0)
        if cause.error_type.endswith("ExceptionGroup"):
            return ()
        chain.append(cause)
        rest[:0] = cause.causes
    return tuple(chain)


def _cause_line(cause: Failure) -> str:
    first = cause.message.strip().partition("\n")[0]
    return f"{cause.error_type}: {first}".strip(": ")[:LONGEST_CAUSE]


def as_cause(line: str) -> Failure:
    """Read a cause as a record keeps it: its type, and the first line of its message."""
    kind, colon, message = line.partition(": ")
    typed = not any(map(str.isspace, kind)) and (colon or kind[:1].isupper() or "." in kind)
    return Failure(error_type=kind, message=message) if typed else Failure(message=line)


def as_fields(failure: Failure) -> dict[str, Any]:
    """Give the fields of an ``error`` record as plain data; what is empty is left out."""
    fields: dict[str, Any] = {
        "error_type": failure.error_type,
        "code": failure.code,
        "message": failure.message,
        "chain": [_cause_line(cause) for cause in chain_of(failure)],
        "tool": failure.tool,
        "language": failure.language,
        "location": _place(failure.location),
        "frames": [_plain(frame) for frame in failure.frames if frame.file],
        "test": _plain(failure.test) if failure.test else None,
        "excerpt": failure.excerpt,
    }
    return {name: value for name, value in fields.items() if value}


def _place(location: FailureLocation | None) -> dict[str, Any] | None:
    return _plain(location) if location and location.file else None


def _plain(part: StackFrame | FailureLocation | Test) -> dict[str, Any]:
    fields = part._asdict()
    for name in ("line", "column", "failing_line"):
        # Lines count from 1; some tools say 0 for "the whole file".
        if fields.get(name) is not None and fields[name] < 1:
            fields[name] = None
    return {name: value for name, value in fields.items() if value not in ("", None)}


LINES: Final = 48
WIDTH: Final = 320
_HEAD: Final = 16


def excerpt(lines: Sequence[str], start: int, end: int) -> str:
    """Quote the lines from ``start`` up to ``end``; of many both ends, of long ones the head."""
    end = min(end, len(lines))  # of an output that was cut
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    if end - start <= LINES:
        return "\n".join(_short(lines[at]) for at in range(start, end))
    tail = end - (LINES - _HEAD - 1)
    head = [_short(lines[at]) for at in range(start, start + _HEAD)]
    rest = [_short(lines[at]) for at in range(tail, end)]
    return "\n".join([*head, f"[… {tail - start - _HEAD} lines …]", *rest])


def _short(line: str) -> str:
    line = line.rstrip()
    return line if len(line) <= WIDTH else line[: WIDTH - 1] + "…"
