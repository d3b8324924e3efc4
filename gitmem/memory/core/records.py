"""Reading the record that a row of the catalog stands for, without the secrets in its file."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.memory.core.workspace import Workspace
    from gitmem.records.kinds import Record


def read_record(workspace: "Workspace", row: "Row") -> "Record | None":
    """Read a row's record; None if its file went away or is broken by now."""
    from gitmem.memory.core.shown import read_at

    return read_at(workspace, row.path)
