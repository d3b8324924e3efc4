"""Completions of ids, tags and paths that exist."""

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.query import Filters
from gitmem.records.layout import KIND_OF, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.catalog.catalog import Catalog
    from gitmem.memory.core.workspace import Workspace
    from gitmem.records.shape import Names

_MOST: Final = 100


class Offer(NamedTuple):
    """Something that may be typed, with a word on what it is."""

    text: str
    detail: str


def complete(workspace: "Workspace", names: "Names", start: str) -> list[Offer]:
    """Give what is there of a sort, the likeliest first, at most a hundred.

    Args:
        workspace: of the memory.
        names: what is named: record, error, fix, session, tag or path.
        start: what was typed already.

    """
    if names == "path":
        return sorted(_paths(workspace.site.root, start))[:_MOST]
    return workspace.ask(lambda now: _from_catalog(now.catalog, names, start))


def _from_catalog(catalog: "Catalog", names: "Names", start: str) -> list[Offer]:
    if names == "tag":
        return [Offer(tag, f"{count} records") for tag, count in catalog.tags(start, _MOST)]
    kind = names if names != "record" else kind_of(start) if "-" in start else ""
    kinds = (kind,) if kind else ()
    rows = catalog.rows(Filters(kinds=kinds), "created", _MOST)
    prefix, _, rest = start.partition("-")
    if rest and prefix in KIND_OF:
        rows = [*catalog.by_prefix(start, _MOST), *rows]
    unique = {row.id: row for row in rows if not kinds or row.kind in kinds}
    return [Offer(row.id, f"{row.title} ({row.status})") for row in unique.values()][:_MOST]


def _paths(root: str, start: str) -> "Iterator[Offer]":
    folder, _, begin = start.rpartition("/")
    full = os.path.realpath(os.path.join(root, folder))
    if os.path.commonpath([full, os.path.realpath(root)]) != os.path.realpath(root):
        return
    try:
        entries = list(os.scandir(full))
    except OSError:
        return
    for entry in entries:
        hidden = entry.name.startswith(".") and not begin.startswith(".")
        if entry.name.startswith(begin) and not hidden and entry.name != ".git":
            inside = "/".join(filter(None, (folder, entry.name)))
            is_folder = entry.is_dir(follow_symlinks=False)
            yield Offer(inside + "/" * is_folder, "folder" if is_folder else "file")
