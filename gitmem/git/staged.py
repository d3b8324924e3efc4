"""What the next commit will hold: files as they are staged, and trailers of its message."""

import os
from collections.abc import Sequence
from contextlib import closing
from typing import Final, NamedTuple

from gitmem.git.command import git
from gitmem.git.objects import Objects
from gitmem.git.places import Places

_ADDED: Final = b"A"
_GONE: Final = b"D"
_PLAIN: Final = (b"100644", b"100755")
_MOST_BYTES: Final = 8 << 20


class Staged(NamedTuple):
    """A file that is staged.

    Attributes:
        path: relative to the work tree's top.
        new: no commit has had it.
        content: what is staged; None where that is no plain file, or too large.

    """

    path: str
    new: bool
    content: bytes | None


def staged(places: Places, pathspec: str, index: str | None = None) -> list[Staged]:
    """List staged files that differ from the commit that is checked out; deleted ones are not.

    Args:
        places: the repository.
        pathspec: which files.
        index: git's index file if it is another than the work tree's own, as in a hook of
            ``git commit FILE``.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    base = git(places.root, "rev-parse", "--verify", "--quiet", "HEAD^{tree}", ok=(0, 1))
    against = base.decode().strip() or git(places.root, "mktree").decode().strip()
    full = os.path.join(places.root, index) if index else None
    said = git(
        places.root, "diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev",
        against, "--", pathspec, index=full,
    ).split(b"\0")  # fmt: skip
    found = []
    with closing(Objects(places)) as objects:
        for head, path in zip(said[0::2], said[1::2], strict=False):
            _, mode, _, name, how = head.split()
            if how.startswith(_GONE):
                continue
            read = objects.read(name.decode(), _MOST_BYTES) if mode in _PLAIN else None
            content = read[0] if read and read[1] <= _MOST_BYTES else None
            found.append(Staged(os.fsdecode(path), how.startswith(_ADDED), content))
    return found


def add_trailers(places: Places, message_file: str, trailers: Sequence[str]) -> None:
    """Add trailers to a commit message; those that it has are not added again.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    options = [part for one in trailers for part in ("--trailer", one)]
    if options:
        git(
            places.root, "interpret-trailers", "--in-place", "--if-exists=addIfDifferent",
            *options, os.path.abspath(message_file),
        )  # fmt: skip
