"""What is known about failures and places in the code: for editors, which ask for many at once."""

import os
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from gitmem.capture.around import NEIGHBOURS
from gitmem.capture.drafts import Drafts
from gitmem.capture.recognising import Recognised, recognise
from gitmem.capture.telling import Attempt, Told, badge, in_order
from gitmem.errors import GitmemError
from gitmem.git.state import file_stamp, moves, tip_stamp
from gitmem.matching.failure import Failure
from gitmem.memory.site import user_config_path
from gitmem.memory.wiring import seen_of
from gitmem.query import Filters
from gitmem.records.kinds import Decision, Error, Fix
from gitmem.records.layout import MARKER
from gitmem.records.parts import Location
from gitmem.store.journal import Journal

if TYPE_CHECKING:
    from gitmem.capture.learnt import Draft
    from gitmem.catalog.rows import Row
    from gitmem.git.provenance import Origin
    from gitmem.memory.memory import Memory
    from gitmem.memory.view import View
    from gitmem.records.kinds import Record
    from gitmem.records.parts import Frame

_MOST_READ = 12
_MOST_ATTEMPTS = 6
_MOST_AT_PATH = 60


class _DraftsOnce(Drafts):
    """Drafts of which the journal is read once, for many failures."""

    def _folded(self) -> "dict[str, tuple[Draft, str]]":
        return self._once

    @cached_property
    def _once(self) -> "dict[str, tuple[Draft, str]]":
        return super()._folded()


def known(memory: "Memory", failures: Iterable[Failure]) -> list[Recognised]:
    """Tell what is known about failures, in their order.

    Args:
        memory: the memory.
        failures: as the parsers make them; paths may be absolute.

    """
    drafts = _DraftsOnce(Journal(memory.site.journal))
    seen = [seen_of(memory, one) for one in failures]

    def ask() -> list[Recognised]:
        catalog = memory.derived.catalog(memory.progress)
        return [recognise(catalog, drafts, one) for one in seen]

    return memory.derived.mended(ask)


class Teller:
    """Reads what a recognised failure's attempts say; commits are asked of git once.

    Args:
        memory: the memory; its catalog is asked as it is.

    """

    def __init__(self, memory: "View") -> None:
        self._memory = memory
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
        if self._memory.site.places is None:
            return False
        self._moves, only_added = moves(self._memory.site.places, self._moves)
        if only_added is not None:
            self._only_added = only_added
        return self._only_added

    def tell(self, one: Recognised, most: int = _MOST_ATTEMPTS) -> Told:
        """Add to a recognised failure what came of the attempts on it.

        Args:
            one: the failure.
            most: attempts that are told. Commits are told of the first six only: each takes git
                some milliseconds.

        """
        newest = sorted(one.attempts, key=lambda row: row.created, reverse=True)
        newest.sort(key=lambda row: row.stated != "worked")
        found = []
        for row in newest[: max(_MOST_READ, most)]:
            fix = read(self._memory, row)
            if isinstance(fix, Fix):
                found.append(Attempt(row, fix, badge(fix, one, row.created), None))
        kept = in_order(found)[:most]
        told = [one._replace(origin=self.origin(one.row)) for one in kept[:_MOST_ATTEMPTS]]
        told += kept[_MOST_ATTEMPTS:]
        return Told(one, tuple(told), len(one.attempts) - len(told))

    def origin(self, row: "Row") -> "Origin | None":
        """Give the commit that added a record; None while it is in none, or git can't tell."""
        if row.path in self._origins:
            return self._origins[row.path]
        from gitmem.git.provenance import origin_of  # noqa: PLC0415  start-up

        site = self._memory.site
        if site.places is None:
            return None
        folder = os.path.relpath(site.folder, site.places.root).replace(os.sep, "/")
        try:
            origin = origin_of(site.places, f"{folder}/{row.path}")
        except GitmemError as error:
            self._memory.derived.notices.append(error.message)
            return None
        self._origins[row.path] = origin
        return origin


