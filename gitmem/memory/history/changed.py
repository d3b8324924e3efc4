"""What became of the files of records between two commits, or up to what lies there now.

git tells which files differ: ignored ones do not count, and those that a sparse checkout leaves
out are not gone.
"""

from collections.abc import Collection, Iterable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.git.objects import Objects
from gitmem.git.ranges import ChangedFile, Range, changed_files
from gitmem.records.layout import id_in
from gitmem.store.listing import is_record

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.catalog.rows import Row
    from gitmem.git.places import GitDirs
    from gitmem.memory.view import View

_GONE: Final = "D"
_NEW: Final = "A"


class RecordChanges(NamedTuple):
    """Records that came, changed or went; rows are newest first.

    Attributes:
        added: records that came.
        edited: records whose files are not as they were, or are called otherwise.
        removed: files of records that are gone, relative to the memory's folder.
        paths: all files of records that differ, relative to it, also those that hold none.

    """

    added: "list[Row]"
    edited: "list[Row]"
    removed: list[str]
    paths: frozenset[str]


def changed(memory: "View", after: "View", span: Range) -> RecordChanges:
    """Tell what became of records.

    Args:
        memory: the memory.
        after: the memory as it is at the end of the range.
        span: the range.

    Raises:
        EnvironmentProblem: this is no git repository, or git refuses.

    """
    places = memory.site.require_git()
    files = record_files(memory, span)
    there = {path for path, how in files.items() if how != _GONE}
    gone = _ids_of(places, memory, span, [path for path, how in files.items() if how == _GONE])
    catalog = after.derived.mended(lambda: after.derived.catalog(after.progress))
    rows = newest(rows_of(catalog, there))
    here = {row.id for row in rows}
    moved = here & set(gone.values())
    return RecordChanges(
        [row for row in rows if files[row.path] == _NEW and row.id not in moved],
        [row for row in rows if files[row.path] != _NEW or row.id in moved],
        [path for path, name in gone.items() if name not in moved],
        frozenset(files),
    )


def record_files(memory: "View", span: Range, only: Collection[str] = ()) -> dict[str, str]:
    """Give what became of each file of a record that differs, by its path in the memory's folder.

    Letters are those of ``git.ranges.FileChange``.

    Args:
        memory: the memory.
        span: the range.
        only: files of records that are looked at, relative to that folder; none: all.

    """
    places = memory.site.require_git()
    folder = memory.site.folder_in_repository
    found = changed_files(places, span, folder, paths=[f"{folder}/{path}" for path in sorted(only)])
    return {path: one.how for one in found if is_record(path := inside(one, folder))}


def inside(change: ChangedFile, folder: str) -> str:
    """Give a changed file's path relative to a folder that it lies in."""
    return change.path[len(folder) + 1 :]


def rows_of(catalog: "Catalog", paths: Iterable[str]) -> "list[Row]":
    """Give the records in some files."""
    numbers = [state.file for state in catalog.states_of(paths).values()]
    return list(catalog.by_file(numbers).values())


def newest(rows: "Iterable[Row]") -> "list[Row]":
    """Sort records, the newest first."""
    return sorted(rows, key=lambda row: (row.created, row.id), reverse=True)


def _ids_of(places: "GitDirs", memory: "View", span: Range, paths: Sequence[str]) -> dict[str, str]:
    """Give the ids of files that are gone: most names tell it, else the file as it was."""
    found = {path: id_in(path) or "" for path in paths}
    folder = memory.site.folder_in_repository
    with closing(Objects(places)) as objects:
        for path in [path for path, name in found.items() if not name]:
            read = objects.read(f"{span.before}:{folder}/{path}", memory.store.max_bytes)
            found[path] = _id_of(read[0], path) if read else ""
    return found


def _id_of(data: bytes, path: str) -> str:
    from gitmem.records.convert import decode  # noqa: PLC0415  start-up: YAML

    record = decode(data, path).record
    return record.id if record else ""
