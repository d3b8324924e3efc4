"""Attempts as advice weighs them: rows of the catalog, with what else it knows of each."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from gitmem.learning.advice import CLAIMED, Trial
from gitmem.memory.anchors.withheld_records import known_stale
from gitmem.memory.failures.precedence import with_precedence
from gitmem.memory.failures.verdicts import SUPERSEDED, judged

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.catalog.rows import Row
    from gitmem.memory.core.derived_state import Snapshot
    from gitmem.memory.core.workspace import Workspace

_AT_ONCE: Final = 500
_SQL: Final = (
    "SELECT a.id, a.approach, a.verified, l.target FROM attempts a LEFT JOIN record_links l"
    " ON l.id = a.id AND l.relation = 'reuses' WHERE a.id IN ({})"
)


def trials_of(workspace: "Workspace", fixes: "Iterable[Row]", label: str) -> list[Trial]:
    """Make trials of fix attempts, with the verdict that every other face tells of them.

    Args:
        workspace: of the memory.
        fixes: the attempts.
        label: how what they were made on and what is asked about are alike.

    """
    rows = {row.id: row for row in fixes}
    details = _details(workspace, list(rows))
    trials = []
    every = {row.id: row for row in judged(workspace, list(rows.values()))}
    every = {name: row for name, row in every.items() if row.verdict != SUPERSEDED}
    for row in with_precedence(workspace, every, [every.values()]).values():
        approach, verified, reuses = details.get(row.id, ("", "", ""))
        checked = row.helped and row.evidence > 0 and verified == "passed"
        words = approach or row.title
        # Another record's run, or another person's word, is no proof of its own.
        verdict = row.verdict if row.evidence else CLAIMED
        trials.append(
            Trial(row.id, words, verdict, row.created, label, checked, reuses or "", row.came)
        )
    return trials


def standing(workspace: "Workspace", rows: "Iterable[Row]") -> "list[Row]":
    """Leave out records of which a look at the files shows that they are stale.

    Where a file is not there under its name, only git could tell whether it was renamed; that
    is not asked here, as for hits of a search.
    """
    records = list(rows)
    doubtful = known_stale(workspace, records)
    return [row for row in records if not (row.id in doubtful and doubtful[row.id].stale)]


def _details(workspace: "Workspace", names: Sequence[str]) -> dict[str, tuple[str, str, str]]:

    def question(now: "Snapshot") -> dict[str, tuple[str, str, str]]:
        details: dict[str, tuple[str, str, str]] = {}
        for at in range(0, len(names), _AT_ONCE):
            some = names[at : at + _AT_ONCE]
            sql = _SQL.format(", ".join("?" * len(some)))
            details |= {row[0]: row[1:] for row in now.catalog.ask(sql, some, -1).rows}
        return details

    return workspace.ask(question)
