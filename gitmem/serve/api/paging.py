"""Cursors of lists: where a page ended, so that the next one goes on behind it.

A cursor holds the last record's id beside its place: where records were written or deleted since
then, the place has moved, and the id still tells it.
"""

from collections.abc import Sequence
from typing import Final

from gitmem.errors import UsageError

MOVED: Final = 100
"""So many records may have come or gone before a page; of more, the place alone counts."""
_SIGN: Final = "."


def cursor(offset: int, last: str) -> str:
    """Write where a page ended: how many records were given, and the id of the last of them."""
    return f"{offset}{_SIGN}{last}"


def place(written: str) -> tuple[int, str]:
    """Read a cursor; an empty one is the beginning.

    Raises:
        UsageError: it is none of ours.

    """
    if not written:
        return 0, ""
    number, sign, last = written.partition(_SIGN)
    if not (number.isascii() and number.isdecimal() and len(number) <= len(str(1 << 50)) and sign):
        raise UsageError(f"{written!r} is no cursor", "pass on what the page before gave as next")
    return int(number), last


def after(ids: Sequence[str], last: str, expected: int) -> int:
    """Find where a page begins among ids: behind the last one, or where it was expected."""
    return ids.index(last) + 1 if last in ids else expected
