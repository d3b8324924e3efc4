"""Differences between two states of a memory: records added, changed, or with a new status."""

from contextlib import closing
from typing import TYPE_CHECKING

from gitmem.answers.changes import Differences, StatusChange
from gitmem.git.branch_point import left_upstream
from gitmem.memory.history.record_changes import newest, rows_of
from gitmem.memory.reading.revisions import at

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitmem.catalog.catalog import Catalog
    from gitmem.catalog.rows import Row
    from gitmem.memory.core.workspace import Workspace


def diff(workspace: "Workspace", before: str = "", after: str | None = None) -> Differences:
    """Compare two revisions of a memory.

    Args:
        workspace: of the memory.
        before: the former one; empty: where this branch left its upstream or the default branch.
        after: the later one; None: the files as they are now.

    Raises:
        NotFoundError: there is no such revision.
        EnvironmentProblem: this is no git repository, or git refuses.

    """
    before = before or left_upstream(workspace.site.require_git())[0]
    with closing(at(workspace, before, or_empty=True)) as former:
        if after is None:
            return _compared(former, workspace)
        with closing(at(workspace, after, or_empty=True)) as latter:
            return _compared(former, latter)


def _compared(former: "Workspace", latter: "Workspace") -> Differences:
    return former.ask(
        lambda before: latter.ask(lambda after: _differences(before.catalog, after.catalog))
    )


def _differences(former: "Catalog", latter: "Catalog") -> Differences:
    old, new = former.digests(), latter.digests()
    gone = {path for path, digest in old.items() if new.get(path) != digest}
    come = {path for path, digest in new.items() if old.get(path) != digest}
    lost = {row.id: row for row in rows_of(former, gone)}
    gained = {row.id: row for row in rows_of(latter, come)}
    # A record that only moved to another file is in both.
    before = former.by_id(gained).keys()
    after = latter.by_id(lost).keys()
    return Differences(
        newest(row for row in gained.values() if row.id not in before),
        newest(row for row in lost.values() if row.id not in after),
        newest(row for row in gained.values() if row.id in before),
        turned(former, latter, [*lost.values()], [*gained.values()]),
        frozenset(gone | come),
    )


def turned(
    former: "Catalog", latter: "Catalog", lost: "Sequence[Row]", gained: "Sequence[Row]"
) -> list[StatusChange]:
    """Give the records of both states whose status is another one afterwards, newest first.

    Args:
        former: the former state.
        latter: the later state.
        lost: records whose files went or changed, as they were.
        gained: records whose files came or changed, as they are.

    """
    near = _near(former, lost) | _near(latter, gained)
    were, are = former.by_id(near), latter.by_id(near)
    both = newest(row for row in are.values() if row.id in were)
    return [
        StatusChange(row, were[row.id].status) for row in both if were[row.id].status != row.status
    ]


def _near(catalog: "Catalog", rows: "Iterable[Row]") -> set[str]:
    """Give the ids on whose status some records can have a say."""
    ids = {row.id for row in rows}
    files = [row.file for row in rows]
    targets = {target for file in files for _, target in catalog.links_from(file)}
    return catalog.same_as(ids | targets)
