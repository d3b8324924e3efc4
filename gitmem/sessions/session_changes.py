"""What git knows about a session: where it starts, and what changed until it ends.

A gap is noted and never an error: a session must be able to start and end in any state of
the repository. And a gap is better than a wrong claim: where other people's commits came in
meanwhile (a pull, a rebase, another branch), files that only they touched are left out.
"""

from datetime import datetime
from typing import Final, NamedTuple

from gitmem.errors import GitmemError, NotFoundError
from gitmem.git.changed_paths import changed_paths
from gitmem.git.changes import changes
from gitmem.git.git_dirs import GitDirs, find
from gitmem.git.repository import Commit, Repository
from gitmem.git.snapshot import exists, snapshot
from gitmem.git.state import checked_out, in_progress
from gitmem.records.parts import Change
from gitmem.sessions.live import Leg, LiveSession

_MOST_COMMITS = 300


class RepositoryState(NamedTuple):
    """The repository at one moment; unknown fields are empty and listed as gaps."""

    branch: str
    head: str
    tree: str
    gaps: tuple[str, ...]


class SessionChanges(NamedTuple):
    """What changed in a session. ``certain`` is False where something could not be compared."""

    changes: tuple[Change, ...]
    gaps: tuple[str, ...]
    certain: bool
    branch: str = ""


UNKNOWN: Final = SessionChanges((), (), certain=False)


def look(git_dirs: GitDirs | None, exclude: str) -> RepositoryState:
    """Observe branch, commit and work tree now."""
    if git_dirs is None:
        return RepositoryState(
            "", "", "", ("not in a git repository, so changed files are not known",)
        )
    branch, head, tree, gaps = "", "", "", []
    try:
        branch, head = checked_out(git_dirs)
        if state := in_progress(git_dirs):
            gaps.append(f"a {state} was in progress")
    except GitmemError as error:
        gaps.append(f"branch and commit are not known: {_without_paths(error, git_dirs)}")
    try:
        tree = snapshot(git_dirs.root, git_dirs.git_dir, exclude)
    except GitmemError as error:
        gaps.append(_without_paths(error, git_dirs))
    return RepositoryState(branch, head, tree, tuple(gaps))


def tree_of(root: str, exclude: str) -> str:
    """Take a snapshot of another work tree; an empty string if that can't be."""
    git_dirs = find(root)
    try:
        return snapshot(git_dirs.root, git_dirs.git_dir, exclude) if git_dirs else ""
    except GitmemError:
        return ""


def whole(
    live: LiveSession, worktree: str, git_dirs: GitDirs | None, exclude: str
) -> SessionChanges:
    """Tell what changed in all legs of a session, seen from ``worktree``."""
    if git_dirs is None:
        return SessionChanges((), look(None, exclude).gaps, certain=False)
    if live.stale:
        return SessionChanges((), ("left open, so changed files were not compared",), certain=False)
    gone = live.here.worktree != worktree
    now = RepositoryState("", "", "", ()) if gone else look(git_dirs, exclude)
    gaps = ["its work tree is gone"] if gone else list(now.gaps)
    observed: dict[str, Change] = {}
    certain = True
    for leg in live.legs:
        here = leg is live.here
        end = (now.tree or now.head) if here else leg.until
        try:
            # What was just written is there.
            is_current = bool(here and end == now.tree == leg.tree)
            start, touched = (end, []) if is_current else _start(leg, git_dirs.root)
            if not end:
                raise NotFoundError("there is no snapshot of the end")
            only = _touched(leg, now, git_dirs.root, live.actor.email, touched) if here else None
            step = changes(git_dirs.root, start, end, exclude, only=only)
            left_out = (
                changed_paths(git_dirs.root, start, end, exclude) - only if only is not None else ()
            )
        except GitmemError as error:
            certain = False
            gaps.append(f"changed files could not be compared: {_without_paths(error, git_dirs)}")
            continue
        observed |= {change.path: change for change in step}
        gaps += touched
        if left_out:
            what = f"files that only they changed are left out: {len(left_out)}"
            gaps.append(f"the branch moved by other commits; {what}")
    return SessionChanges(
        tuple(observed[path] for path in sorted(observed)), tuple(gaps), certain, now.branch
    )


def _start(leg: Leg, root: str) -> tuple[str, list[str]]:
    """Give the tree or commit to compare with, and the gaps that come of it."""
    if exists(root, leg.tree):
        return leg.tree, []
    if not exists(root, leg.head):
        raise NotFoundError("there is no snapshot of the start")
    why = "is gone (git cleaned up)" if leg.tree else "is missing"
    gap = f"the snapshot of the start {why}: compared with commit {leg.head[:12]} instead"
    return leg.head, [f"{gap}, so uncommitted changes from before the session are listed too"]


def _touched(
    leg: Leg, now: RepositoryState, root: str, email: str, gaps: list[str]
) -> set[bytes] | None:
    """Name the files that this actor changed; None if all new commits are this actor's."""
    if not leg.head or not now.head or leg.head == now.head:
        return None
    with Repository(root) as repository:
        came = repository.commits_between(leg.head, now.head)
        went = repository.commits_between(now.head, leg.head)
        own = [commit for commit in came if _is_own(commit, leg.since, email)]
        if len(own) == len(came) and not went:
            return None
        if len(own) > _MOST_COMMITS:
            gaps.append("too many commits to tell apart, so files of others may be listed")
            return None
        touched = {path for commit in own for path in repository.paths_of(commit.id)}
    for head, tree in ((leg.head, leg.tree), (now.head, now.tree)):  # what was not committed
        if exists(root, tree):
            touched |= changed_paths(root, head, tree)
    return touched


def _without_paths(error: GitmemError, git_dirs: GitDirs) -> str:
    """Give the message without this machine's paths: it goes into the record."""
    text = error.message
    for path, word in (
        (git_dirs.git_dir, ".git"),
        (git_dirs.common_dir, ".git"),
        (git_dirs.root, "."),
    ):
        text = text.replace(path, word)
    return text


def _is_own(commit: Commit, since: datetime, email: str) -> bool:
    """Made by this actor and since then; commits tell time in whole seconds. No merges."""
    made_since = commit.at >= since.replace(microsecond=0)
    same = not email or commit.email.lower() == email.lower()
    return made_since and same and len(commit.parents) <= 1
