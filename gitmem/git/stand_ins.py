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
    if entries:
        git(root, "update-index", "-z", "--index-info", index=index, stdin=b"".join(entries))


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
