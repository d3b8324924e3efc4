"""Reading the record that a row of the catalog stands for, without the secrets in its file."""

from typing import TYPE_CHECKING

from gitmem.store.files import ProblemError

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.memory.core.workspace import Workspace
    from gitmem.records.kinds import Record


def read_record(workspace: "Workspace", row: "Row") -> "Record | None":
    """Read a row's record; None if its file went away or is broken by now."""
    return read_at(workspace, row.path)


def read_at(workspace: "Workspace", path: str) -> "Record | None":
    """Read the record of a file likewise."""
    from gitmem.memory.core.shown import shown_record
    from gitmem.records.convert import decode

    try:
        record = decode(workspace.store.read(path), path).record
    except (OSError, ProblemError):
        return None
    return shown_record(workspace, path, record) if record else None
