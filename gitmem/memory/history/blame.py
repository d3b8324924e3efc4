"""Which records touched the lines of a file, each with its reason; uncertain ones are left out.

A record touched a line if it speaks of it, if it came with the commit that brought the line (or
with one that makes the same change on another branch), or if the patch that it holds added it.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import chain, groupby
from typing import TYPE_CHECKING, Final

from gitmem.answers.places import FileHistory, Lines, PlacedAnchor, Touch
from gitmem.capture.applying import PatchRefusedError, read_patch
from gitmem.errors import InvalidError, NotFoundError
from gitmem.git.blame import blame as git_blame
from gitmem.matching.relocate import telling
from gitmem.memory.anchors.anchor_finder import AnchorFinder
from gitmem.memory.anchors.record_anchors import governs, wanted_of
from gitmem.memory.core.records import read_record
from gitmem.memory.failures.verdicts import judged
from gitmem.memory.history.issue_links import issues_of
from gitmem.memory.history.line_origins import LineOrigins
from gitmem.memory.history.record_changes import newest
from gitmem.records.kinds import Fix
from gitmem.store.listing import is_text

if TYPE_CHECKING:
    from gitmem.answers.places import RecordAnchor
    from gitmem.catalog.rows import Row
    from gitmem.matching.relocate import FileText
    from gitmem.memory.core.derived_state import Snapshot
    from gitmem.memory.core.workspace import Workspace
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
        hint = "name a file by its current path in this repository"
        raise NotFoundError(f"there is no file {path}", hint)
    with closing(AnchorFinder(workspace)) as anchoring:
        text = anchoring.now(path)
        if text is None:
            raise InvalidError(f"{path} is binary or too large", "name a text file")
        size = len(text)
        if line > size:
            raise NotFoundError(f"{path} has no line {line}", f"it has {size}")
        span = range(line, line + 1) if line else range(1, size + 1)
        origins = LineOrigins(workspace.site, path, line)
        return workspace.ask(
            lambda now: _history(_FileRecords(workspace, now, origins), anchoring, text, line, span)
        )


def _history(
    file: "_FileRecords", anchoring: AnchorFinder, text: "FileText", line: int, span: range
) -> FileHistory:
    origins = file.origins
    placed = anchoring.place(file.wanted)
    commits = {source.number: source.commit for source in origins.blamed}
    touches: dict[int, dict[str, Touch]] = {number: {} for number in span}
    for number, direct in chain(
        _standing(placed, origins.path),
        file.moved_here(anchoring),
        file.patched(text),
        file.brought(),
    ):
        for touch in (direct, *file.fixed_by(direct.row)) if number in touches else ():
            touches[number].setdefault(touch.row.id, touch)
    # Where an error showed is mostly mended since: that is no loss.
    withheld = [anchor for anchor in placed if not anchor.held and anchor.wanted.why == "anchor"]
    lines = _grouped(touches, commits)
    history = FileHistory(origins.path, line, file.governing(), lines, withheld, origins.notes)
    return history._replace(issues=file.issues(history))


def _standing(placed: Iterable[PlacedAnchor], path: str) -> Iterator[tuple[int, Touch]]:
    """Give the lines of a file that records speak of."""
    for anchor in placed:
        held, why = (
            anchor.held,
            WENT_WRONG if anchor.wanted.why == "error" else ANCHORED,
        )
        if held and held.path == path and held.first:
            for number in range(held.first, held.last + 1):
                yield number, Touch(anchor.wanted.row, why, held.how)


def _grouped(touches: dict[int, dict[str, Touch]], commits: dict[int, str]) -> list[Lines]:
    def key(number: int) -> tuple[str, tuple[Touch, ...]]:
        return commits.get(number, ""), tuple(touches[number].values())

    groups = []
    for (commit, alike), numbers in groupby(sorted(touches), key):
        span = list(numbers)
        groups.append(Lines(span[0], span[-1], commit, alike))
    return groups


class _FileRecords:
    """The records that a file's lines lead to.

    Args:
        workspace: of the memory.
        now: its records.
        origins: what git says of the file.

    """

    def __init__(self, workspace: "Workspace", now: "Snapshot", origins: LineOrigins) -> None:
        self._workspace = workspace
        self._now = now
        self.origins = origins
        self._records = self._speaking_of(origins.names)
        self.wanted: list[RecordAnchor] = [
            wanted
            for row, record in self._records.values()
            for wanted in wanted_of(row, record)
            if wanted.path in origins.names
        ]
        self._fixed: dict[str, list[Touch]] = {}

    def _speaking_of(self, names: Iterable[str]) -> "dict[str, tuple[Row, Record]]":
        catalog = self._now.catalog
        # A name that is no text is one that no record can hold.
        texts = [name for name in names if is_text(name)]
        files = {file for name in texts for file in catalog.speaking_of(name)}
        rows = [row for row in catalog.by_file(files).values() if row.kind != "session"]
        ordered = newest(judged(self._workspace, rows))
        records = ((row, read_record(self._workspace, row)) for row in ordered)
        return {row.id: (row, record) for row, record in records if record}

    def governing(self) -> list[Touch]:
        """Give the decisions that govern the file."""
        return [
            Touch(row, GOVERNS, ", ".join(getattr(record, "governs", ())))
            for row, record in self._records.values()
            if row.kind == "decision"
            and row.status not in _OVER
            and governs(record, self.origins.path, self.origins.names)
        ]

    def moved_here(self, anchoring: AnchorFinder) -> Iterator[tuple[int, Touch]]:
        """Give places named in other files whose lines git finds to have come from there."""
        origins = self.origins
        numbers = {
            (source.commit, source.path, source.line): source.number for source in origins.committed
        }
        others = {source.path for source in origins.committed} - {*origins.git_names}
        inside = [origins.inside(path) for path in others if path.startswith(origins.prefix)]
        if not inside:
            return
        wanted = [
            wanted
            for row, record in self._speaking_of(sorted(inside)).values()
            for wanted in wanted_of(row, record)
            if wanted.path in inside and wanted.target.first
        ]
        for anchor in anchoring.place(wanted[:_MOST_MOVED]):
            if anchor.held is not None:
                continue
            span = anchoring.recorded(anchor.wanted)
            if span is None:
                continue
            commit, first, last = span
            path = origins.prefix + anchor.wanted.path
            why = WENT_WRONG if anchor.wanted.why == "error" else ANCHORED
            for source in git_blame(self._workspace.site.require_git(), path, commit):
                number = numbers.get((source.commit, source.path, source.line))
                if source.commit and number and first <= source.number <= last:
                    yield (
                        number,
                        Touch(anchor.wanted.row, why, f"moved from {anchor.wanted.path}"),
                    )

    def patched(self, text: "FileText") -> Iterator[tuple[int, Touch]]:
        """Give the lines that only one place of a stored patch can have added."""
        for row, record in self._records.values():
            if not isinstance(record, Fix) or not record.patch or record.outcome == "failed":
                continue
            try:
                files = [
                    file for file in read_patch(record.patch) if file.new in self.origins.git_names
                ]
            except PatchRefusedError:
                continue
            added = [
                line
                for file in files
                for hunk in file.hunks
                for sign, line in hunk.lines
                if sign == "+"
            ]
            for line in {*added}:
                if added.count(line) == 1 == text.counts[line] and telling(line):
                    yield text.lines.index(line) + 1, Touch(row, PATCHED)

    def brought(self) -> Iterator[tuple[int, Touch]]:
        """Give what came with the commit of each line, or with one that makes the same change."""
        by_commit = self._by_commit()
        for source in self.origins.blamed:
            yield from ((source.number, touch) for touch in by_commit.get(source.commit, ()))

    def _by_commit(self) -> dict[str, list[Touch]]:
        origins = self.origins
        ids = {record for records in origins.added.values() for record in records}
        there = self._now.catalog.by_id(ids) if ids else {}
        rows = {row.id: row for row in judged(self._workspace, list(there.values()))}

        def records_of(commit: str) -> "list[Row]":
            added = (rows.get(record) for record in origins.added.get(commit, ()))
            return [row for row in added if row and row.kind != "session"]

        touches: dict[str, list[Touch]] = {}
        for commit in dict.fromkeys(source.commit for source in origins.committed):
            own = [Touch(row, SAME_COMMIT, commit[:10]) for row in records_of(commit)]
            touches[commit] = own
            for twin in origins.twins.get(commit, ()):
                why = SQUASHED if twin.how == "squashed" else SAME_CHANGE
                own += [Touch(row, why, twin.commit[:10]) for row in records_of(twin.commit)]
        return touches

    def fixed_by(self, row: "Row") -> list[Touch]:
        """Give the errors that a fix fixed, or a part of them."""
        if row.kind != "fix" or row.stated not in ("worked", "partial"):
            return []
        if row.id not in self._fixed:
            errors = self._now.catalog.fixed_by([row.file]).get(row.file, ())
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
        raise InvalidError(f"{typed}: {number!r} is not a line number", "write PATH:LINE, from 1")
    return workspace.path(path), int(number)
