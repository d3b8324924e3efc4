"""What stands in a snapshot for a file that is not taken into it: a mark that changes as it does.

Large files, and those that can't be read (locked by another program, their path too long for the
system), are in no snapshot. Without a mark two work trees that differ in one of them would be the
same, and a failure that its edit ended would have gone by itself.
"""

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterable
from typing import Final

from gitmem.errors import EnvironmentProblem
from gitmem.git.command import git
from gitmem.worktree import read_file

_MOST_READ: Final = 64 * 1024 * 1024
"""Bytes of a file whose contents are looked at; of a larger one size and time tell."""
_MODE: Final = b"100644"


def stand_in(root: str, index: str, paths: Iterable[bytes]) -> None:
    """Let a mark stand for each of the files in an index.

    A file that is gone is left as it stands there.

    Args:
        root: the work tree's top.
        index: the index.
        paths: names of files, from the top.

    Raises:
        EnvironmentProblem: git fails.

    """
    entries = []
    for path in sorted(paths):
        mark = _mark(root, path)
        if mark:
            blob = git(root, "hash-object", "-w", "--stdin", stdin=mark).strip()
            entries.append(b"%s %s\t%s\0" % (_MODE, blob, path))
    _write(root, index, entries)


def _write(root: str, index: str, entries: Iterable[bytes]) -> None:
    if stdin := b"".join(entries):
        git(root, "update-index", "-z", "--index-info", index=index, stdin=stdin)


def take_itself(root: str, index: str, paths: Iterable[bytes], *, filters: bool) -> set[bytes]:
    """Take files into an index that git can't open and we can: their path is too long for it.

    Args:
        root: the work tree's top.
        index: the index.
        paths: names of files in it, from the top.
        filters: run clean filters; where they fail nothing is taken.

    Returns:
        Those that were taken.

    Raises:
        EnvironmentProblem: git fails.

    """
    specs = [f":(top,literal){os.fsdecode(path)}" for path in paths]
    listed = git(root, "ls-files", "-z", "--stage", "--", *specs, index=index) if specs else b""
    entries: dict[bytes, bytes] = {}
    for entry in listed.split(b"\0")[:-1]:
        about, _, path = entry.partition(b"\t")
        name = os.fsdecode(path)
        with contextlib.suppress(OSError, EnvironmentProblem):
            hashing = ("hash-object", "-w", "--stdin", f"--path={name}")
            content = read_file(root, name, _MOST_READ)
            blob = git(root, *hashing, stdin=content, filters=filters).strip()
            entries[path] = b"%s %s\t%s\0" % (about.split()[0], blob, path)
    _write(root, index, entries.values())
    return set(entries)


def not_taken(root: str, index: str, specs: Iterable[str]) -> set[bytes]:
    """Name the files of an index's work tree that differ from it, or are not in it, still.

    Raises:
        EnvironmentProblem: git fails.

    """
    options = ("ls-files", "-z", "--modified", "--others", "--exclude-standard", "--")
    return set(git(root, *options, *specs, index=index).split(b"\0")) - {b""}


def _mark(root: str, path: bytes) -> bytes:
    """Give what tells one state of a file from another, as contents that are no text."""
    name = os.fsdecode(path)
    try:
        status = os.lstat(os.path.join(root, name))
    except OSError:
        return b""
    state = str(status.st_mtime_ns)
    if stat.S_ISREG(status.st_mode) and status.st_size <= _MOST_READ:
        with contextlib.suppress(OSError):  # where it can't be read its times tell
            content = read_file(root, name, _MOST_READ)
            state = hashlib.blake2b(content, digest_size=16).hexdigest()
    return b"\0not in this snapshot: %d bytes, %s\n" % (status.st_size, state.encode())
