"""Which commit introduced each line of a file, through renames, moves and copies."""

import os
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs
from gitmem.git.provenance import boundary
from gitmem.records.layout import id_in
from gitmem.system import relative_path

_HEAD: Final = re.compile(rb"([0-9a-f]{40,64}) (\d+) (\d+)(?: \d+)?")
_ESCAPED: Final = re.compile(rb'\\([0-7]{3}|[abtnvfr"\\])')
_ESCAPES: Final = dict(zip(b'abtnvfr"\\', b'\a\b\t\n\v\f\r"\\', strict=True))


class Blamed(NamedTuple):
    """Where a line comes from.

    Attributes:
        number: of the line, from 1.
        commit: id of the commit that brought it; empty: it is in none, or that is not known.
        path: the file in that commit, relative to the work tree's top.
        line: its number there.
        known: false where a shallow clone begins: any older commit may have brought it.

    """

    number: int
    commit: str
    path: str
    line: int
    known: bool = True


def blame(git_dirs: GitDirs, path: str, revision: str = "") -> list[Blamed]:
    """Find the commit of each line of a file as it is in the work tree.

    Args:
        git_dirs: the repository.
        path: the file, relative to the work tree's top.
        revision: as the file is there; empty: in the work tree.

    Raises:
        EnvironmentProblem: git is missing or refuses, as for a file that it does not track.

    """
    tip = [revision] if revision else []
    output = git(git_dirs.root, "blame", "-M", "-C", "--porcelain", *tip, "--", path)
    oldest = boundary(git_dirs)
    names: dict[str, str] = {}
    lines: list[Blamed] = []
    commit, line, number, name = "", 0, 0, path
    for row in output.split(b"\n"):
        if row.startswith(b"\t"):
            real = commit.strip("0")
            is_dated = commit not in oldest
            there = commit if real and is_dated else ""
            lines.append(Blamed(number, there, names.get(commit, name), line, is_dated))
        elif head := _HEAD.fullmatch(row):
            commit = head[1].decode()
            line, number = int(head[2]), int(head[3])
        elif row.startswith(b"filename "):
            names[commit] = os.fsdecode(_unquoted(row[9:]))
    return lines


def _unquoted(name: bytes) -> bytes:
    if not (name.startswith(b'"') and name.endswith(b'"') and len(name) > 1):
        return name
    return _ESCAPED.sub(_byte, name[1:-1])


def _byte(match: re.Match[bytes]) -> bytes:
    code = match[1]
    return bytes([_ESCAPES[code[0]]]) if len(code) == 1 else bytes([int(code, 8) & 0xFF])


def added_by(git_dirs: GitDirs, commits: Sequence[str], folder: str) -> dict[str, list[str]]:
    """Give the files that commits added below a folder, relative to it, by commit.

    Of a merge only what none of the merged sides had. A record whose file was only moved is none.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    if not commits:
        return {}
    options = ("log", "--no-walk=unsorted", "-z", "-c", "--no-renames", "--name-status")
    output = git(
        git_dirs.root, *options, "--format=%x01%H", *commits, "--", f":(top,literal){folder}"
    )
    added = {}
    for part in output.split(b"\x01")[1:]:
        commit, _, rest = part.partition(b"\0")
        words = rest.lstrip(b"\n").split(b"\0")
        # Of a merge there is a letter for each side.
        files = [
            ({*how.decode()}, relative_path(os.fsdecode(name), folder))
            for how, name in zip(words[::2], words[1::2], strict=False)
        ]
        moved = {id_in(path) for how, path in files if how == {"D"}} - {None}
        added[commit.decode()] = [
            path for how, path in files if how == {"A"} and id_in(path) not in moved
        ]
    return added
