"""What lies between two commits that were checked out one after the other: mine, and the rest."""

import os
from typing import Final, NamedTuple

from gitmem.errors import EnvironmentProblem
from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs
from gitmem.git.state import log_of_head

_MOST_COMMITS: Final = 500
_MADE: Final = (b"commit", b"cherry-pick", b"revert", b"rebase", b"am")
_ONLY_GONE_TO: Final = (b"rebase (start)", b"rebase (finish)", b"rebase (abort)")
_CHECKED_OUT: Final = b"checkout: moving from "


class HeadMove(NamedTuple):
    """How one checked-out commit became another one.

    Attributes:
        mine: the paths of each commit that was made here meanwhile.
        brought: paths of commits that came from elsewhere.
        left: paths of commits that are not there any more, or were made anew.
        fork: the newest commit that both have; empty if there is none.
        switched: another branch was checked out.

    """

    mine: tuple[frozenset[str], ...]
    brought: frozenset[str]
    left: frozenset[str]
    fork: str
    switched: bool


def head_move(
    git_dirs: GitDirs, before: str, after: str, since: float, email: str
) -> HeadMove | None:
    """Tell what became of a commit that was checked out; None where that can't be told.

    Amended and rebased commits are made here as others are: git's log of HEAD names each.

    Args:
        git_dirs: the repository.
        before: the commit that was checked out at a moment.
        after: the one that is now.
        since: that moment, as seconds since 1970.
        email: whose commits are own ones, in small letters; empty: everybody's.

    Raises:
        EnvironmentProblem: git is missing, or a commit is not here.

    """
    try:
        entries = log_of_head(git_dirs, since, before)
    except OSError:
        return None
    if entries is None:
        return None
    made_here = {entry.commit for entry in entries if _makes(entry.message)}
    gone = _commits(git_dirs.root, f"{after}..{before}")
    came = _commits(git_dirs.root, f"{before}..{after}")
    if len(gone) + len(came) > _MOST_COMMITS:
        return None
    left_times = {(commit.email, commit.written) for commit in gone}
    mine: list[frozenset[str]] = []
    brought: set[str] = set()
    for commit in came:
        anew = (commit.email, commit.written) in left_times
        own = commit.id in made_here and (anew or not email or commit.email == email)
        if own:
            mine.append(commit.paths)
        else:
            brought |= commit.paths
    left = frozenset[str]().union(*(commit.paths for commit in gone))
    common = git(git_dirs.root, "merge-base", before, after, ok=(0, 1)).decode().strip()
    switched = any(entry.message.startswith(_CHECKED_OUT) for entry in entries)
    return HeadMove(tuple(mine), frozenset(brought), left, common, switched)


def files_being_committed(git_dirs: GitDirs) -> frozenset[str]:
    """Name the files of the commit that is being made; none outside a hook of ``git commit``.

    Git names the index that it commits to its hooks.

    Raises:
        EnvironmentProblem: git is missing, or refuses.

    """
    index = os.environ.get("GIT_INDEX_FILE")
    if not index:
        return frozenset()
    index = os.path.join(git_dirs.root, index)
    options = ("--cached", "--name-only", "--no-renames", "-z")
    try:
        output = git(git_dirs.root, "diff-index", *options, "HEAD", "--", index=index)
    except EnvironmentProblem:  # it is the first one
        output = git(git_dirs.root, "ls-files", "--cached", "-z", index=index)
    return frozenset(os.fsdecode(path) for path in output.split(b"\0") if path)


def _makes(message: bytes) -> bool:
    return message.startswith(_MADE) and not message.startswith(_ONLY_GONE_TO)


class _Commit(NamedTuple):
    id: str
    email: str
    written: str
    paths: frozenset[str]


def _commits(root: str, range_of: str) -> list[_Commit]:
    """List the commits of a range with the paths that each changes; a merge changes none itself."""
    output = git(
        root,
        "log",
        "-z",
        "--no-merges",
        "--no-renames",
        "--name-only",
        f"--max-count={_MOST_COMMITS + 1}",
        "--format=%x01%H%x1f%ae%x1f%at%x1f",
        "--end-of-options",
        range_of,
        "--",
    )
    commits = []
    for entry in output.split(b"\x01")[1:]:
        commit_id, email, written, names = entry.split(b"\x1f", 3)
        paths = (os.fsdecode(name.lstrip(b"\n")) for name in names.split(b"\0"))
        facts = commit_id.decode(), email.decode(errors="replace").lower(), written.decode()
        commits.append(_Commit(*facts, frozenset(path for path in paths if path)))
    return commits
