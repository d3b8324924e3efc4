"""What there is, for views that are looked at while one works: of all, of a file, of a commit."""

import fnmatch
import os
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.git.added import unstaged
from gitmem.memory.anchors.withholding import not_stale

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.catalog.rows import Row
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.view import View

_MOST_TAGS: Final = 200
_MOST_ROWS: Final = 100
_SERIOUS: Final = ("error", "warning")
_OVER: Final = ("superseded", "rejected")
# Of these roles are paths that a record is about; a session's branch is none.
_GLOBS: Final = "governs"
_NO_PATH: Final = "branch"


class Overview(NamedTuple):
    """What a memory holds, in numbers.

    Attributes:
        counts: (kind, status, how many).
        tags: (tag, how many), the most used first, at most 200.
        problems: how many errors and warnings files have by themselves and between them. What
            only ``check`` looks at (attachments, settings, strange files, secrets) is not in it.

    """

    counts: list[tuple[str, str, int]]
    tags: list[tuple[str, int]]
    problems: int

    @property
    def total(self) -> int:
        """How many records there are."""
        return sum(count for _, _, count in self.counts)


class About(NamedTuple):
    """What concerns one file, newest first, at most 100 of each.

    Attributes:
        decisions: those that govern it or speak of a place in it, are in force or proposed, and
            not stale.
        errors: what went wrong in it.
        fixes: attempts on those errors, and those that changed the file.

    """

    decisions: "list[Row]"
    errors: "list[Row]"
    fixes: "list[Row]"


def overview(memory: "View") -> Overview:
    """Count what there is, without reading any file."""
    catalog = memory.derived.catalog(memory.progress)
    found = [*catalog.problems(), *memory.derived.file_problems]
    problems = sum(one.severity in _SERIOUS for one in found)
    return Overview(catalog.counts(), catalog.tags(limit=_MOST_TAGS), problems)


def about(workspace: "Workspace", path: str) -> About:
    """Give what concerns a file.

    Args:
        workspace: of the memory.
        path: relative to the folder that the memory belongs to; of an absolute one, which is
            outside of it, nothing is known.

    """
    if os.path.isabs(path):
        return About([], [], [])
    catalog = workspace.ask(lambda now: now.catalog)
    rows = catalog.by_file(catalog.speaking_of(path)).values()
    decisions = [row for row in rows if row.kind == "decision" and row.status not in _OVER]
    errors = _newest(row for row in rows if row.kind == "error")
    fixes = {row.id: row for row in rows if row.kind == "fix"}
    for error in errors:
        for relation, row in catalog.linking_to(error.id):
            if relation == "fixes" and row.kind == "fix":
                fixes[row.id] = row
    standing = not_stale(workspace, _newest(decisions))
    return About(standing, errors, _newest(fixes.values()))


def _newest(rows: "Iterable[Row]") -> "list[Row]":
    return sorted(rows, key=lambda row: (row.created, row.id), reverse=True)[:_MOST_ROWS]


def belonging(memory: "View", paths: Collection[str], session: str | None) -> "list[Row]":
    """Give the records that belong to a change and are not staged with it yet, newest first.

    They speak of a file of the change, were written in the live session, or one of the two is
    linked with a record that speaks of such a file.

    Args:
        memory: the memory.
        paths: files of the change, relative to the folder that the memory belongs to.
        session: the live session's id; None: there is none.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    places = memory.site.git_dirs
    if places is None or not paths:
        return []
    rows = _rows(memory, unstaged(places, _folder(memory)))
    catalog = memory.derived.catalog(memory.progress)
    wanted = frozenset(paths)
    near = {row.id: _linked(catalog, row) for row in rows}
    about_it = _speaking(catalog, rows, wanted)
    others = _speaking(catalog, (one for linked in near.values() for one in linked), wanted)
    return [
        row for row in rows
        if row.id in about_it
        or (session and row.session == session)
        or any(one.id in others or one.id in about_it for one in near[row.id])
    ]  # fmt: skip


def _linked(catalog: "Catalog", row: "Row") -> "list[Row]":
    """Give the records that a record links to, and those that link to it."""
    targets = [
        one for _, target in catalog.links_from(row.file) for one in catalog.by_prefix(target)
    ]
    return [*targets, *(one for _, one in catalog.linking_to(row.id))]


def _speaking(catalog: "Catalog", rows: "Iterable[Row]", paths: frozenset[str]) -> set[str]:
    """Give the ids of those that speak of one of some paths."""
    ids = {row.file: row.id for row in rows}
    spoken = catalog.paths_of(ids)
    return {ids[file] for file, found in spoken.items() if any(_meets(one, paths) for one in found)}


def _meets(spoken: tuple[str, str], paths: frozenset[str]) -> bool:
    role, path = spoken
    if role != _GLOBS:
        return role != _NO_PATH and path in paths
    # As the catalog's own question: a bracket is a bracket, and a folder stands for what is in it.
    glob = path.rstrip("/").replace("[", "[[]")
    return any(fnmatch.fnmatchcase(one, glob) or fnmatch.fnmatchcase(one, f"{glob}/*")
               for one in paths)  # fmt: skip


def _rows(memory: "View", files: Sequence[str]) -> "list[Row]":
    catalog = memory.derived.catalog(memory.progress)
    numbers = [state.file for state in catalog.states_of(files).values()]
    rows = catalog.by_file(numbers).values()
    return sorted(rows, key=lambda row: (row.created, row.id), reverse=True)


def _folder(memory: "View") -> str:
    """Give the memory's folder, relative to the work tree's top."""
    top = memory.site.git_dirs.root if memory.site.git_dirs else memory.site.root
    return os.path.relpath(memory.site.folder, top).replace(os.sep, "/")
