"""What is known about failures and places in the code: for editors, which ask for many at once."""

import os
from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from gitmem.capture.recognising import Match
from gitmem.capture.telling import AttemptDetails, MatchDetails, in_order
from gitmem.errors import GitmemError
from gitmem.git.state import moves
from gitmem.matching.failure import Failure
from gitmem.matching.relocate import FileText, LostLines, along
from gitmem.memory.core.fingerprints import fingerprinted
from gitmem.memory.core.records import read_record
from gitmem.memory.failures.matching import DraftsReadOnce, match
from gitmem.query import Filters
from gitmem.records.kinds import Decision, Fix

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.git.provenance import Origin
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.reading.reader import Reader
    from gitmem.memory.view import View

_MOST_READ = 12
_MOST_ATTEMPTS = 6
_MOST_AT_PATH = 60
_SECONDS = 1
"""That an editor waits for the former names of a file."""


def known(reader: "Reader", failures: Iterable[Failure]) -> list[Match]:
    """Tell what is known about failures that were parsed, in their order.

    Args:
        reader: answers about the memory's records.
        failures: as the parsers make them; paths may be absolute.

    """
    workspace = reader.workspace
    drafts = DraftsReadOnce(workspace.journal)
    return match(reader, drafts, [fingerprinted(workspace, failure) for failure in failures])


class AttemptReader:
    """Reads what a recognised failure's attempts say; commits are asked of git once.

    Args:
        workspace: of the memory; its catalog is asked as it is.

    """

    def __init__(self, workspace: "Workspace") -> None:
        self._workspace = workspace
        # Kept as well where there is none: what is not committed yet is asked for after
        # ``forget`` only.
        self._origins: dict[str, Origin | None] = {}
        self._moves = 0
        self._only_added = False
        self._look_at_moves()

    def forget(self) -> None:
        """Ask git anew: another commit is checked out.

        Where that was only added to the one before, what was in a commit is so still.
        """
        only_added = self._look_at_moves()
        self._origins = {path: one for path, one in self._origins.items() if one and only_added}

    def _look_at_moves(self) -> bool:
        """Tell whether HEAD only gained commits since the last look."""
        if self._workspace.site.git_dirs is None:
            return False
        self._moves, only_added = moves(self._workspace.site.git_dirs, self._moves)
        if only_added is not None:
            self._only_added = only_added
        return self._only_added

    def tell(self, one: Match, most: int = _MOST_ATTEMPTS) -> MatchDetails:
        """Add to a recognised failure what came of the attempts on it.

        Args:
            one: the failure.
            most: attempts that are told. Commits are told of the first six only: each takes git
                some milliseconds.

        """
        newest = sorted(one.suggested, key=lambda row: row.created, reverse=True)
        newest.sort(key=lambda row: row.usefulness)
        found = []
        for row in newest[: max(_MOST_READ, most)]:
            fix = read_record(self._workspace, row)
            if isinstance(fix, Fix):
                found.append(AttemptDetails(row, fix, None))
        kept = in_order(found)[:most]
        told = [one._replace(origin=self.origin(one.row)) for one in kept[:_MOST_ATTEMPTS]]
        told += kept[_MOST_ATTEMPTS:]
        return MatchDetails(one, tuple(told), len(one.suggested) - len(told))

    def origin(self, row: "Row") -> "Origin | None":
        """Give the commit that added a record; None while it is in none, or git can't tell."""
        if row.path in self._origins:
            return self._origins[row.path]
        from gitmem.git.provenance import origin_of  # noqa: PLC0415  start-up

        site = self._workspace.site
        if site.git_dirs is None:
            return None
        try:
            origin = origin_of(site.git_dirs, f"{site.folder_in_repository}/{row.path}")
        except GitmemError as error:
            self._workspace.notices.append(error.message)
            return None
        self._origins[row.path] = origin
        return origin


class Mark(NamedTuple):
    """A line of a file that a record speaks of.

    Attributes:
        row: the record.
        line: from 1, as it is in the work tree; 0: the whole file.
        last: the last line, where it speaks of several.
        text: what stands in that line, stripped; empty: it is the whole file.
        why: ``governs``, ``anchor`` or ``error``.
        within: the file's text of which this is a line; None: it is the whole file.

    """

    row: "Row"
    line: int
    last: int
    text: str
    why: str
    within: "FileText | None" = None


def marks(memory: "View", path: str) -> list[Mark]:
    """List what records say about a file: decisions that govern it, and past errors in it.

    Places that can't be told any more are left out; see ``anchoring``.

    Args:
        memory: the memory.
        path: relative to the folder that the memory belongs to, or absolute.

    """
    from gitmem.memory.anchors.anchoring import Anchoring  # noqa: PLC0415  start-up
    from gitmem.memory.anchors.named_places import governs, wanted_of  # noqa: PLC0415  start-up

    inside = os.path.relpath(path, memory.site.root) if os.path.isabs(path) else path
    inside = inside.replace(os.sep, "/")
    if inside.startswith("../") or not inside:
        return []
    names = [inside, *_former_names(memory, inside)]
    filters = Filters(kinds=("decision", "error"), paths=tuple(names))
    rows = memory.derived.mended(
        lambda: memory.derived.catalog(memory.progress).rows(filters, limit=_MOST_AT_PATH)
    )
    records = [
        (row, record) for row in rows if row.status not in ("superseded", "rejected")
        if (record := read_record(memory.workspace, row))
    ]  # fmt: skip
    wanted = [one for row, record in records for one in wanted_of(row, record)
              if one.path in names]  # fmt: skip
    found: dict[str, list[Mark]] = {row.id: [] for row, _ in records}
    with closing(Anchoring(memory.workspace)) as anchoring:
        for one in anchoring.place(wanted) if wanted else ():
            if one.held is None or one.held.path != inside:
                continue
            text = anchoring.now(inside) if one.held.first else None
            line = text.lines[one.held.first - 1].strip() if text else ""
            row, first, last = one.wanted.row, one.held.first, one.held.last
            found[row.id].append(Mark(row, first, last, line, one.wanted.why, text))
    for row, record in records:
        if not found[row.id] and isinstance(record, Decision) and governs(record, inside, names):
            found[row.id].append(Mark(row, 0, 0, "", "governs"))
    return [mark for row, _ in records for mark in found[row.id]]


def _former_names(memory: "View", inside: str) -> list[str]:
    """Give the names that a file had before, as far as git tells them soon."""
    places = memory.site.git_dirs
    if places is None:
        return []
    from gitmem.git.whereabouts import names_of  # noqa: PLC0415  start-up

    prefix = os.path.relpath(memory.site.root, places.root).replace(os.sep, "/")
    prefix = "" if prefix == os.curdir else f"{prefix}/"
    try:
        found = names_of(places, prefix + inside, _SECONDS)
    except GitmemError as error:
        memory.derived.notices.append(error.message)
        return []
    return [name[len(prefix) :] for name in found if name.startswith(prefix)]


def follow(mark: Mark, lines: Sequence[str]) -> tuple[int, int]:
    """Find the lines (from 0) of a mark in a text that may be newer; (-1, -1): it can't be told.

    Args:
        mark: the mark.
        lines: the file's, as an editor has them, with their ends or without.

    """
    if mark.within is None:
        return 0, 0
    text = FileText([line.rstrip("\r\n") for line in lines])
    spot = along(mark.within, text, mark.line - 1, mark.last - 1)
    return (-1, -1) if isinstance(spot, LostLines) else (spot.first - 1, spot.last - 1)
