"""What is known more at one time than at another: records that came, changed, or turned."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gitmem.answers import Differences, Turn

if TYPE_CHECKING:
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
    lost, found = _rows(former, gone), _rows(latter, come)
    # A record that only moved to another file is in both.
    there = former.by_id(found).keys()
    here = latter.by_id(lost).keys()
    added = [row for row in found.values() if row.id not in there]
    removed = [row for row in lost.values() if row.id not in here]
    edited = [row for row in found.values() if row.id in there]
    near = _near(former, lost.values()) | _near(latter, found.values())
    were, are = former.by_id(near), latter.by_id(near)
    turned = [
        Turn(row, were[row.id].status)
        for row in are.values()
        if row.id in were and were[row.id].status != row.status
    ]
    return Differences(
        newest(added),
        newest(removed),
        newest(edited),
        sorted(turned, key=lambda one: (one.row.created, one.row.id), reverse=True),
        frozenset(gone | come),
    )


def newest(rows: "Iterable[Row]") -> "list[Row]":
    """Sort records, the newest first."""
    return sorted(rows, key=lambda row: (row.created, row.id), reverse=True)


def _rows(catalog: "Catalog", paths: Iterable[str]) -> "dict[str, Row]":
    numbers = [state.file for state in catalog.states_of(paths).values()]
    return {row.id: row for row in catalog.by_file(numbers).values()}


def _near(catalog: "Catalog", rows: "Iterable[Row]") -> set[str]:
    """Give the ids on whose status some records can have a say."""
    ids = {row.id for row in rows}
    files = [row.file for row in rows]
    targets = {target for file in files for _, target in catalog.links_from(file)}
    return catalog.same_as(ids | targets)
