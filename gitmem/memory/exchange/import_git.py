"""``gitmem import git``: errors, fixes and decisions from the history of a repository."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.answers.transfers import Imported, ImportResult
from gitmem.capture.composing import bounded
from gitmem.capture.patches import parse_patch
from gitmem.errors import NotFoundError, UsageError
from gitmem.exchange import git_history
from gitmem.exchange.git_messages import (
    ENOUGH,
    ONLY_WORDS,
    CommitMessage,
    against,
    evidence,
    is_chore,
    is_doubtful,
    read,
)
from gitmem.git.log import AuthoredCommit, commits, commits_named, is_shallow
from gitmem.git.objects import commit_of
from gitmem.git.patches import CommitChange, changes
from gitmem.memory.exchange.import_writer import ImportWriter
from gitmem.query import moment

if TYPE_CHECKING:
    from gitmem.git.git_dirs import GitDirs
    from gitmem.memory.writing.writer import Writer
    from gitmem.output.failure import Failure

MOST: Final = 10_000
"""Commits that are looked at if nothing else is said."""
_DEEPEST: Final = 8
_BATCH: Final = 200


class _Picked(NamedTuple):
    """A commit whose message says that it is worth a look at its patch."""

    commit: AuthoredCommit
    message: CommitMessage
    points: Mapping[str, int]
    failure: "Failure | None" = None


class GitImport:
    """One walk through the history, which writes what it teaches.

    Args:
        writer: of the memory that records go to.
        most: how many commits are looked at, the newest of them.
        since: only what was committed since then, as dates are typed; empty: everything.
        limit: stop after so many commits that gave records; 0: never.
        first_parent: a merge stands for all that it merged.
        dry_run: only tell.

    """

    def __init__(
        self,
        writer: "Writer",
        *,
        most: int,
        since: str,
        limit: int,
        first_parent: bool,
        dry_run: bool,
    ) -> None:
        if most < 1 or limit < 0:
            raise UsageError("a limit must be at least 1", "leave it out, or give a larger one")
        self._writer = writer
        self._progress = writer.workspace.progress
        self._most = most
        self._since = moment(since, writer.workspace.clock()) if since else ""
        self._limit = limit
        self._first_parent = first_parent
        site = writer.workspace.site
        self._dirs: GitDirs = site.require_git()
        self._excluded = site.folder_in_repository
        self._folder = site.package_in_repository
        self._dry_run = dry_run
        self._passed: Counter[str] = Counter()
        self._new: list[Imported] = []
        self._present = 0
        self._fixes: dict[str, _Picked] = {}
        self._reverts: dict[str, _Picked] = {}
        self._keys: dict[str, str] = {}  # of the commits that are fixes
        self._imported: set[str] = set()
        self._done = 0

    def run(self) -> ImportResult:
        """Read, pick and write; oldest first, so that a fix comes before what took it back."""
        try:
            tip = commit_of(self._dirs, "HEAD")
        except NotFoundError:
            return ImportResult([], 0, {}, ["there is no commit yet"])
        with ImportWriter(self._writer, dry_run=self._dry_run) as self._importing:
            self._write(tip)
        notices = []
        if is_shallow(self._dirs):
            notices.append("this clone is shallow: older commits are not here")
        passed = dict(self._passed.most_common())
        return self._importing.result(self._new, self._present, passed, notices)

    def _write(self, tip: str) -> None:
        self._pick(tip)
        self._add_targets()
        reverts = [revert for revert in self._reverts.values() if revert.message.depth % 2]
        returns = [revert for revert in self._reverts.values() if not revert.message.depth % 2]
        for lesson in self._all(reverts, returns):
            self._keep(lesson)
            if self._limit and len(self._new) >= self._limit:
                break

    def _all(
        self, reverts: Sequence[_Picked], returns: Sequence[_Picked]
    ) -> Iterator[git_history.Made]:
        self._total = len(self._fixes) + len(reverts) + len(returns)
        for picked, change in self._changes(list(self._fixes.values())):
            if lesson := self._fix(picked, change):
                yield lesson
        for back, picked_commits in ((True, reverts), (False, returns)):
            self._importing.settle()  # these link to what came before
            for picked, change in self._changes(picked_commits, back=back):
                if lesson := self._taken_back(picked, change):
                    yield lesson

    # Picking by messages

    def _pick(self, tip: str) -> None:
        newest = commits(
            self._dirs,
            tip,
            most=self._most,
            since=self._since,
            first_parent=self._first_parent,
            folder=self._folder,
        )
        shown = False
        for number, commit in enumerate(newest, 1):
            self._sort(commit)
            if number % 1000 == 0:
                self._progress("reading the history", number, self._most)
                shown = True
        if shown:
            self._progress("reading the history", self._most, self._most)
        self._fixes = dict(reversed(self._fixes.items()))
        self._reverts = dict(reversed(self._reverts.items()))

    def _sort(self, commit: AuthoredCommit) -> None:
        message = read(self._message(commit))
        if len(commit.parents) > 1 and not self._first_parent and not message.depth:
            self._passed["a merge: its commits count"] += 1
        elif commit.cut_off or not commit.parents:
            self._passed["the first commit, or where this clone ends"] += 1
        elif message.depth and is_chore(message.core):
            self._passed["a revert of a merge, a release or words"] += 1
        elif message.depth:
            self._reverts[commit.id] = _Picked(commit, message, {})
        elif why := against(message):
            self._passed[why] += 1
        else:
            points = evidence(message)
            failure = git_history.failure_in(message.body)
            if failure:
                points["it quotes a failure"] = 2
            if sum(points.values()) >= ENOUGH:
                self._fixes[commit.id] = _Picked(commit, message, points, failure)
            else:
                self._passed["too little evidence that it is a fix"] += 1

    def _message(self, commit: AuthoredCommit) -> str:
        """Give the message of a merged pull request in place of its merge's own."""
        subject, _, body = commit.message.partition("\n")
        if len(commit.parents) > 1 and subject.startswith(("Merge pull request ", "Merge branch ")):
            return body.strip() or commit.message
        return commit.message

    def _add_targets(self) -> None:
        """Read what was taken back, where it is older than what was looked at."""
        looked = set(self._fixes) | set(self._reverts)
        wanted = {revert.message.target for revert in self._reverts.values()} - looked - {""}
        for _ in range(_DEEPEST):
            if not wanted:
                return
            targets = [
                commit
                for commit in commits_named(self._dirs, sorted(wanted))
                if commit.id not in looked
            ]
            before = dict(self._fixes), dict(self._reverts)
            self._fixes, self._reverts = {}, {}
            passed = self._passed.copy()
            for commit in targets:
                self._sort(commit)
            self._passed = passed
            wanted = {revert.message.target for revert in self._reverts.values()} - {""}
            self._fixes, self._reverts = self._fixes | before[0], self._reverts | before[1]
            looked |= {commit.id for commit in targets}
            wanted = {name for name in wanted if not any(id_.startswith(name) for id_ in looked)}

    # Making records from patches

    def _changes(
        self, picked_commits: Sequence[_Picked], *, back: bool = False
    ) -> Iterator[tuple[_Picked, CommitChange]]:
        patches = changes(
            self._dirs,
            [picked.commit for picked in picked_commits],
            excluded=self._excluded,
            folder=self._folder,
            back=back,
        )
        for picked, change in zip(picked_commits, patches, strict=True):
            yield picked, change
            self._done += 1
            self._progress("importing", self._done, self._total)

    def _fix(self, picked: _Picked, change: CommitChange) -> git_history.Made | None:
        if why := git_history.against(change):
            self._passed[why] += 1
            return None
        if is_doubtful(picked.message) and not git_history.mends_code_with_a_test(change):
            self._passed[ONLY_WORDS] += 1
            return None
        self._keys[picked.commit.id] = change.key
        if change.key in self._imported:
            self._passed["the same change as another commit"] += 1
            return None
        lesson = git_history.fix(
            picked.commit, picked.message, change, picked.points, picked.failure, _patch(change)
        )
        if lesson is None:
            self._passed["it does not say what went wrong"] += 1
            return None
        self._imported.add(change.key)
        return lesson

    def _taken_back(self, picked: _Picked, change: CommitChange) -> git_history.Made | None:
        if change.missing or not change.key:
            self._passed["a revert without a change"] += 1
            return None
        record_id = git_history.attempt_id(change.key, picked.message.depth)
        if record_id in self._imported:
            self._passed["the same change as another commit"] += 1
            return None
        self._imported.add(record_id)
        of, earlier = None, None
        key = self._key_of(picked) or change.key
        if all(map(self._importing.has, ids := git_history.fix_ids(key))):
            of = ids
        elif self._importing.has(first := git_history.attempt_id(change.key, 1)):
            earlier = first
        return git_history.taken_back(
            picked.commit, picked.message, change.key, _patch(change), of, earlier
        )

    def _key_of(self, picked: _Picked) -> str:
        """Give the key of the fix that a revert, or the revert of a revert, is about."""
        target = picked.message.target
        for _ in range(_DEEPEST):
            with suppress(StopIteration):
                return next(
                    key for id_, key in self._keys.items() if target and id_.startswith(target)
                )
            inner = next(
                (
                    revert
                    for id_, revert in self._reverts.items()
                    if target and id_.startswith(target)
                ),
                None,
            )
            if inner is None:
                break
            target = inner.message.target
        return ""

    def _keep(self, lesson: git_history.Made) -> None:
        ids = self._importing.write(lesson.records)
        if not ids:
            self._present += 1
            return
        commit = lesson.commit
        self._new.append(Imported(lesson.title, commit.id[:10], lesson.what, commit.at, ids))


def _patch(change: CommitChange) -> str:
    """Give a patch as records keep it: without what programs lesson, and bounded."""
    text = bounded(parse_patch(change.text).text)
    return text + f"# cut: {change.more} more files\n" if change.more else text
