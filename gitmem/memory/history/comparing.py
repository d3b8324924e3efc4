"""What is known more at one time than at another: records that came, changed, or turned."""

from typing import TYPE_CHECKING

from gitmem.answers import Differences, Turn
from gitmem.memory.history.changed import newest, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitmem.catalog.catalog import Catalog
    from gitmem.catalog.rows import Row
    from gitmem.memory.view import View


def differences(before: "View", after: "View") -> Differences:
    """Compare two states of one memory."""
    former = before.derived.mended(lambda: before.derived.catalog(before.progress))
    latter = after.derived.mended(lambda: after.derived.catalog(after.progress))
    old, new = former.digests(), latter.digests()
    gone = {path for path, digest in old.items() if new.get(path) != digest}
    come = {path for path, digest in new.items() if old.get(path) != digest}
    lost = {row.id: row for row in rows_of(former, gone)}
    found = {row.id: row for row in rows_of(latter, come)}
    # A record that only moved to another file is in both.
    there = former.by_id(found).keys()
    here = latter.by_id(lost).keys()
    return Differences(
        newest(row for row in found.values() if row.id not in there),
        newest(row for row in lost.values() if row.id not in here),
        newest(row for row in found.values() if row.id in there),
        turned(former, latter, [*lost.values()], [*found.values()]),
        frozenset(gone | come),
    )


def turned(
    former: "Catalog", latter: "Catalog", lost: "Sequence[Row]", found: "Sequence[Row]"
) -> list[Turn]:
    """Give the records of both states whose status is another one afterwards, newest first.

    Args:
        former: the former state.
        latter: the later state.
        lost: records whose files went or changed, as they were.
        found: records whose files came or changed, as they are.

    """
    near = _near(former, lost) | _near(latter, found)
    were, are = former.by_id(near), latter.by_id(near)
    both = newest(row for row in are.values() if row.id in were)
    return [Turn(row, were[row.id].status) for row in both if were[row.id].status != row.status]


def _near(catalog: "Catalog", rows: "Iterable[Row]") -> set[str]:
    """Give the ids on whose status some records can have a say."""
    ids = {row.id for row in rows}
    files = [row.file for row in rows]
    targets = {target for file in files for _, target in catalog.links_from(file)}
    return catalog.same_as(ids | targets)
