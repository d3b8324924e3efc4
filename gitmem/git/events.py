"""Moments in the history that failures may follow: changed dependencies, and releases."""

from datetime import datetime
from typing import Final

from gitmem.git.command import all_but, git
from gitmem.git.commit_cache import log
from gitmem.git.git_dirs import GitDirs
from gitmem.git.state import head
from gitmem.tools.choice import values

_MOST: Final = 5_000
_LAST: Final = 250_000_000_000
"""About the year 9892."""


def manifests() -> tuple[str, ...]:
    """Give forms of names of files that name dependencies, in any folder."""
    named = (*values("files.manifests").values(), *values("files.locks").values())
    return tuple(form for forms in named for form in forms)


def dependency_changes(git_dirs: GitDirs, since: str, folder: str) -> list[float]:
    """Give when commits that are checked out touched a manifest or a lockfile.

    Args:
        git_dirs: the repository.
        since: none before this moment (RFC 3339).
        folder: where nothing of that sort lies and git need not look, relative to the work
            tree's top.

    Returns:
        Seconds since 1970 at which they were committed, newest first, at most 5,000.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    tip = head(git_dirs)
    if not tip:
        return []
    paths = (*(f":(top,glob)**/{name}" for name in manifests()), *all_but(folder))
    options = ("--format=%ct", f"--max-count={_MOST}", f"--since={since}")
    return _moments(log(git_dirs, tip, options, paths))


def releases(git_dirs: GitDirs, since: str) -> list[float]:
    """Give when tags were made: of an annotated one its own time, else its commit's.

    Args:
        git_dirs: the repository.
        since: none before this moment (RFC 3339).

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    output = git(git_dirs.root, "for-each-ref", "--format=%(creatordate:unix)", "refs/tags")
    least = datetime.fromisoformat(since).timestamp()
    # A tag of a blob or a tree has no time.
    return [moment for moment in _moments(output) if moment >= least]


def _moments(output: bytes) -> list[float]:
    """Read seconds since 1970; a commit made by hand may say anything."""
    return [moment for line in output.split() if 0 <= (moment := float(line)) < _LAST]
