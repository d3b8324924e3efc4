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
from gitmem.memory.anchors.anchoring import Anchoring, governs, wanted_of
from gitmem.memory.core.records import read_record
from gitmem.memory.history.linking import issues_of
from gitmem.records.kinds import Fix
from gitmem.records.layout import id_in
from gitmem.store.listing import is_text

if TYPE_CHECKING:
    from gitmem.answers import Wanted
    from gitmem.catalog.rows import Row
    from gitmem.git.places import GitDirs
    from gitmem.matching.relocate import FileText
    from gitmem.memory.view import View
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


def history(memory: "View", path: str, line: int = 0) -> FileHistory:
    """Tell which records touched a file or a line.

    Args:
        memory: the memory.
        path: relative to the folder that the memory belongs to.
        line: its number, from 1; 0: all.

    Raises:
        NotFoundError: there is no such file, or no such line.
        InvalidError: the file is binary or too large.
        EnvironmentProblem: this is no git repository, or git refuses.

    """
    asked = _BlamedFile(memory, path)
    with closing(Anchoring(memory.workspace)) as anchoring:
        full = os.path.join(memory.site.root, path)
        if not os.path.isfile(full):
            hint = "name a file of this repository as it is called now"
            raise NotFoundError(f"there is no file {path}", hint)
        text = anchoring.now(path)
        if text is None:
            raise InvalidError(f"{path} is binary or too large", "name a file of text")
        size = len(text)
        if line > size:
            raise NotFoundError(f"{path} has no line {line}", f"its last one is {size}")
        found = _history(asked, anchoring, text, line, size)
    ids = [touch.row.id for touch in (*found.touches, *found.governing)]
    issues = memory.derived.mended(lambda: issues_of(memory.derived.catalog(memory.progress), ids))
    return found._replace(issues=issues)


def _history(
    asked: "_BlamedFile", anchoring: Anchoring, text: "FileText", line: int, size: int
) -> FileHistory:
    span = range(line, line + 1) if line else range(1, size + 1)
    blamed = asked.blamed(line)
    placed = anchoring.place(asked.wanted)
    commits = {one.number: one.commit for one in blamed}
    found: dict[int, dict[str, Touch]] = {number: {} for number in span}
    for number, one in chain(
        _standing(placed, asked.path),
        asked.moved_here(anchoring, blamed),
        asked.patched(text),
        asked.brought(blamed),
    ):
        for touch in (one, *asked.fixed_by(one.row)) if number in found else ():
            found[number].setdefault(touch.row.id, touch)
    # Where an error showed is mostly mended since: that is no loss.
    withheld = [place for place in placed if not place.held and place.wanted.why == "anchor"]
    lines = _grouped(found, commits)
    return FileHistory(asked.path, line, asked.governing(), lines, withheld, asked.notes)


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

    found = []
    for (commit, made), numbers in groupby(sorted(touches), key):
        span = list(numbers)
        found.append(Lines(span[0], span[-1], commit, made))
    return found