def read(memory: "View", row: "Row") -> "Record | None":
    """Read a row's record; None if its file went away or is broken by now."""
    from gitmem.records.convert import decode  # noqa: PLC0415  start-up
    from gitmem.store.files import ProblemError  # noqa: PLC0415  start-up

    try:
        return decode(memory.store.read(row.path), row.path).record
    except (OSError, ProblemError):
        return None


class Mark(NamedTuple):
    """A line of a file that a record speaks of.

    Attributes:
        row: the record.
        line: from 1, as it was when the record was written; 0: the whole file.
        last: the last line, where it speaks of several.
        text: what stood in that line, stripped; empty: it is not known.
        why: ``governs``, ``anchor`` or ``error``.

    """

    row: "Row"
    line: int
    last: int
    text: str
    why: str


def marks(memory: "View", path: str) -> list[Mark]:
    """List what records say about a file: decisions that govern it, and past errors in it.

    Args:
        memory: the memory.
        path: relative to the folder that the memory belongs to, or absolute.

    """
    inside = os.path.relpath(path, memory.site.root) if os.path.isabs(path) else path
    inside = inside.replace(os.sep, "/")
    if inside.startswith("../") or not inside:
        return []
    filters = Filters(kinds=("decision", "error"), paths=(inside,))
    rows = memory.derived.mended(
        lambda: memory.derived.catalog(memory.progress).rows(filters, limit=_MOST_AT_PATH)
    )
    found = []
    for row in rows:
        if row.status in ("superseded", "rejected"):
            continue
        record = read(memory, row)
        if record:
            found += _marks_of(row, record, inside)
    return found


def _marks_of(row: "Row", record: "Record", path: str) -> list[Mark]:
    found = []
    for anchor in record.anchors:
        if anchor.path == path:
            first, last = anchor.lines or (0, 0)
            text = anchor.quote.strip().partition("\n")[0].strip()
            found.append(Mark(row, first, last, text, "anchor"))
    if isinstance(record, Error):
        # Innermost frame first: that is where it went wrong.
        for place in (*reversed([one for one in record.frames if one.in_app]), record.location):
            if place and place.line and _same(place.file, path):
                # Without its text a line can't be told from what has moved there since.
                if text := _text_of(place):
                    found.append(Mark(row, place.line, place.line, text, "error"))
                break
    if isinstance(record, Decision) and record.governs and not found:
        found.append(Mark(row, 0, 0, "", "governs"))
    return found


def _text_of(place: "Frame | Location") -> str:
    """Give the text of the line that failed: as the tool printed it, or as the file had it."""
    code = place.code.strip().partition("\n")[0].strip()
    around = place.around.split("\n") if isinstance(place, Location) and place.around else []
    middle = min((place.line or 1) - 1, NEIGHBOURS)
    return code or (around[middle].strip() if middle < len(around) else "")


def _same(recorded: str, path: str) -> bool:
    return recorded.replace("\\", "/").removeprefix("./") == path


def settings_stamp(memory: "View") -> tuple[object, ...]:
    """Give what differs once the settings of the team or the user were changed."""
    paths = (os.path.join(memory.site.folder, MARKER), user_config_path(memory.environ))
    return tuple(file_stamp(path) for path in paths)


def commit_stamp(memory: "View") -> tuple[object, ...]:
    """Give what differs once another commit is checked out, also one just made."""
    return tip_stamp(memory.site.places) if memory.site.places else ()


def edition(memory: "View") -> tuple[object, ...]:
    """Give what differs once there is more to know; for a memory that answers at once."""
    from gitmem.sync.at_once import AtOnce  # noqa: PLC0415  start-up

    derived = memory.derived
    made = derived.edition() if isinstance(derived, AtOnce) else (0, 0)
    return *made, file_stamp(os.path.join(memory.site.journal, "drafts.jsonl"))
