"""Which of several files with one id git brought first, also where it was moved since."""

import os
from collections.abc import Collection, Iterator
from typing import Final

from gitmem.errors import EnvironmentProblem
from gitmem.git.commit_cache import log
from gitmem.git.git_dirs import GitDirs
from gitmem.git.state import same_head
from gitmem.records.layout import id_in

_OPTIONS: Final = (
    # A branch that was merged came with the merge: when its own commits were made, it says itself.
    "--first-parent",
    "-m",
    "--diff-filter=AD",
    "--no-renames",
    "--name-status",
    "-z",
    "--format=%x01",
)
_MOST_NAMED: Final = 20
"""Files that git looks for by name; of more, all that came is read, sooner."""
_SECONDS: Final = 5.0


def tip(git_dirs: GitDirs) -> str:
    """Give the commit that the order follows from; empty: there is none, or git can't tell."""
    try:
        return same_head(git_dirs)
    except EnvironmentProblem:
        return ""


def places(git_dirs: GitDirs, folder: str, paths: Collection[str]) -> dict[str, int]:
    """Give a number for each of some files of a memory, smaller for what came sooner.

    What is in no commit is left out, and everything where git can't tell.

    Args:
        git_dirs: the repository.
        folder: of the memory, relative to the work tree's top.
        paths: relative to that folder.

    """
    names = {f"{folder}/{path}": path for path in paths}
    ids = {record for name in names if (record := id_in(name))}
    where = [f":(top,literal){name}" for name in names]
    where += [f":(top,glob)**/*{record}*" for record in ids]
    if len(names) > _MOST_NAMED:
        where = [f":(top,literal){folder}"]
    try:
        newest = tip(git_dirs)
        where.sort()
        output = log(git_dirs, newest, _OPTIONS, tuple(where), _SECONDS) if newest else b""
    except EnvironmentProblem:
        return {}
    came: dict[str, int] = {}
    deleted: set[str] = set()
    for place, (added, gone) in enumerate(reversed([*_read(output)]), 1):
        # What only moved came when it did under its name of before.
        moved = {id_in(name): came.get(name, place) for name in gone}
        for name in added:
            came[name] = min(moved.get(id_in(name), place), came.get(name, place))
        deleted = (deleted | {*gone}).difference(added)
    # A record that was moved without a commit is still there under its name of before.
    left = {id_in(name): came[name] for name in came.keys() - names.keys() - deleted}
    for name in names:
        if name not in came and id_in(name) in left:
            came[name] = left[id_in(name)]
    return {path: came[name] for name, path in names.items() if name in came}


def _read(output: bytes) -> Iterator[tuple[list[str], list[str]]]:
    """Give for each commit, the newest first, which files it added and which it took away."""
    for part in output.split(b"\x01")[1:]:
        words = part.lstrip(b"\0\n").split(b"\0")
        sides: dict[bytes, list[str]] = {b"A": [], b"D": []}
        for how, path in zip(words[::2], words[1::2], strict=False):
            sides.setdefault(how, []).append(os.fsdecode(path))
        yield sides[b"A"], sides[b"D"]
