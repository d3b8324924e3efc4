"""The lines of a file that records speak of: decisions that govern it, past errors in it."""

import os
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.errors import GitmemError
from gitmem.git.file_fates import committed_names_of, is_committed, staged_names_of
from gitmem.matching.relocate import FileText, LineRange, LostLines, along
from gitmem.matching.symbols import definition_of
from gitmem.memory.anchors.anchor_finder import AnchorFinder
from gitmem.memory.anchors.record_anchors import governs, wanted_of
from gitmem.memory.core.records import read_record
from gitmem.query import Filters
from gitmem.records.kinds import Decision
from gitmem.system import relative_path

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.git.git_dirs import GitDirs
    from gitmem.memory.core.workspace import Workspace

_MOST_RECORDS: Final = 60
_SECONDS: Final = 1
"""That an editor waits for the former names of a file."""
_OVER: Final = ("superseded", "rejected")


class Mark(NamedTuple):
    """A line of a file that a record speaks of.

    Attributes:
        row: the record.
        line: from 1, as it is in the work tree; 0: the whole file.
        last: the last line, where it speaks of several.
        text: what stands in that line, stripped; empty: it is the whole file.
        why: ``governs``, ``anchor`` or ``error``.
        within: the file's text of which this is a line; None: it is the whole file.
        path: the file's.
        symbol: the function or class that these lines hold; empty: none.

    """

    row: "Row"
    line: int
    last: int
    text: str
    why: str
    within: "FileText | None" = None
    path: str = ""
    symbol: str = ""

    def lines_in(self, lines: Sequence[str]) -> tuple[int, int]:
        """Find its lines (from 0) in a text that may be newer; (-1, -1): they can't be found.

        Args:
            lines: the file's, as an editor has them, with their ends or without.

        """
        if self.within is None:
            return 0, 0
        text = FileText([line.rstrip("\r\n") for line in lines])
        spot = along(self.within, text, self.line - 1, self.last - 1)
        if self.symbol and (isinstance(spot, LostLines) or spot.by_quote):
            # Edited inside, it is still the function that the record is about.
            here = definition_of(self.path, text.lines, self.symbol)
            spot = LineRange(here.first, here.last) if here else spot
        return (-1, -1) if isinstance(spot, LostLines) else (spot.first - 1, spot.last - 1)


class FormerNames:
    """The names that files had before; git is asked once for each of a commit.

    Args:
        workspace: of the memory.

    """

    def __init__(self, workspace: "Workspace") -> None:
        self._workspace = workspace
        self._stamp: tuple[object, ...] = ()
        self._committed: dict[str, tuple[list[str], bool]] = {}

    def of(self, inside: str) -> list[str]:
        """Give the former names of a file, as far as git tells them soon."""
        site = self._workspace.site
        if site.git_dirs is None:
            return []
        prefix = f"{site.package_in_repository}/".removeprefix("/")
        try:
            names = self._names(site.git_dirs, prefix + inside)
        except GitmemError as error:
            self._workspace.notices.append(error.message)
            return []
        return [name[len(prefix) :] for name in names if name.startswith(prefix)]

    def _names(self, git_dirs: "GitDirs", path: str) -> list[str]:
        stamp = self._workspace.commit_stamp()
        if stamp != self._stamp:
            self._stamp, self._committed = stamp, {}
        if path not in self._committed:
            names = committed_names_of(git_dirs, path, _SECONDS)
            self._committed[path] = names, is_committed(git_dirs, path, _SECONDS)
        names, is_settled = self._committed[path]
        # git compares the whole work tree for it: not for a file that records alone know.
        exists = os.path.lexists(os.path.join(git_dirs.root, path))
        staged = staged_names_of(git_dirs, path, _SECONDS) if exists and not is_settled else []
        return list(dict.fromkeys([*names, *staged]))


def marks(workspace: "Workspace", path: str, former_names: FormerNames) -> list[Mark]:
    """List what records say about a file: decisions that govern it, and past errors in it.

    Places that can't be found any more are left out; see ``anchoring``.

    Args:
        workspace: of the memory.
        path: relative to the folder that the memory belongs to, or absolute.
        former_names: of its files.

    """
    root = workspace.site.root
    inside = relative_path(path, root) if os.path.isabs(path) else path
    inside = inside.replace(os.sep, "/")
    if inside.startswith("../") or not inside:
        return []
    names = [inside, *former_names.of(inside)]
    filters = Filters(kinds=("decision", "error"), paths=tuple(names))
    rows = workspace.ask(lambda now: now.catalog.rows(filters, limit=_MOST_RECORDS))
    records = [
        (row, record)
        for row in rows
        if row.status not in _OVER and (record := read_record(workspace, row))
    ]
    wanted = [
        wanted
        for row, record in records
        for wanted in wanted_of(row, record)
        if wanted.path in names
    ]
    by_record: dict[str, list[Mark]] = {row.id: [] for row, _ in records}
    with closing(AnchorFinder(workspace)) as anchoring:
        for placed in anchoring.place(wanted) if wanted else ():
            if placed.held is None or placed.held.path != inside:
                continue
            row, first, last = placed.wanted.row, placed.held.first, placed.held.last
            text = anchoring.now(inside) if first else None
            line = text.lines[first - 1].strip() if text else ""
            symbol = placed.wanted.symbol
            there = definition_of(inside, text.lines, symbol) if text and symbol else None
            symbol = symbol if there and first <= there.named <= last else ""
            by_record[row.id].append(
                Mark(row, first, last, line, placed.wanted.why, text, inside, symbol)
            )
    for row, record in records:
        governed = isinstance(record, Decision) and governs(record, inside, names)
        if governed and not by_record[row.id]:
            by_record[row.id].append(Mark(row, 0, 0, "", "governs"))
    return [mark for row, _ in records for mark in by_record[row.id]]
