"""Titles above an error: Mocha numbers a failing test, tape heads the points of each."""

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.output.failure import Failure, FailureLocation, Test
from gitmem.tools.common.frames import foreign

_NUMBERED: Final = lazily(r" {2,4}\d+\) (?P<title>\S.*?):?$")
_MOST_TITLES: Final = 12
_DIFFERENCE: Final = "+ expected - actual"
_MOST_COMPARED: Final = 100
_HEAD: Final = lazily(r"# (?!Subtest: )(?P<name>\S.*)$")
# Other writers of TAP put a dash before a point's name, and no titles above.
_POINT: Final = lazily(r"(?:not )?ok \d+(?: (?!- ).*)?$")
_MOST_ABOVE: Final = 5_000


def of_mocha(lines: Sequence[str], start: int, floor: int, failure: Failure) -> Failure:
    """Give a failure its test, where Mocha numbers it and writes its titles above."""
    titles: list[str] = []
    for near in range(start - 1, max(floor, start - _MOST_TITLES) - 1, -1):
        text = lines[near].strip()
        if head := _NUMBERED.match(lines[near]):
            name = " \u203a ".join([head["title"], *titles])
            place = own_place(failure)
            line = place.line if place else None
            message = failure.message.partition("\n")[0][:1_000]
            expected, actual = _differing(lines, start) if message.endswith(":") else ("", "")
            test = Test(name, "failed", expected, actual, message, failing_line=line)
            return failure._replace(test=test, location=failure.location or place)
        if not text:
            if titles:
                break
            continue
        if not titles and not text.endswith(":"):
            break
        titles.insert(0, text.removesuffix(":"))
    return failure


def _differing(lines: Sequence[str], start: int) -> tuple[str, str]:
    """Give what Mocha shows of both values: the lines that only one of them has."""
    shown = [line.strip() for line in lines[start : start + _MOST_COMPARED]]
    at = shown.index(_DIFFERENCE) + 1 if _DIFFERENCE in shown else len(shown)
    below = list(takewhile(lambda line: not line.startswith("at "), shown[at:]))
    both = ([line[1:].strip() for line in below if line.startswith(sign)] for sign in "+-")
    expected, actual = ("\n".join(only)[:1_000] for only in both)
    return expected, actual


def own_place(failure: Failure) -> FailureLocation | None:
    """Give the innermost place of the project's own code in a stack."""
    own = [frame for frame in failure.frames if not foreign(frame, "javascript")]
    return FailureLocation(own[-1].file, own[-1].line) if own else None


def title_above(lines: Sequence[str], at: int) -> str:
    """Give the title that stands above a line; empty if there is none."""
    for near in range(at - 1, max(0, at - _MOST_ABOVE) - 1, -1):
        if head := _HEAD.match(lines[near]):
            return head["name"]
    return ""


def of_tape(lines: Sequence[str], start: int, failure: Failure) -> Failure:
    """Give an uncaught error the test that it ended, where tape's points stand right above."""
    if failure.test or start < 1:
        return failure
    if not _POINT.match(lines[start - 1]) and not _HEAD.match(lines[start - 1]):
        return failure
    name = title_above(lines, start)
    if not name:
        return failure
    place = own_place(failure)
    test = Test(
        name=name,
        message=failure.message.partition("\n")[0][:1_000],
        failing_line=place.line if place else None,
    )
    return failure._replace(test=test)
