"""Errors of a runtime with the place where they were raised: beside the type, or below. Pure."""

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.matching.harmless import is_step
from gitmem.matching.lines_below import message_below
from gitmem.matching.places import at_end, at_head, within
from gitmem.output.failure import MAX_MESSAGE, Failure, FailureLocation, ParserResult, excerpt
from gitmem.tools.common.closing import is_closing

_THROWN_AT: Final = lazily(
    r"\s*(?:raised (?P<raised>[A-Z][A-Z0-9_.]{2,80}) : "
    r"|(?P<type>(?:\w{1,60}\.){0,6}[A-Z]\w{1,80}(?:Error|Exception|Failure))@(?=\S+[(:]\d))"
)
"""A type before the place where it was raised, as the runtimes of Ada and D write it."""
_PLACED_BEHIND: Final = lazily(
    r"(?P<type>[A-Z]\w{1,80}(?:Error|Exception)) (?:at|in) (?=\S+:\d{1,7}: \S)"
)
"""The type of an error, its place, and behind it what was said."""
RAISED_IN: Final = lazily(
    r"(?P<type>(?:\w{1,60}\.){0,6}[A-Z]\w{1,80}(?:Error|Exception)) (?:in|at) [^:]{1,300}:\s*$"
)
"""The type of an error and where it was raised; what was said stands below."""
PREPOSITION: Final = lazily(r",? (?:in|at|on) |,? \((?:\S)")
_MOST_RAISED: Final = 6
_SOLVED: Final = lazily(
    r"\(error \"(?:line (?P<line>\d{1,7}) column (?P<column>\d{1,5}): )?(?P<said>.{2,1000})\"\)$"
)
"""An error as SMT-LIB writes it."""
_LINED: Final = lazily(
    r"(?i:error): [Ll]ine (?P<line>\d{1,7}),? [Cc]ol(?:umn)? (?P<column>\d{1,5}): (?P<said>\S.*)$"
)
"""A line of a file that is named before all errors."""


def raised_below(lines: Sequence[str], at: int, raised: re.Match[str]) -> ParserResult | None:
    """Read what stands below the type of an error and its place."""
    below = message_below(lines, at, "").split("\n")
    message = "\n".join(takewhile(lambda line: not is_step(line), below))
    if not message or is_closing(message) or RAISED_IN.match(message):
        return None
    failure = Failure(
        error_type=raised["type"],
        message=message,
        location=within(lines[at]),
        excerpt=excerpt(lines, at, min(len(lines), at + 1 + _MOST_RAISED)),
    )
    return ParserResult((failure,), at, at + 1 + message.count("\n") + 1)


def thrown_at(lines: Sequence[str], at: int, text: str, line: str) -> ParserResult | None:
    """Read what a runtime says behind the type of an error, with the place on one side of it.

    Args:
        lines: of the output.
        at: which of them.
        text: what stands in it behind the word for how bad it is.
        line: all of it, without its time.

    """
    thrown = _PLACED_BEHIND.match(text)
    if thrown is None:
        text, thrown = line, _THROWN_AT.match(line)
    message = text[thrown.end() :].strip() if thrown else ""
    if thrown is None or not message:
        return None
    kind = thrown["type"] or thrown["raised"]
    shown = excerpt(lines, max(0, at - 1), min(len(lines), at + 3))
    failure = Failure(error_type=kind, message=message[:MAX_MESSAGE], excerpt=shown)
    return ParserResult((with_place(failure),), at, at + 1)


def with_place(failure: Failure) -> Failure:
    """Part the place that a message begins or ends with from what is said."""
    message = failure.message
    if begun := at_head(message):
        failure = failure._replace(message=begun.rest, location=begun.location)
    first, below = message.partition("\n")[0], message.partition("\n")[1:]
    ended = at_end(first)
    if ended and PREPOSITION.match(message, len(ended.rest)):
        return failure._replace(message="".join([ended.rest, *below]), location=ended.location)
    return failure if failure.location else failure._replace(location=within(message))


def of_script(lines: Sequence[str], at: int) -> ParserResult | None:
    """Read an error with a line of the file or script that a tool was handed, and not its name."""
    solved = _SOLVED.match(lines[at]) or _LINED.match(lines[at])
    if solved is None:
        return None
    placed, number = at_head(solved["said"]), solved["line"]
    place = FailureLocation("", int(number), int(solved["column"])) if number else None
    failure = Failure(
        message=placed.rest if placed else solved["said"],
        location=placed.location if placed else place,
        excerpt=excerpt(lines, at, at + 1),
    )
    return ParserResult((failure,), at, at + 1)
