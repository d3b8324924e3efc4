"""Which records touched the lines of a file, and why that is known. What is not sure is left out.

A record touched a line if it speaks of it, if it came with the commit that brought the line (or
with one that makes the same change on another branch), or if the patch that it holds added it.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain, groupby
from typing import TYPE_CHECKING, Final

from gitmem.answers import FileHistory, Lines, Placed, Touch
from gitmem.capture.applying import PatchRefusedError, read_patch
from gitmem.errors import InvalidError, NotFoundError
from gitmem.git.blame import Blamed, added_by
from gitmem.git.blame import blame as git_blame
from gitmem.git.command import git
from gitmem.git.patch_id import equals
from gitmem.git.state import head
from gitmem.git.whereabouts import names_of
from gitmem.matching.relocate import telling
from gitmem.memory.anchors.anchoring import Anchoring
from gitmem.memory.anchors.named_places import governs, wanted_of
from gitmem.memory.core.records import read_record
from gitmem.memory.history.linking import issues_of
from gitmem.memory.history.record_changes import newest
from gitmem.records.kinds import Fix
from gitmem.records.layout import id_in
from gitmem.store.listing import is_text

if TYPE_CHECKING:
    from gitmem.answers import Wanted
    from gitmem.catalog.rows import Row
    from gitmem.git.places import GitDirs
    from gitmem.matching.relocate import FileText
    from gitmem.memory.core.workspace import Snapshot, Workspace
    from gitmem.records.issues import Issue
    from gitmem.records.kinds import Record

ANCHORED: Final = "anchored here"
WENT_WRONG: Final = "went wrong here"
GOVERNS: Final = "governs this file"
PATCHED: Final = "its patch added this line"
SAME_COMMIT: Final = "same commit"
SAME_CHANGE: Final = "same change"
SQUASHED: Final = "squashed"
FIXED: Final = "fixed here"
_OVER: Final = ("superseded", "rejected")
_MOST_COMPARED: Final = 300
_MOST_MOVED: Final = 20
"""Places named in other files that are compared, each a call of git."""


def blame(workspace: "Workspace", path: str, line: int = 0) -> FileHistory:
    """Tell which records touched a file or a line.

    Args:
        workspace: of the memory.
        path: relative to the folder that the memory belongs to.
        line: its number, from 1; 0: all.

    Raises:
        NotFoundError: there is no such file, or no such line.
        InvalidError: the file is binary or too large.
        EnvironmentProblem: this is no git repository, or git refuses.

    """
    workspace.site.require_git()
    if not os.path.isfile(os.path.join(workspace.site.root, path)):
        hint = "name a file of this repository as it is called now"
        raise NotFoundError(f"there is no file {path}", hint)
    with closing(Anchoring(workspace)) as anchoring:
        text = anchoring.now(path)
        if text is None:
            raise InvalidError(f"{path} is binary or too large", "name a file of text")
        size = len(text)
        if line > size:
            raise NotFoundError(f"{path} has no line {line}", f"its last one is {size}")
        span = range(line, line + 1) if line else range(1, size + 1)
        return workspace.ask(
            lambda now: _history(_BlamedFile(workspace, now, path), anchoring, text, line, span)
        )


def _history(
    file: "_BlamedFile", anchoring: Anchoring, text: "FileText", line: int, span: range
) -> FileHistory:
    blamed = file.blamed(line)
    placed = anchoring.place(file.wanted)
    commits = {source.number: source.commit for source in blamed}
    touches: dict[int, dict[str, Touch]] = {number: {} for number in span}
    for number, direct in chain(
        _standing(placed, file.path),
        file.moved_here(anchoring, blamed),
        file.patched(text),
        file.brought(blamed),
    ):
        for touch in (direct, *file.fixed_by(direct.row)) if number in touches else ():
            touches[number].setdefault(touch.row.id, touch)
    # Where an error showed is mostly mended since: that is no loss.
    withheld = [place for place in placed if not place.held and place.wanted.why == "anchor"]
    lines = _grouped(touches, commits)
    history = FileHistory(file.path, line, file.governing(), lines, withheld, file.notes)
    return history._replace(issues=file.issues(history))


def _standing(placed: Iterable[Placed], path: str) -> Iterator[tuple[int, Touch]]:
    """Give the lines of a file that records speak of."""
    for place in placed:
        held, why = place.held, WENT_WRONG if place.wanted.why == "error" else ANCHORED
        if held and held.path == path and held.first:
            for number in range(held.first, held.last + 1):
                yield number, Touch(place.wanted.row, why, held.how)


def _grouped(touches: dict[int, dict[str, Touch]], commits: dict[int, str]) -> list[Lines]:
    def key(number: int) -> tuple[str, tuple[Touch, ...]]:
        return commits.get(number, ""), tuple(touches[number].values())

    groups = []
    for (commit, alike), numbers in groupby(sorted(touches), key):
        span = list(numbers)
        groups.append(Lines(span[0], span[-1], commit, alike))
    return groups


class _BlamedFile:
    """A file that is asked about, under all names that it had.

    Args:
        workspace: of the memory.
        now: its records.
        path: the file, relative to the folder that the memory belongs to.

    """

    def __init__(self, workspace: "Workspace", now: "Snapshot", path: str) -> None:
        self._workspace = workspace
        self._now = now
        self._git_dirs: GitDirs = workspace.site.require_git()
        self._folder = workspace.site.folder_in_repository
        base = os.path.dirname(self._folder)
        self._prefix = f"{base}/" if base else ""
        self.path = path
        self.notes: list[str] = []
        former = names_of(self._git_dirs, self._prefix + path)
        self._git_names = [self._prefix + path, *former]
        self._names = [name[len(self._prefix) :] for name in self._git_names
                       if name.startswith(self._prefix)]  # fmt: skip
        self._records = self._speaking_of(self._names)
        self.wanted: list[Wanted] = [
            place for row, record in self._records.values() for place in wanted_of(row, record)
            if place.path in self._names
        ]  # fmt: skip
        self._fixed: dict[str, list[Touch]] = {}

    def _speaking_of(self, names: Iterable[str]) -> "dict[str, tuple[Row, Record]]":
        catalog = self._now.catalog
        # A name that is no text is one that no record can hold.
        texts = [name for name in names if is_text(name)]
        files = {file for name in texts for file in catalog.speaking_of(name)}
        ordered = newest(row for row in catalog.by_file(files).values() if row.kind != "session")
        records = ((row, read_record(self._workspace, row)) for row in ordered)
        return {row.id: (row, record) for row, record in records if record}

    def governing(self) -> list[Touch]:
        """Give the decisions that govern the file."""
        return [
            Touch(row, GOVERNS, ", ".join(getattr(record, "governs", ())))
            for row, record in self._records.values()
            if row.kind == "decision" and row.status not in _OVER
            and governs(record, self.path, self._names)
        ]  # fmt: skip

    def blamed(self, line: int) -> list[Blamed]:
        """Ask git for the commits that brought the lines."""
        name = self._prefix + self.path
        tracked = git(self._git_dirs.root, "ls-files", "-z", "--", f":(top,literal){name}")
        if not tracked or not head(self._git_dirs):
            self.notes.append(f"{self.path} is in no commit yet")
            return []
        # All of it, also for one line: git takes nothing so short for one that was moved.
        blamed = git_blame(self._git_dirs, name)
        blamed = [source for source in blamed if line in (0, source.number)]
        if not all(source.known for source in blamed):
            self.notes.append("this clone is shallow: older commits are not known here")
        return blamed

    def moved_here(
        self, anchoring: Anchoring, blamed: Sequence[Blamed]
    ) -> Iterator[tuple[int, Touch]]:
        """Give places named in other files whose lines git finds to have come from there."""
        committed = [source for source in blamed if source.commit]
        numbers = {(source.commit, source.path, source.line): source.number for source in committed}
        others = {source.path for source in committed} - {*self._git_names}
        inside = [path[len(self._prefix) :] for path in others if path.startswith(self._prefix)]
        if not inside:
            return
        wanted = [place for row, record in self._speaking_of(sorted(inside)).values()
                  for place in wanted_of(row, record)
                  if place.path in inside and place.target.first]  # fmt: skip
        for place in anchoring.place(wanted[:_MOST_MOVED]):
            if place.held is not None:
                continue
            span = anchoring.recorded(place.wanted)
            if span is None:
                continue
            commit, first, last = span
            path = self._prefix + place.wanted.path
            why = WENT_WRONG if place.wanted.why == "error" else ANCHORED
            for source in git_blame(self._git_dirs, path, commit):
                number = numbers.get((source.commit, source.path, source.line))
                if source.commit and number and first <= source.number <= last:
                    yield number, Touch(place.wanted.row, why, f"moved from {place.wanted.path}")

    def patched(self, text: "FileText") -> Iterator[tuple[int, Touch]]:
        """Give the lines that only one place of a stored patch can have added."""
        for row, record in self._records.values():
            if not isinstance(record, Fix) or not record.patch or record.outcome == "failed":
                continue
            try:
                files = [file for file in read_patch(record.patch) if file.new in self._git_names]
            except PatchRefusedError:
                continue
            added = [line for file in files for hunk in file.hunks
                     for sign, line in hunk.lines if sign == "+"]  # fmt: skip
            for line in {*added}:
                if added.count(line) == 1 == text.counts[line] and telling(line):
                    yield text.lines.index(line) + 1, Touch(row, PATCHED)

    def brought(self, blamed: Sequence[Blamed]) -> Iterator[tuple[int, Touch]]:
        """Give what came with the commit of each line, or with one that makes the same change."""
        by_commit = self._by_commit(blamed)
        for source in blamed:
            yield from ((source.number, touch) for touch in by_commit.get(source.commit, ()))

    def _by_commit(self, blamed: Sequence[Blamed]) -> dict[str, list[Touch]]:
        committed = [source for source in blamed if source.commit]
        commits = list(dict.fromkeys(source.commit for source in committed))
        # A line that came from another file was in that one when its equals were made.
        paths = (source.path for source in committed)
        names = list(dict.fromkeys([*self._git_names, *paths]))
        same = equals(self._git_dirs, commits[:_MOST_COMPARED], names, self._folder)
        if len(commits) > _MOST_COMPARED:
            self.notes.append(f"of {len(commits)} commits {_MOST_COMPARED} were compared with "
                              "those of other branches")  # fmt: skip
        equal = {twin.commit for twins in same.values() for twin in twins}
        added = added_by(self._git_dirs, sorted({*commits, *equal}), self._folder)
        ids = {name for files in added.values() for path in files if (name := id_in(path))}
        rows = self._now.catalog.by_id(ids) if ids else {}

        def records_of(commit: str) -> "list[Row]":
            brought = (rows.get(id_in(path) or "") for path in added.get(commit, ()))
            return [row for row in brought if row and row.kind != "session"]

        touches: dict[str, list[Touch]] = {}
        for commit in commits:
            own = [Touch(row, SAME_COMMIT, commit[:10]) for row in records_of(commit)]
            touches[commit] = own
            for twin in same.get(commit, ()):
                why = SQUASHED if twin.how == "squashed" else SAME_CHANGE
                own += [Touch(row, why, twin.commit[:10]) for row in records_of(twin.commit)]
        return touches

    def fixed_by(self, row: "Row") -> list[Touch]:
        """Give the errors that a fix fixed, or a part of them."""
        if row.kind != "fix" or row.stated not in ("worked", "partial"):
            return []
        if row.id not in self._fixed:
            errors = self._now.catalog.linked_from(row.file, "fixes")
            self._fixed[row.id] = [Touch(error, FIXED, row.id) for error in errors]
        return self._fixed[row.id]

    def issues(self, history: FileHistory) -> "dict[str, tuple[Issue, ...]]":
        """Give the issues that the records of a history belong to, by their ids."""
        ids = [touch.row.id for touch in (*history.touches, *history.governing)]
        return issues_of(self._now.catalog, ids)


def place_typed(workspace: "Workspace", typed: str) -> tuple[str, int]:
    """Read ``PATH`` or ``PATH:LINE`` as it was typed; the line is 0 where none is named.

    Raises:
        InvalidError: the line is no number from 1.

    """
    path, colon, number = typed.rpartition(":")
    whole = workspace.path(typed)
    if not colon or not path or os.path.lexists(os.path.join(workspace.site.root, whole)):
        return whole, 0
    if not number.isascii() or not number.isdigit() or not int(number):
        raise InvalidError(f"{typed}: {number!r} is no line", "write PATH:LINE, from 1")
    return workspace.path(path), int(number)
