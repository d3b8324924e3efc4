"""Mocha: a failing test has a number, and its titles stand above its error."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.matching.failure import Failure, FailureLocation, Test
from gitmem.matching.frames import foreign

_NUMBERED: Final = re.compile(r" {2,4}\d+\) (?P<title>\S.*?):?$")
_MOST_TITLES: Final = 12


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
            test = Test(name=name, message=message, failing_line=line)
            return failure._replace(test=test, location=failure.location or place)
        if not text:
            if titles:
                break
            continue
        if not titles and not text.endswith(":"):
            break
        titles.insert(0, text.removesuffix(":"))
    return failure


def own_place(failure: Failure) -> FailureLocation | None:
    """Give the innermost place of the project's own code in a stack."""
    own = [frame for frame in failure.frames if not foreign(frame, "javascript")]
    return FailureLocation(own[-1].file, own[-1].line) if own else None
