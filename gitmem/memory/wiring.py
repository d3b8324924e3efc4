"""How the sessions of a memory get their parts."""

import os
from typing import TYPE_CHECKING

from gitmem.memory.writing import new_id
from gitmem.query import Filters
from gitmem.sessions import Produced, Sessions
from gitmem.store.journal import Journal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.memory.memory import Memory


def sessions(memory: "Memory") -> Sessions:
    """Put the sessions of ``memory`` together."""
    site = memory.site
    base = site.places.root if site.places else site.root
    return Sessions(
        journal=Journal(site.journal),
        add_record=memory.write,
        root=site.root,
        places=site.places,
        actor=memory.author,
        clock=memory.now,
        new_id=new_id,
        max_hours=site.config.session_max_hours,
        exclude=os.path.relpath(site.folder, base),
    )


def produced(memory: "Memory", session_id: str) -> "Sequence[Produced]":
    """List the records that were written during a session, oldest first."""
    rows = memory.derived.catalog().rows(Filters(sessions=(session_id,)), "oldest")
    return [
        Produced(row.id, row.kind, row.title, row.stated if row.kind == "fix" else "")
        for row in rows
        if row.kind != "session"
    ]
