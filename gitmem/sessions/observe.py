"""What git tells about a session: where it starts, and what changed until it ends.

A gap is noted and never an error: a session must be able to start and end in any state of
the repository. And a gap is better than a wrong claim: where other people's commits came in
meanwhile (a pull, a rebase, another branch), files that only they touched are left out.
"""

from datetime import datetime
from typing import Final, NamedTuple

from gitmem.errors import GitmemError
from gitmem.git.changes import changes, shown
from gitmem.git.places import Places, find
from gitmem.git.repository import Commit, Repository
from gitmem.git.snapshot import exists, snapshot
from gitmem.records.parts import Change
from gitmem.sessions.live import Leg, Live

_MOST_COMMITS = 300


class Seen(NamedTuple):
    """The repository at one moment; empty where it could not be told, with the gaps."""

    branch: str
    head: str
    tree: str
    gaps: tuple[str, ...]


class Whole(NamedTuple):
    """What changed in a session. ``certain`` is False where something could not be compared."""

    changes: tuple[Change, ...]
    gaps: tuple[str, ...]
    certain: bool
    branch: str = ""


UNKNOWN: Final = Whole((), (), certain=False)


def look(places: Places | None, exclude: str) -> Seen:
    """Observe branch, commit and work tree now."""
    if places is None:
        return Seen("", "", "", ("outside a git repository, so changed files are not known",))
    branch, head, tree, gaps = "", "", "", []
    try:
        with Repository(places.root) as repository:
            branch, head = repository.branch(), repository.head() or ""
            if state := repository.in_progress():
                gaps.append(f"a {state} was in progress")
    except GitmemError as error:
        gaps.append(f"branch and commit are not known: {error.message}")
    try:
        tree = snapshot(places.root, places.git_dir, exclude)
    except GitmemError as error:
        gaps.append(f"no snapshot of the work tree: {error.message}")
    return Seen(branch, head, tree, tuple(gaps))


def tree_of(root: str, exclude: str) -> str:
    """Take a snapshot of another work tree; an empty string if that can't be."""
    places = find(root)
    try:
        return snapshot(places.root, places.git_dir, exclude) if places else ""
    except GitmemError:
        return ""


def whole(live: Live, worktree: str, places: Places | None, exclude: str) -> Whole:
    """Tell what changed in all legs of a session, seen from ``worktree``."""
    if places is None:
        return Whole((), look(None, exclude).gaps, certain=False)
    if live.stale:
        return Whole((), ("left behind, so changed files were not compared",), certain=False)
    gone = live.here.worktree != worktree
    now = Seen("", "", "", ()) if gone else look(places, exclude)
    gaps = [f"the work tree {live.here.root} is gone"] if gone else list(now.gaps)
    found: dict[str, Change] = {}
    certain = True
    for leg in live.legs:
        last = leg is live.here
        end = (now.tree or now.head) if last else leg.until
        seen = _compare(leg, end, now if last else None, places.root, exclude, email, gaps)
        certain = certain and seen is not None
        found |= {change.path: change for change in seen or ()}
    return Whole(tuple(found[path] for path in sorted(found)), tuple(gaps), certain, now.branch)


def _compare(
    leg: Leg, end: str, now: Seen | None, places: Places, exclude: str, live: Live
) -> tuple[tuple[Change, ...] | None, list[str]]:
    return None, []


def _start(leg: Leg, root: str, gaps: list[str]) -> str:
    if exists(root, leg.tree):
        return leg.tree
    if exists(root, leg.head):
        why = "is gone (git cleaned up)" if leg.tree else "is missing"
        gaps.append(
            f"the snapshot of the start {why}: compared with commit {leg.head[:12]} instead, "
            "so uncommitted changes from before the session are listed too"
        )
        return leg.head
    return ""


def _own(
    found: tuple[Change, ...], leg: Leg, now: Seen, root: str, email: str, gaps: list[str]
) -> tuple[Change, ...]:
    """Leave out files that only other people's commits touched."""
    with Repository(root) as repository:
        came = repository.commits_between(leg.head, now.head)
        went = repository.commits_between(now.head, leg.head)
        own = [commit for commit in came if _is_own(commit, leg.since, email)]
        if len(own) == len(came) and not went:
            return found
        if len(own) > _MOST_COMMITS:
            gaps.append("files of other people's commits may be listed: too many to tell apart")
            return found
        touched = {shown(path) for commit in own for path in repository.paths_of(commit.id)}
    for a, b in ((leg.head, leg.tree), (now.head, now.tree)):  # what was never committed
        if a and b and exists(root, b):
            touched |= _names(changes(root, a, b, ""))
    kept = tuple(change for change in found if _names((change,)) & touched)
    if len(kept) < len(found):
        gaps.append(
            f"the branch moved by other people's commits: {len(found) - len(kept)} files "
            "that only they changed are left out"
        )
    return kept


def _is_own(commit: Commit, since: datetime, email: str) -> bool:
    """Made by this actor and since then; commits tell time in whole seconds. No merges."""
    made_since = commit.at >= since.replace(microsecond=0)
    same = not email or commit.email.lower() == email.lower()
    return made_since and same and len(commit.parents) <= 1


def _names(found: tuple[Change, ...]) -> set[str]:
    return {name for change in found for name in (change.path, change.renamed_from) if name}
