"""tape: a test is the title above its points, and an uncaught error ends the run within one."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.matching.failure import Failure, Test
from gitmem.matching.outcomes.tap import POINT
from gitmem.matching.parsers.mocha import own_place

_TITLE: Final = re.compile(r"# (?!Subtest: )(?P<name>\S.*)$")
_MOST_ABOVE: Final = 5_000


def title_above(lines: Sequence[str], at: int) -> str:
    """Give the title that stands above a line; empty if there is none."""
    for near in range(at - 1, max(0, at - _MOST_ABOVE) - 1, -1):
        if head := _TITLE.match(lines[near]):
            return head["name"]
    return ""


def of_tape(lines: Sequence[str], start: int, failure: Failure) -> Failure:
    """Give an uncaught error the test that it ended, where tape's points stand right above."""
    if failure.test or start < 1:
        return failure
    above = lines[start - 1]
    point = POINT.match(above)
    # Other writers of TAP put a dash before a point's name, and no titles above.
    if not (point and not point["indent"] and not point["dash"]) and not _TITLE.match(above):
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