class _BlamedFile:
    """A file that is asked about, under all names that it had."""

    def __init__(self, memory: "View", path: str) -> None:
        self._memory = memory
        self._places: GitDirs = memory.site.require_git()
        self._folder = memory.site.folder_in_repository
        base = os.path.dirname(self._folder)
        self._prefix = f"{base}/" if base else ""
        self.path = path
        self.notes: list[str] = []
        former = names_of(self._places, self._prefix + path)
        self._git_names = [self._prefix + path, *former]
        self._names = [name[len(self._prefix) :] for name in self._git_names
                       if name.startswith(self._prefix)]  # fmt: skip
        self._records = self._speaking_of(self._names)
        self.wanted: list[Wanted] = [
            one for row, record in self._records.values() for one in wanted_of(row, record)
            if one.path in self._names
        ]  # fmt: skip
        self._fixed: dict[str, list[Touch]] = {}

    def _speaking_of(self, names: Iterable[str]) -> "dict[str, tuple[Row, Record]]":
        memory = self._memory

        def ask() -> "dict[int, Row]":
            catalog = memory.derived.catalog(memory.progress)
            # A name that is no text is one that no record can hold.
            known = [name for name in names if is_text(name)]
            return catalog.by_file({file for name in known for file in catalog.speaking_of(name)})

        rows = memory.derived.mended(ask).values()
        ordered = sorted(rows, key=lambda row: (row.created, row.id), reverse=True)
        found = (
            (row, read_record(memory.workspace, row)) for row in ordered if row.kind != "session"
        )
        return {row.id: (row, record) for row, record in found if record}

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
        tracked = git(self._places.root, "ls-files", "-z", "--", f":(top,literal){name}")
        if not tracked or not head(self._places):
            self.notes.append(f"{self.path} is in no commit yet")
            return []
        # All of it, also for one line: git takes nothing so short for one that was moved.
        found = [one for one in git_blame(self._places, name) if line in (0, one.number)]
        if not all(one.known for one in found):
            self.notes.append("this clone is shallow: older commits are not known here")
        return found

    def moved_here(
        self, anchoring: Anchoring, blamed: Sequence[Blamed]
    ) -> Iterator[tuple[int, Touch]]:
        """Give places named in other files whose lines git finds to have come from there."""
        numbers = {(one.commit, one.path, one.line): one.number for one in blamed if one.commit}
        others = {one.path for one in blamed if one.commit} - {*self._git_names}
        inside = [path[len(self._prefix) :] for path in others if path.startswith(self._prefix)]
        if not inside:
            return
        wanted = [one for row, record in self._speaking_of(sorted(inside)).values()
                  for one in wanted_of(row, record)
                  if one.path in inside and one.target.first]  # fmt: skip
        for place in anchoring.place(wanted[:_MOST_MOVED]):
            if place.held is not None:
                continue
            span = anchoring.recorded(place.wanted)
            if span is None:
                continue
            commit, first, last = span
            path = self._prefix + place.wanted.path
            why = WENT_WRONG if place.wanted.why == "error" else ANCHORED
            for one in git_blame(self._places, path, commit):
                number = numbers.get((one.commit, one.path, one.line))
                if one.commit and number and first <= one.number <= last:
                    yield number, Touch(place.wanted.row, why, f"moved from {place.wanted.path}")

    def patched(self, text: "FileText") -> Iterator[tuple[int, Touch]]:
        """Give the lines that only one place of a stored patch can have added."""
        for row, record in self._records.values():
            if not isinstance(record, Fix) or not record.patch or record.outcome == "failed":
                continue
            try:
                parts = [one for one in read_patch(record.patch) if one.new in self._git_names]
            except PatchRefusedError:
                continue
            added = [line for part in parts for hunk in part.hunks
                     for sign, line in hunk.lines if sign == "+"]  # fmt: skip
            for line in {*added}:
                if added.count(line) == 1 == text.counts[line] and telling(line):
                    yield text.lines.index(line) + 1, Touch(row, PATCHED)

    def brought(self, blamed: Sequence[Blamed]) -> Iterator[tuple[int, Touch]]:
        """Give what came with the commit of each line, or with one that makes the same change."""
        made = self._by_commit(blamed)
        for one in blamed:
            yield from ((one.number, touch) for touch in made.get(one.commit, ()))

    def _by_commit(self, blamed: Sequence[Blamed]) -> dict[str, list[Touch]]:
        commits = list(dict.fromkeys(one.commit for one in blamed if one.commit))
        # A line that came from another file was in that one when its equals were made.
        names = list(dict.fromkeys([*self._git_names, *(one.path for one in blamed if one.commit)]))
        same = equals(self._places, commits[:_MOST_COMPARED], names, self._folder)
        if len(commits) > _MOST_COMPARED:
            self.notes.append(f"of {len(commits)} commits {_MOST_COMPARED} were compared with "
                              "those of other branches")  # fmt: skip
        all_of_them = {*commits, *(one.commit for found in same.values() for one in found)}
        added = added_by(self._places, sorted(all_of_them), self._folder)
        ids = {name for files in added.values() for path in files if (name := id_in(path))}
        memory = self._memory
        rows = memory.derived.mended(lambda: memory.derived.opened.by_id(ids)) if ids else {}

        def of(commit: str) -> "list[Row]":
            there = (rows.get(id_in(path) or "") for path in added.get(commit, ()))
            return [row for row in there if row and row.kind != "session"]

        found: dict[str, list[Touch]] = {}
        for commit in commits:
            found[commit] = [Touch(row, SAME_COMMIT, commit[:10]) for row in of(commit)]
            for one in same.get(commit, ()):
                why = SQUASHED if one.how == "squashed" else SAME_CHANGE
                found[commit] += [Touch(row, why, one.commit[:10]) for row in of(one.commit)]
        return found

    def fixed_by(self, row: "Row") -> list[Touch]:
        """Give the errors that a fix fixed, or a part of them."""
        if row.kind != "fix" or row.stated not in ("worked", "partial"):
            return []
        if row.id not in self._fixed:
            catalog = self._memory.derived.opened
            errors = catalog.linked_from(row.file, "fixes")
            self._fixed[row.id] = [Touch(error, FIXED, row.id) for error in errors]
        return self._fixed[row.id]


def place_typed(memory: "View", typed: str) -> tuple[str, int]:
    """Read ``PATH`` or ``PATH:LINE`` as it was typed; the line is 0 where none is named.

    Raises:
        InvalidError: the line is no number from 1.

    """
    path, colon, number = typed.rpartition(":")
    whole = memory.path(typed)
    if not colon or not path or os.path.lexists(os.path.join(memory.site.root, whole)):
        return whole, 0
    if not number.isascii() or not number.isdigit() or not int(number):
        raise InvalidError(f"{typed}: {number!r} is no line", "write PATH:LINE, from 1")
    return memory.path(path), int(number)
