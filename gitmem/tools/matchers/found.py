"""Files of matchers: found, read within bounds, and kept as long as they stay as they are."""

import errno
import os
import stat
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from gitmem.tools.matchers import MOST_FILES, RefusedMatcher
from gitmem.tools.matchers.dialect import RefusedPattern
from gitmem.tools.matchers.forms import Matcher, matcher, read_json, written_in
from gitmem.tools.matchers.reader import Matchers
from gitmem.worktree import read_file, real_path

MOST_BYTES: Final = 256 * 1024
MOST_MATCHERS: Final = 50
MOST_TOGETHER: Final = 20_000
"""Characters of the patterns of all files."""
_MOST_LOOKED_AT: Final = 4 * 2**20
_MOST_TOLD: Final = 3
"""Matchers of a file that are named when they are refused."""
_SIGN: Final = b'"regexp"'
"""Without it a file has no matcher: most files of JSON are about something else."""


class FoundMatchers(NamedTuple):
    """What a repository describes.

    Attributes:
        matchers: that are used, each with its file.
        refused: that are not, and why.

    """

    matchers: tuple[tuple[str, Matcher], ...] = ()
    refused: tuple[RefusedMatcher, ...] = ()

    def usable(self, root: str, folder: str) -> Matchers:
        """Give those that are used, for commands in a folder of the repository."""
        return Matchers(tuple(each for _, each in self.matchers), root, folder)


class _Opened(NamedTuple):
    """A file as it is now: what differs once it is changed, and where it lies."""

    name: str
    path: str
    stamp: tuple[int, ...]
    fault: str = ""


def found(root: str, names: Sequence[str], named: Sequence[str] = ()) -> FoundMatchers:
    """Find the matchers of a repository.

    Args:
        root: its folder.
        names: of the files that may hold some, relative to it.
        named: those of them that the settings name.

    """
    files = tuple(_opened(root, name, wanted=name in named) for name in names[:MOST_FILES])
    result = _read(root, files)
    if len(names) > MOST_FILES:
        line = RefusedMatcher(names[MOST_FILES], f"more than {MOST_FILES} files; it is not read")
        return result._replace(refused=(*result.refused, line))
    return result


def _opened(root: str, name: str, *, wanted: bool) -> _Opened:
    """Look at a file without reading it: it must lie in the repository."""
    try:
        path = real_path(root, name)
        state = os.stat(path)
    except OSError as error:
        outside = error.errno == errno.ELOOP
        reason = "leads out of the repository" if outside else "is not there, or can't be read"
        return _Opened(name, "", (), reason if wanted or outside else "")
    stamp = (state.st_mtime_ns, state.st_size, state.st_ino)
    return _Opened(name, path, stamp, "" if stat.S_ISREG(state.st_mode) else "is no file")


@lru_cache(maxsize=8)
def _read(root: str, files: tuple[_Opened, ...]) -> FoundMatchers:
    matchers: list[tuple[str, Matcher]] = []
    refused: list[RefusedMatcher] = []
    room = MOST_TOGETHER
    for file in files:
        fault, own = file.fault, None
        if not fault and file.stamp:
            try:
                own = _text_of(root, file.path)
            except (OSError, ValueError) as error:
                fault = str(error) if isinstance(error, ValueError) else "can't be read"
        if own is not None:
            used, faults, room = _matchers_in(own, room, MOST_MATCHERS - len(matchers))
            matchers += ((file.name, each) for each in used)
            refused += (RefusedMatcher(file.name, reason) for reason in faults)
        elif fault:
            refused.append(RefusedMatcher(file.name, fault))
    return FoundMatchers(tuple(matchers), tuple(refused))


def _text_of(root: str, path: str) -> str | None:
    """Read a file; None: it has no matcher."""
    data = read_file(root, path, _MOST_LOOKED_AT)
    if _SIGN not in data:
        return None
    if len(data) > MOST_BYTES:
        raise ValueError(f"is larger than {MOST_BYTES // 1024} KiB")
    return data.decode("utf-8-sig", errors="replace")


def _matchers_in(text: str, room: int, places: int) -> tuple[list[Matcher], list[str], int]:
    """Read a file's text: matchers, faults, and how many characters may still come."""
    try:
        written = list(written_in(read_json(text)))
    except (ValueError, RecursionError):
        return [], ["can't be read as JSON"], room
    if len(written) > places:
        return [], [f"more than {MOST_MATCHERS} matchers; all of this file are ignored"], room
    matchers: list[Matcher] = []
    faults: list[str] = []
    for each in written:
        try:
            matcher_of_file = matcher(each) if room > 0 else None
        except RefusedPattern as reason:
            faults.append(f"matcher {each.name[:60]!r} {reason}")
            continue
        finally:
            room -= len(repr(each.given)[:MOST_TOGETHER])
        if matcher_of_file:
            matchers.append(matcher_of_file)
        else:
            faults.append(f"matcher {each.name[:60]!r}: the patterns before it are too much text")
    if len(faults) > _MOST_TOLD:
        more = len(faults) - _MOST_TOLD + 1
        faults[_MOST_TOLD - 1 :] = [f"{more} more matchers are ignored, such as {faults[-1]}"]
    return matchers, faults, room
