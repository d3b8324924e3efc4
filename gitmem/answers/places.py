"""Values about lines of code: where anchors are now, and which records touched a line."""

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.git.provenance import Provenance
    from gitmem.matching.relocate import SoughtLines
    from gitmem.records.issues import Issue


_SHORT: Final = 10
"""Letters of a commit's id."""


def _lines_left(alive: int, lines: int) -> str:
    if alive == lines:
        return "the fix's lines are all still there"
    if not alive:
        return "the fix's lines are all gone"
    return f"{alive} of {lines} lines of the fix are still there"


class RecordAnchor(NamedTuple):
    """A place that a record names.

    Attributes:
        row: the record.
        path: as the record has it.
        target: the lines, as they were.
        symbol: the function or class, if it is known.
        why: ``anchor``, or ``error`` for the place where an error showed.
        commit: a commit that the record itself names; usually empty.

    """

    row: "Row"
    path: str
    target: "SoughtLines"
    symbol: str = ""
    why: str = "anchor"
    commit: str = ""


class FoundLines(NamedTuple):
    """Where such a place is now.

    Attributes:
        path: relative to the folder that the memory belongs to.
        first, last: lines, from 1; 0: the whole file.
        how: ``exact``: the same lines of the same file; ``mapped``: other lines of it;
            ``renamed``: the file has another name; ``quote``: only the quoted line is left;
            ``symbol``: the function or class that they hold, which was edited since.

    """

    path: str
    first: int
    last: int
    how: str


class PlacedAnchor(NamedTuple):
    """A place that a record names, and where it is; or why that is not known.

    Attributes:
        wanted: what the record says.
        held: where it is now; None: nobody can tell.
        reason: why not, in a few words; empty if it is known.

    """

    wanted: RecordAnchor
    held: FoundLines | None
    reason: str = ""


class Touch(NamedTuple):
    """A record that touched a line.

    Attributes:
        row: the record.
        why: how that is known, such as ``anchored here`` or ``same commit``.
        detail: what there is to say of it: how an anchor was found, the commit, the fix.

    """

    row: "Row"
    why: str
    detail: str = ""


class Lines(NamedTuple):
    """Lines that the same records touched.

    Attributes:
        first, last: numbers, from 1.
        commit: id of the commit that brought them; empty: none, or it is not known.
        touches: the records; the surest reason first.

    """

    first: int
    last: int
    commit: str
    touches: tuple[Touch, ...]


class FileHistory(NamedTuple):
    """What touched a file, or one line of it.

    Attributes:
        path: the file, relative to the folder that the memory belongs to.
        line: the line that was asked about; 0: all.
        governing: decisions that govern the whole file, and are in force or proposed.
        lines: lines, top down; all that were asked about.
        withheld: places in this file that records name and that can't be told any more.
        notes: what could not be found out, a line each.
        issues: those that the records belong to, by the records' ids.

    """

    path: str
    line: int
    governing: list[Touch]
    lines: list[Lines]
    withheld: list[PlacedAnchor]
    notes: list[str]
    issues: Mapping[str, "tuple[Issue, ...]"] = {}

    @property
    def touches(self) -> list[Touch]:
        """All records that touched one of the lines, each once."""
        by_id = {touch.row.id: touch for lines in reversed(self.lines) for touch in lines.touches}
        return list(by_id.values())


class RecordOrigin(NamedTuple):
    """Where a record comes from.

    Attributes:
        known: what git says; None if it can't.
        why_not: why it can't, in a few words; empty if it can.
        path: the record's file, relative to the work tree's top.

    """

    known: "Provenance | None"
    why_not: str
    path: str


class Regression(NamedTuple):
    """An error that came back, and the fix that had worked.

    Attributes:
        error: its newest record.
        fix: the newest fix that worked and was written before the error came back.
        commit: id of the commit that fixed it; empty: none, or it is not known.
        held: that commit can be reached from what is checked out.
        lines: how many telling lines its patch added; 0: not known.
        alive: how many of those are still in the files as they are.
        good, bad: commits between which it came back; empty: not known.
        why_not: why there is no range; empty if there is one.
        command: what shows the error; empty: it was not recorded.
        edited: a file of the fix that differs from what is committed: that may have brought it
            back, and no commit; empty: there is none, or nobody asked.

    """

    error: "Row"
    fix: "Row"
    commit: str
    held: bool
    lines: int
    alive: int
    good: str
    bad: str
    why_not: str
    command: str
    edited: str = ""

    @property
    def fate(self) -> str:
        """What became of the fix, in a line."""
        state = "in no commit that is known here"
        if self.commit:
            where = "part of" if self.held else "not part of"
            state = f"fixed in {self.commit[:_SHORT]}, which is {where} what is checked out"
        return f"{state}; {_lines_left(self.alive, self.lines)}" if self.lines else state

    @property
    def suspicion(self) -> str:
        """What may have brought it back, in a line; empty: no edit that is not committed."""
        edited = " ".join(self.edited.split())
        return f"your uncommitted edit of {edited} may have brought it back" if edited else ""

    @property
    def script(self) -> list[str]:
        """The commands of git that search the range; none if there is no range or command."""
        if not self.good or not self.command:
            return []
        return [
            f"git bisect start {self.bad[:10]} {self.good[:10]}",
            f"git bisect run sh -c {shlex.quote(self.command)}",
            "git bisect reset",
        ]
