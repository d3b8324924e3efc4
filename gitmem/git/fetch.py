"""Fetches one commit of another repository into a folder of its own, without a checkout."""

import os

from gitmem.errors import EnvironmentProblem
from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs
from gitmem.git.objects import commit_of

_SECONDS = 300
# A clone's settings name the address: helpers that run a program named in it are not for that.
_PROTOCOLS = ("file", "git", "http", "https", "ssh")
SAFE = (
    "-c", "protocol.allow=never",
    *(word for name in _PROTOCOLS for word in ("-c", f"protocol.{name}.allow=always")),
    "-c", "transfer.fsckObjects=true",
)  # fmt: skip


def fetch_commit(folder: str, url: str, revision: str) -> tuple[GitDirs, str]:
    """Fetch the commit that a name means in another repository.

    Args:
        folder: an empty folder for the objects; the caller removes it.
        url: as git takes it.
        revision: a branch, a tag, or a commit's whole id; empty: what is checked out there.

    Returns:
        Where the objects are, and the commit's id.

    Raises:
        EnvironmentProblem: git can't get it.
        NotFoundError: there is no such revision.

    """
    git(folder, "init", "--bare", "--quiet", ".")
    git_dirs = GitDirs(folder, folder, folder)
    wanted = revision or "HEAD"
    try:
        _fetch(folder, url, wanted)
    except EnvironmentProblem:
        # Not every server gives a commit by its id: then all branches and tags are fetched.
        _fetch(folder, url, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*", depth=False)
        return git_dirs, commit_of(git_dirs, wanted)
    return git_dirs, commit_of(git_dirs, "FETCH_HEAD")


def _fetch(folder: str, url: str, *refs: str, depth: bool = True) -> None:
    # Seen from where the user is: an address may be a path.
    shallow = ("--depth", "1") if depth else ()
    address = os.path.abspath(url) if os.path.isdir(url) else url
    try:
        git(
            folder,
            *SAFE,
            "fetch",
            "--quiet",
            "--no-tags",
            *shallow,
            "--",
            address,
            *refs,
            seconds=_SECONDS,
        )
    except EnvironmentProblem as error:
        reason = error.message.rpartition(": ")[2]
        raise EnvironmentProblem(
            f"can't fetch {url}: {reason}", "see what git says: git ls-remote, with that address"
        ) from None
