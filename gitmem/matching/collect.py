"""Put failures together: each once, in order, no more than asked for, guesses only if needed."""

from typing import Final

from gitmem.matching.failure import Failure
from gitmem.matching.frames import marked

MOST: Final = 200
_NO_CAUSE: Final = ("consequence", "hint")
Key = tuple[object, ...]


class Collection:
    """The failures of one output.

    Args:
        most: how many are kept; the rest is counted in ``more``.

    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: list[tuple[int, Failure]] = []
        self._known: dict[Key, int] = {}
        self._certain = 0
        self.more = 0

    @property
    def full(self) -> bool:
        """Tell whether looking closely at more lines is still worth it."""
        return self._certain >= self._most

    def add(self, line: int, failure: Failure) -> None:
        """Take a failure that starts at a line, unless it is here already."""
        failure = _finished(failure)
        keys = _keys(failure)
        for key in keys:
            at = self._known.get(key)
            if at is not None:
                self._kept[at] = (self._kept[at][0], _merged(self._kept[at][1], failure))
                return
        if len(self._kept) >= self._most * 2 or (self.full and failure.severity == "error"):
            self.more += 1
            return
        for key in keys:
            self._known[key] = len(self._kept)
        self._kept.append((line, failure))
        self._certain += failure.severity not in _NO_CAUSE

    def result(self) -> list[Failure]:
        """Give the failures in order; consequences and guesses only if nothing else is known."""
        found = [item for _, item in sorted(self._kept, key=lambda kept: kept[0])]
        for wanted in ("error", "warning", "consequence", "hint"):
            best = [item for item in found if item.severity == wanted]
            if best:
                self.more += max(0, len(best) - self._most)
                return best[: self._most]
        return []


def _finished(failure: Failure) -> Failure:
    return failure._replace(
        message=failure.message.strip(),
        frames=marked(failure.frames, failure.language),
        causes=tuple(map(_finished, failure.causes)),
    )


def _keys(failure: Failure) -> list[Key]:
    """Give what makes two reports of one output the same."""
    if failure.test and failure.test.name:
        return [(failure.tool, "test", _tail(failure.test.name))]
    place = failure.location
    where = (place.file, place.line, place.column) if place else ()
    last = failure.frames[-3:]
    stack = tuple((frame.file, frame.function, frame.line) for frame in last)
    return [(failure.error_type, failure.code, failure.message, where, stack)]


def _tail(name: str) -> str:
    """Give a test's name without its file: runners name it with and without."""
    head, _, params = name.partition("[")
    parts = [part for part in head.replace(" › ", "::").replace(" > ", "::").split("::") if part]
    if len(parts) > 1 and ("/" in parts[0] or parts[0].endswith((".py", ".ts", ".js"))):
        parts = parts[1:]
    joined = ".".join(parts)
    return f"{joined}[{params}" if params else joined


def _merged(first: Failure, again: Failure) -> Failure:
    """Take what the second report knows better: the whole name of the test, a type."""
    if first.test and again.test and len(again.test.name) > len(first.test.name):
        first = first._replace(test=first.test._replace(name=again.test.name))
    if not first.error_type and again.error_type:
        first = first._replace(error_type=again.error_type)
    if not first.message and again.message:
        first = first._replace(message=again.message)
    if not first.frames and again.frames:
        first = first._replace(frames=again.frames)
    if first.location is None and again.location:
        first = first._replace(location=again.location)
    return first
