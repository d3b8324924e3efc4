"""The history as a stream: messages of many commits from one git process, then their patches.

Messages are read first, because they are cheap (100,000 in a second); patches are read only of
the commits that somebody picked by their messages. Nothing is checked out or fetched.
"""

import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import IO, Final, NamedTuple

from gitmem.git.command import git, stream
from gitmem.git.git_dirs import GitDirs

_FIELDS: Final = ("%H", "%P", "%an", "%ae", "%at", "%B")
_FORM: Final = "--format=tformat:" + "%x00".join(_FIELDS) + "%x00"
_PIECE: Final = 1 << 20
# Settings of the user's that would start a program or add text; and no fetching, which this git
# may not know how to be told otherwise.
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class AuthoredCommit(NamedTuple):
    """A commit as its author wrote it.

    Attributes:
        id: its whole id.
        parents: ids of its parents.
        name: the author's name; the committer's is not asked for.
        email: the author's e-mail.
        at: when the author wrote it (UTC): a rebase leaves that as it is.
        message: the whole message, in UTF-8 whatever it was written in.
        cut_off: this clone is shallow and ends here: what it changed can't be told.

    """

    id: str
    parents: tuple[str, ...]
    name: str
    email: str
    at: datetime
    message: str
    cut_off: bool = False


def commits(
    git_dirs: GitDirs,
    tip: str,
    *,
    most: int,
    since: str = "",
    first_parent: bool = False,
    folder: str = "",
) -> Iterator[AuthoredCommit]:
    """Give the commits that a commit builds on, it included, newest first.

    Args:
        git_dirs: the repository.
        tip: the commit's id.
        most: no more than so many.
        since: none that was committed before this moment (RFC 3339); empty: all.
        first_parent: of a merge only the side that was merged into.
        folder: only those that change something below it, relative to the work tree's top.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    options = [f"--max-count={most}", *([f"--since={since}"] if since else [])]
    options += ["--first-parent"] if first_parent else []
    where = ["--", f":(top,literal){folder}"] if folder else ["--"]
    yield from _logged(git_dirs, [*options, tip, *where])


def commits_named(git_dirs: GitDirs, names: Sequence[str]) -> list[AuthoredCommit]:
    """Give the commits of these ids, or of beginnings of ids; those that are not here left out.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    stdin = "\n".join(f"{name}^{{commit}}" for name in names).encode()
    commits = []
    with stream(
        git_dirs.root, ["cat-file", "--batch-check=%(objectname) %(objecttype)"], stdin
    ) as out:
        for line in out:
            words = line.split()
            if words[1:] == [b"commit"]:
                commits.append(words[0].decode())
    if not commits:
        return []
    return list(_logged(git_dirs, ["--no-walk=unsorted", "--stdin"], "\n".join(commits).encode()))


def deleted_below(git_dirs: GitDirs, tip: str, folder: str) -> set[str]:
    """Give the paths below a folder that some commit before ``tip`` deleted, from the top.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    options = ("--diff-filter=D", "--no-renames", "--name-only", "--format=", "-z")
    output = git(git_dirs.root, "log", *options, tip, "--", f":(top,literal){folder}")
    return {os.fsdecode(path) for path in output.split(b"\0") if path}


def _logged(
    git_dirs: GitDirs, options: Sequence[str], stdin: bytes = b""
) -> Iterator[AuthoredCommit]:
    ends = _shallow_ends(git_dirs)
    plain = ("--no-color", "--no-notes", "--encoding=UTF-8", "--no-patch")
    with stream(git_dirs.root, ["log", *plain, _FORM, *options], stdin) as out:
        for fields in _records(out):
            commit, parents, name, email, at, message = (
                field.decode(errors="replace") for field in fields
            )
            commit = commit.lstrip("\n")
            yield AuthoredCommit(
                commit, tuple(parents.split()), name, email, _moment(at), message, commit in ends
            )


def _records(out: IO[bytes]) -> Iterator[list[bytes]]:
    rest: list[bytes] = [b""]
    while piece := out.read(_PIECE):
        parts = piece.split(b"\0")
        rest[-1] += parts[0]
        rest += parts[1:]
        whole = (len(rest) - 1) // len(_FIELDS) * len(_FIELDS)
        for at in range(0, whole, len(_FIELDS)):
            yield rest[at : at + len(_FIELDS)]
        rest = rest[whole:]


def _moment(text: str) -> datetime:
    """Read seconds since 1970; a commit made by hand may say anything."""
    try:
        return _EPOCH + timedelta(seconds=int(text))
    except (ValueError, OverflowError):
        return _EPOCH


def _shallow_ends(git_dirs: GitDirs) -> frozenset[str]:
    try:
        with open(os.path.join(git_dirs.common_dir, "shallow"), encoding="ascii") as file:
            return frozenset(file.read().split())
    except (FileNotFoundError, UnicodeDecodeError):
        return frozenset()


def is_shallow(git_dirs: GitDirs) -> bool:
    """Tell whether older commits are missing in this clone."""
    return bool(_shallow_ends(git_dirs))
