"""Short lists of faults whose lines all bear something before their places.

Where a list is flat, and no line of it holds a word of trouble, nothing else tells what somebody
put before the lines: what is left behind it has to be a list.
"""

from collections.abc import Sequence
from typing import Final

from gitmem.matching.fault_lists import Fault, faults
from gitmem.matching.shared_heads import without_heads
from gitmem.matching.tested_faults import with_tests

_MOST: Final = 24
"""Lines of an output of which it is tried; others are compared with one another."""


def listed_faults(lines: Sequence[str], plain: Sequence[str] | None = None) -> list[Fault]:
    """Give the faults that an output lists, those of tests with their names.

    Args:
        lines: of the output.
        plain: the same without what surely stands before them; None: nothing does.

    """
    plain = plain or lines
    return with_tests(faults(plain), plain) or _headed_faults(lines)


def _headed_faults(lines: Sequence[str]) -> list[Fault]:
    """Give the faults that a short output lists behind one head; none if it does not."""
    first = next((at for at, line in enumerate(lines) if line.strip()), None)
    if first is None or len(lines) > _MOST:
        return []
    for bare in without_heads(lines, first):
        listed = faults(bare)
        if listed and all(bare[each.start] != lines[each.start] for each in listed):
            return listed
    return []
