"""The answer that was shown last: which records, in which order, and for which failure.

Who opens a record passed over those above it: it looked better than they did. Opening the first
one says nothing, so no record rises only because it stood first. The answer is one small file in
the folder for derived state, which the next answer replaces: a line with time and fingerprint,
then a line of ids for each hit.
"""

import contextlib
import os
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

_FILE: Final = "shown-answer"
_MOST: Final = 20
"""Hits of one answer that are noted."""
_SECONDS: Final = 3600.0
"""What is opened later was not opened because of the answer."""


class ShownAnswer(NamedTuple):
    """One answer.

    Attributes:
        at: when, in seconds since 1970.
        site: fingerprint of the failure that was asked for; empty: none was.
        hits: for each hit, best first, its id and those of the records shown with it.

    """

    at: float
    site: str
    hits: tuple[tuple[str, ...], ...]

    def was_preferred(self, record: str, now: float) -> bool:
        """Tell whether opening a record at a time says that it looked better than others."""
        if not 0 <= now - self.at <= _SECONDS:
            return False
        places = [at for at, ids in enumerate(self.hits) if record in ids]
        return bool(places) and places[0] > 0


def note(folder: str, at: float, site: str, hits: Iterable[Sequence[str]]) -> None:
    """Note an answer in place of the one before.

    Where the disk takes nothing, it is not noted: an answer never fails for that.
    """
    lines = [f"{at} {site}", *(" ".join(ids) for ids in hits)]
    data = "\n".join(lines[: _MOST + 1])
    path = os.path.join(folder, _FILE)
    temporary = f"{path}.{os.getpid()}"
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        with open(temporary, "w", encoding="utf-8") as file:
            file.write(data)
        os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(temporary)


def last(folder: str | None) -> ShownAnswer | None:
    """Give the answer that was noted last; None if there is none that can be read."""
    if folder is None:
        return None
    try:
        with open(os.path.join(folder, _FILE), encoding="utf-8") as file:
            head, *lines = file.read().split("\n")
        at, _, site = head.partition(" ")
        return ShownAnswer(float(at), site, tuple(tuple(line.split()) for line in lines))
    except (OSError, ValueError):
        return None
