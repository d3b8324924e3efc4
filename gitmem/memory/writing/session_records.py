"""Records written during a session, which the session's own record links to."""

from typing import TYPE_CHECKING

from gitmem.memory.core.records import read_record
from gitmem.sessions import Produced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.memory.core.workspace import Workspace


def produced(workspace: "Workspace", session_id: str) -> "Sequence[Produced]":
    """List the records that were written during a session, oldest first."""
    records = []
    for row in workspace.ask(lambda now: now.catalog.written_in(session_id)):
        if row.kind == "fix":
            lesson = str(getattr(read_record(workspace, row), "lessons", ""))
            records.append(Produced(row.id, row.kind, row.title, row.verdict, lesson))
        elif row.kind != "session":
            records.append(Produced(row.id, row.kind, row.title))
    return records
