"""Changes of record files between two commits, or between a commit and the work tree.

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
    from gitmem.memory.core.site import Site
    from gitmem.memory.core.workspace import Workspace

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


class BranchChanges(NamedTuple):
    """What became of records since a branch left the default one, committed or not.

    Attributes:
        branch: what is checked out; empty: no branch.
        base: the default branch, as ``main`` or ``origin/main``; empty: there is none.
        records: what came, changed or went.
        uncommitted: files of records that differ from the last commit, relative to the memory's
            folder.

    """

    branch: str
    base: str
    records: RecordChanges
    uncommitted: frozenset[str]


class FileChanges(NamedTuple):
    """What git tells of the files of records in a range.

    Attributes:
        how: what became of each that differs, see ``record_files``.
        gone: the ids of the records in those that are gone; empty: it held none.

    """

    how: dict[str, str]
    gone: dict[str, str]


def file_changes(workspace: "Workspace", span: Range) -> FileChanges:
    """Ask git what became of the files of records.

    Raises:
        EnvironmentProblem: this is no git repository, or git refuses.

    """
    files = record_files(workspace.site, span)
    gone = [path for path, how in files.items() if how == _GONE]
    return FileChanges(files, _ids_of(workspace, span, gone))


def changed(changes: FileChanges, after: "Catalog") -> RecordChanges:
    """Tell what became of records.

    Args:
        changes: what became of their files in a range.
        after: the records as they are at its end.

    """
    files, gone = changes
    rows = newest(rows_of(after, files.keys() - gone.keys()))
    moved = {row.id for row in rows} & set(gone.values())
    return RecordChanges(
        [row for row in rows if files[row.path] == _NEW and row.id not in moved],
        [row for row in rows if files[row.path] != _NEW or row.id in moved],
        [path for path, record in gone.items() if record not in moved],
        frozenset(files),
    )


def record_files(site: "Site", span: Range, only: Collection[str] = ()) -> dict[str, str]:
    """Give what became of each file of a record that differs, by its path in the memory's folder.

    Letters are those of ``git.ranges.ChangedFile``.

    Args:
        site: of the memory.
        span: the range.
        only: files of records that are looked at, relative to that folder; none: all.

    """
    folder = site.folder_in_repository
    paths = [f"{folder}/{path}" for path in sorted(only)]
    changes = changed_files(site.require_git(), span, folder, paths=paths)
    return {path: change.how for change in changes if is_record(path := inside(change, folder))}


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


def _ids_of(workspace: "Workspace", span: Range, paths: Sequence[str]) -> dict[str, str]:
    """Give the ids of files that are gone: most names tell it, else the file as it was."""
    site, most_bytes = workspace.site, workspace.store.max_bytes
    ids = {path: id_in(path) or "" for path in paths}
    with closing(Objects(site.require_git())) as objects:
        for path in [path for path, record in ids.items() if not record]:
            name = f"{span.before}:{site.folder_in_repository}/{path}"
            content = objects.read(name, most_bytes)
            ids[path] = _id_of(content[0], path) if content else ""
    return ids


def _id_of(data: bytes, path: str) -> str:
    from gitmem.records.convert import decode

    record = decode(data, path).record
    return record.id if record else ""
