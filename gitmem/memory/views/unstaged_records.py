"""Records that belong to the staged change of code and are not staged yet."""

import fnmatch
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from gitmem.git.branch_point import unstaged

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.catalog.rows import Row
    from gitmem.memory.core.derived_state import Snapshot
    from gitmem.memory.core.workspace import Workspace

# Of these roles are paths that a record is about; a session's branch is none.
_GLOBS: Final = "governs"
_NO_PATH: Final = "branch"


def belonging(workspace: "Workspace", paths: Collection[str], session: str | None) -> "list[Row]":
    """Give the records that belong to a change and are not staged with it yet, newest first.

    They speak of a file of the change, were written in the live session, or one of the two is
    linked with a record that speaks of such a file.

    Args:
        workspace: of the memory.
        paths: files of the change, relative to the folder that the memory belongs to.
        session: the live session's id; None: there is none.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    site = workspace.site
    git_dirs = site.git_dirs
    if git_dirs is None or not paths:
        return []
    files = unstaged(git_dirs, site.folder_in_repository)
    changed = frozenset(paths)

    def question(now: "Snapshot") -> "list[Row]":
        catalog = now.catalog
        rows = _rows(catalog, files)
        linked = {row.id: _linked(catalog, row) for row in rows}
        speaking = _speaking(catalog, rows, changed)
        speaking |= _speaking(catalog, (row for rows in linked.values() for row in rows), changed)
        return [
            row
            for row in rows
            if row.id in speaking
            or (session and row.session == session)
            or any(neighbour.id in speaking for neighbour in linked[row.id])
        ]

    return workspace.ask(question)


def _linked(catalog: "Catalog", row: "Row") -> "list[Row]":
    """Give the records that a record links to, and those that link to it."""
    targets = [
        linked for _, target in catalog.links_from(row.file) for linked in catalog.by_prefix(target)
    ]
    return [*targets, *(linking for _, linking in catalog.linking_to(row.id))]


def _speaking(catalog: "Catalog", rows: "Iterable[Row]", paths: frozenset[str]) -> set[str]:
    """Give the ids of those that speak of one of some paths."""
    ids = {row.file: row.id for row in rows}
    return {
        ids[file]
        for file, named in catalog.paths_of(ids).items()
        if any(_meets(role, path, paths) for role, path in named)
    }


def _meets(role: str, path: str, paths: frozenset[str]) -> bool:
    """Tell whether a path that a record names in a role is, or holds, one of some paths."""
    if role != _GLOBS:
        return role != _NO_PATH and path in paths
    # As the catalog's own question: a bracket is a bracket, and a folder stands for what is in it.
    glob = path.rstrip("/").replace("[", "[[]")
    return any(
        fnmatch.fnmatchcase(changed, glob) or fnmatch.fnmatchcase(changed, f"{glob}/*")
        for changed in paths
    )


def _rows(catalog: "Catalog", files: Sequence[str]) -> "list[Row]":
    numbers = [state.file for state in catalog.states_of(files).values()]
    rows = catalog.by_file(numbers).values()
    return sorted(rows, key=lambda row: (row.created, row.id), reverse=True)
