"""What pairing asks git: patches between snapshots, whose work lies between, is code committed."""

from datetime import UTC, datetime
from functools import cache
from typing import Self

from gitmem.capture.patches import Patch, parse_patch
from gitmem.capture.runs import Run
from gitmem.errors import GitmemError
from gitmem.git.changes import changed_paths
from gitmem.git.places import Places
from gitmem.git.repository import Repository
from gitmem.git.snapshot import snapshot

_MAX_DIFF = 400_000


class WorkTree:
    """One work tree. What git can't tell is a gap: no patch, not own work, not committed.

    Args:
        places: the repository.
        exclude: the memory's folder, relative to the work tree's root.
        email: whose commits are own work; empty: everybody's.

    """

    def __init__(self, places: Places, exclude: str, email: str) -> None:
        self._places = places
        self._exclude = exclude
        self._email = email.lower()
        self.patch = cache(self._patch)

    @classmethod
    def of(cls, places: Places | None, exclude: str, email: str) -> Self | None:
        """Give the work tree of a repository; None outside git."""
        return cls(places, exclude, email) if places else None

    @property
    def name(self) -> str:
        """What tells this work tree from the others of the repository."""
        return self._places.git_dir

    def snapshot(self) -> str:
        """Write the work tree as a tree; an empty string where that can't be done."""
        try:
            return snapshot(self._places.root, self._places.git_dir, self._exclude)
        except GitmemError:
            return ""

    def head(self) -> str:
        """Name the commit that is checked out; empty before the first one.

        In the middle of a merge and the like it is not that commit's code any more, and bears
        another name.
        """
        try:
            with Repository(self._places.root) as repository:
                state = repository.in_progress()
                head = repository.head() or ""
                return f"{head}+{state}" if state and state != "bisect" else head
        except GitmemError:
            return ""

    def own_work(self, before: str, after: str, since: datetime | None = None) -> bool:
        """Tell whether only the developer's own commits lie between two commits.

        Args:
            before: the older commit.
            after: the newer one.
            since: they have to be younger than this: an older one was checked out, not made.

        """
        if before == after:
            return True
        if not before or not after:
            return False
        try:
            with Repository(self._places.root) as repository:
                if repository.commits_between(after, before):
                    return False  # something was undone or another branch checked out
                came = repository.commits_between(before, after)
        except GitmemError:
            return False
        # Git knows whole seconds only.
        earliest = since.replace(microsecond=0) if since else datetime.min.replace(tzinfo=UTC)
        return all(
            len(commit.parents) == 1
            and commit.at >= earliest
            and (not self._email or commit.email.lower() == self._email)
            for commit in came
        )

    def committed(self, run: Run) -> bool:
        """Tell whether a run was on committed code, without edits."""
        if not run.head or not run.tree:
            return False
        try:
            return not changed_paths(self._places.root, run.head, run.tree, self._exclude)
        except GitmemError:
            return False

    def _patch(self, before: str, after: str) -> Patch:
        try:
            with Repository(self._places.root) as repository:
                return parse_patch(repository.show_diff(before, after, max_bytes=_MAX_DIFF))
        except GitmemError:
            return parse_patch("")
