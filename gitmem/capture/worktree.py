"""What pairing asks git: patches between snapshots, whose work lies between, is code committed."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Self

from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.generated_files import is_generated, is_noise
from gitmem.capture.patches import Patch, parse_patch
from gitmem.capture.roles import is_document, is_test
from gitmem.capture.runs import Run
from gitmem.errors import GitmemError
from gitmem.git.git_dirs import GitDirs
from gitmem.git.mentions import files_naming
from gitmem.git.repository import Commit, Repository, unified_diff
from gitmem.git.snapshot import CodeState, code_state, exists
from gitmem.git.state import head, in_progress, switched
from gitmem.system import relative_path

if TYPE_CHECKING:
    from gitmem.capture.renamed_tests import TestPlace
    from gitmem.git.head_moves import HeadMove
    from gitmem.git.objects import Objects

# What is too large to keep is left out file by file; this only bounds the memory it takes.
_MAX_DIFF = 32 * 1024 * 1024
_PATCHES = 64
"""Patches remembered: what lies between two trees never changes."""
_PATHS = 256
"""Likewise whether a commit has a file."""


class OwnMove(NamedTuple):
    """What is whose of what lies between two runs.

    Attributes:
        mine: the paths of each commit that the developer made.
        theirs: paths that came from elsewhere: brought by other commits, or as they were before
            commits that are not there any more.
        brought: those that other commits brought.
        switched: another branch was checked out.

    """

    mine: tuple[frozenset[str], ...]
    theirs: frozenset[str]
    brought: frozenset[str]
    switched: bool


class WorkTree:
    """One work tree. What git can't tell is a gap: no patch, not own work, not committed.

    Args:
        git_dirs: the repository.
        exclude: the memory's folder, relative to the work tree's root.
        email: tells whose commits are own work; empty: everybody's. It is asked when it matters,
            as git may have to be started for it.

    """

    def __init__(self, places: GitDirs, exclude: str, email: Callable[[], str]) -> None:
        self._places = places
        self._exclude = exclude
        self._email = email
        self._state: CodeState | None = None
        self._seen: CodeState | None = None
        self._objects: Objects | None = None
        self._patches = lru_cache(maxsize=_PATCHES)(self._patch)
        self._lacks = lru_cache(maxsize=_PATHS)(self._has_no)
        self._changed = lru_cache(maxsize=_PATCHES)(self._changed_paths)
        self._moves = lru_cache(maxsize=_PATCHES)(self._head_move)

    @classmethod
    def of(cls, places: GitDirs | None, exclude: str, email: Callable[[], str]) -> Self | None:
        """Give the work tree of a repository; None outside git."""
        return cls(places, exclude, email) if places else None

    @property
    def name(self) -> str:
        """What tells this work tree from the others of the repository."""
        return self._places.git_dir

    @property
    def root(self) -> str:
        """The work tree's top."""
        return self._places.root

    def look(self, unchanged: Iterable[str] = ()) -> tuple[str, str]:
        """Write the work tree as a tree; give its id and what ``head`` would.

        Args:
            unchanged: files that stand as they do in the index: outputs of watched commands.

        Raises:
            EnvironmentProblem: the tree can't be written.

        """
        places = self._places
        self._state = code_state(
            places.root, places.git_dir, self._exclude, unchanged=unchanged, earlier=self._state
        )
        return self._state.tree, self._named(self._state.commit)

    def snapshot(self) -> str:
        """Write the work tree as a tree to compare with; an empty string where that can't be done.

        Unlike ``take``, which writes what a watched command found, it starts no filter that the
        repository's own settings name: a question runs nothing.
        """
        places = self._places
        try:
            self._seen = code_state(
                places.root, places.git_dir, self._exclude, earlier=self._seen, filters=False
            )
        except GitmemError:
            return ""
        return self._seen.tree

    def head(self) -> str:
        """Name the commit that is checked out; empty before the first one.

        In the middle of a merge and the like it is not that commit's code any more, and bears
        another name.
        """
        try:
            return self._named(head(self._places))
        except GitmemError:
            return ""

    def _named(self, commit: str) -> str:
        state = in_progress(self._places)
        return f"{commit}+{state}" if state and state != "bisect" else commit

    def text(self, tree: str, folder: str, path: str) -> str | None:
        """Give a file's text as a snapshot has it; None if it has none.

        Args:
            tree: the snapshot.
            folder: where the command ran, relative to the work tree's root.
            path: as the command named the file.

        """
        root = self._places.root
        inside = relative_path(os.path.normpath(os.path.join(root, folder, path)), root)
        if inside.startswith(os.pardir) or "\0" in inside:
            return None
        try:
            return self._text_at(tree, inside)
        except GitmemError:
            return None

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read all texts until the end of a block in one process of git."""
        from gitmem.git.objects import Objects  # noqa: PLC0415  start-up

        with closing(Objects(self._places)) as objects:
            self._objects = objects
            try:
                yield
            finally:
                self._objects = None

    def _text_at(self, tree: str, path: str) -> str | None:
        if self._objects is None:
            with self.reading():
                return self._text_at(tree, path)
        return self._objects.text(tree, path)

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
        if since and switched(self._places, since.timestamp(), before):
            return False
        # Git knows whole seconds only.
        earliest = since.replace(microsecond=0) if since else datetime.min.replace(tzinfo=UTC)
        email = self._email().lower() if came else ""
        return all(
            len(commit.parents) == 1
            and commit.at >= earliest
            and (not email or commit.email.lower() == email)
            for commit in came
        )

    def moved(self, before: Run, after: Run) -> "OwnMove | None":
        """Tell what is the developer's of what lies between two runs; None where git can't tell."""
        if not before.head or not after.head or "+" in before.head + after.head:
            return None
        try:
            move = self._moves(before.head, after.head, before.at.timestamp())
            if move is None:
                return None
            restored = frozenset[str]()
            if move.left and move.fork:
                differing = map(os.fsdecode, self._changed(move.fork, after.tree))
                restored = move.left.difference(differing)
        except GitmemError:
            return None
        return OwnMove(move.mine, move.brought | restored, move.brought, move.switched)

    def _head_move(self, before: str, after: str, since: float) -> "HeadMove | None":
        from gitmem.git.head_moves import head_move

        return head_move(self._places, before, after, since, self._email().lower())

    def beside(self) -> dict[str, str]:
        """Describe what lies beside the tracked files: what is ignored, repositories inside."""
        from gitmem.git.beside import beside

        return beside(self._places, is_noise, self._state.clones if self._state else ())

    def has_snapshot(self, tree: str) -> bool:
        """Tell whether a snapshot is still here; git removes old ones when it cleans up."""
        return exists(self._places.root, tree)

    def committing(self) -> frozenset[str]:
        """Name the files of the commit that is being made: in a hook of it; else none."""
        from gitmem.git.head_moves import files_being_committed

        try:
            return files_being_committed(self._places)
        except GitmemError:
            return frozenset()

    def committed(self, run: Run) -> bool:
        """Tell whether a run was on committed code, without edits.

        A lock file that differs is none: a build rewrites it, even while the tree is taken.
        """
        return self.modified(run) == frozenset()

    def modified(self, run: Run) -> frozenset[str] | None:
        """Name the files that a run had otherwise than its commit; None where git can't tell.

        Lock files, logs, caches and outputs of watched commands are none.
        """
        if not run.head or not run.tree:
            return None
        try:
            changed = self._changed(run.head, run.tree)
        except GitmemError:
            return None
        names = {os.fsdecode(path) for path in changed} - set(run.outputs)
        return frozenset(name for name in names if not is_generated(name) and not is_noise(name))

    def with_committed_lines(
        self, failure: FingerprintedFailure, patch: Patch, commit: str
    ) -> frozenset[str]:
        """Name the files of which all that a patch takes out is committed, and what failed, too.

        Args:
            failure: with the lines of its frames.
            patch: the edit that fixed it.
            commit: that was checked out then.

        """
        frames = [*(failure.fields.get("frames") or []), failure.fields.get("location") or {}]
        files: set[str] = set()
        for file in patch.files:
            lines = {line for name, sign, line in patch.lines if name == file and sign == "-"}
            if not lines:
                continue
            lines |= {
                " ".join(str(frame["code"]).split())
                for frame in frames
                if frame.get("code") and f"/{frame.get('file', '')}".endswith(f"/{file}")
            }
            text = self.text(commit.partition("+")[0], "", file) or ""
            if lines <= {" ".join(line.split()) for line in text.splitlines()}:
                files.add(file)
        return frozenset(files)

    def edited(self, before: str, after: str, commit: str) -> tuple[str, ...]:
        """Name the files of committed code that differ between two snapshots, tests aside."""
        if before == after or not after:
            return ()
        files = sorted(file for file in self.patch(before, after).files if not is_test(file))
        return tuple(file for file in files if not self.is_new(commit, file))

    def renamed_tests(
        self, names: Collection[str], before: str, after: str
    ) -> "dict[str, TestPlace]":
        """Tell where tests are that were renamed or moved between two snapshots."""
        from gitmem.capture.renamed_tests import renamed_tests

        return renamed_tests(
            names,
            self.patch(before, after),
            lambda path: self.text(before, "", path),
            lambda path: self.text(after, "", path),
        )

    def subject_of(self, before: str, after: str, edit: Patch) -> str:
        """Give the subject of the one commit between two that holds an edit; empty if none does.

        One that only changes the same files may be what broke them. What an edit took out may
        never have been in a commit; what it added is.

        Args:
            before: the older commit.
            after: the newer one.
            edit: what was changed.

        """
        if before == after or not before or not after:
            return ""
        try:
            with Repository(self._places.root) as repository:
                near = [
                    commit
                    for commit in repository.commits_between(before, after)
                    if len(commit.parents) == 1
                    and edit.files.intersection(map(os.fsdecode, repository.paths_of(commit.id)))
                ]
        except GitmemError:
            return ""
        sign = "+" if any(line[1] == "+" for line in edit.lines) else "-"
        lines = {line for line in edit.lines if line[1] == sign}
        holding = [c for c in near if lines <= self.patch(c.parents[0], c.id).lines]
        return holding[0].subject.strip() if len(holding) == 1 else ""

    def commit_for(
        self, before: str, after: str, concerned: Callable[[Collection[str]], Collection[str]]
    ) -> tuple[int, Commit | None]:
        """Find the one commit that came in between two others and can have mended a failure.

        Args:
            before: the older commit.
            after: the newer one, which has all that the older one has; its commits may have been
                made anew upon others.
            concerned: picks the paths of a commit in which the failure stands.

        Returns:
            How many came, merges aside, and it. None where several edit such a path, or a merge
            does, where none does and several came, or where it edits documents only.

        """
        try:
            with Repository(self._places.root) as repository:
                if not before or not after:
                    return 0, None
                remade = set(map(_written, repository.commits_between(after, before)))
                every = repository.commits_between(before, after)
                if not remade <= set(map(_written, every)):
                    return 0, None
                between = [commit for commit in every if _written(commit) not in remade]
                came = [c for c in between if len(c.parents) == 1]
                paths = {
                    c.id: [*map(os.fsdecode, repository.paths_of(c.id, by_hand=True))]
                    for c in between
                }
                able = [
                    commit
                    for commit in came
                    if concerned(paths[commit.id])
                    or (len(came) == 1 and not all(map(is_document, paths[commit.id])))
                ]
                if any(concerned(paths[c.id]) for c in between if len(c.parents) > 1):
                    able = []
        except GitmemError:
            return 0, None
        return len(came), able[0] if len(able) == 1 else None

    def naming(self, tree: str, words: Collection[str], modules: Collection[str]) -> set[str]:
        """Name the files of a snapshot that hold some words, or take some modules in.

        Raises:
            GitmemError: git can't tell.

        """
        return files_naming(self._places, tree, words, modules)

    def is_new(self, head: str, path: str) -> bool:
        """Tell whether a commit lacks a file."""
        try:
            return self._lacks(head.partition("+")[0], path) if head else True
        except GitmemError:
            return False

    def _has_no(self, commit: str, path: str) -> bool:
        return self._text_at(commit, path) is None

    def _changed_paths(self, commit: str, tree: str) -> set[bytes]:
        from gitmem.git.changed_paths import changed_paths

        return changed_paths(self._places.root, commit, tree, self._exclude)

    def patch(self, before: str, after: str) -> Patch:
        """Give the patch from one tree to another, without files that only make noise."""
        if before == after or not before or not after:
            return parse_patch("")
        try:
            return self._patches(before, after)
        except GitmemError:
            return parse_patch("")

    def _patch(self, before: str, after: str) -> Patch:
        patch = parse_patch(unified_diff(self._places.root, before, after, max_bytes=_MAX_DIFF))
        noise = {file for file in patch.files if is_noise(file)}
        return patch.only(patch.files - noise) if noise else patch


def _written(commit: Commit) -> tuple[str, str, str]:
    """Give what a commit keeps where it is made anew upon another one."""
    return commit.subject, commit.name, commit.email
