"""``gitmem log --follow``: what changes in the memory, as it happens."""

import json
import sys
from typing import TYPE_CHECKING, Final

from gitmem.cli.app import App, note, out
from gitmem.system import is_read, parent_watch

if TYPE_CHECKING:
    from gitmem.memory import MemoryEvent

_SECONDS: Final = 0.5


def follow_changes(app: App, *, as_json: bool) -> None:
    """Print a line for each change, until Ctrl-C, or the starter ends, or nobody reads it."""
    from gitmem.memory import Following

    is_wanted = parent_watch()
    with app.memory() as memory:
        following = Following(memory.workspace, note)
        note(f"watching {memory.workspace.site.folder}; end with Ctrl-C")
        try:
            while is_wanted() and _is_read():
                for event in following.events(_SECONDS):
                    out(_object(event) if as_json else _line(event))
                sys.stdout.flush()
        finally:
            following.close()


def _is_read() -> bool:
    """Tell whether the other end of a pipe is still open; it is found out by writing else."""
    try:
        return is_read(sys.stdout.fileno())
    except (OSError, ValueError):
        return True


def _line(event: "MemoryEvent") -> str:
    from gitmem.render.text import one_line

    if event.what == "head":
        return f"HEAD moved to {one_line(event.title) or 'no branch'}"
    return " ".join(
        filter(None, (event.kind, event.id or event.path, one_line(event.title), event.what))
    )


def _object(event: "MemoryEvent") -> str:
    from gitmem.render.as_json import FORMAT, readable

    if event.what == "head":
        change = {"format": FORMAT, "change": "head", "branch": event.title}
    else:
        names = ("kind", "id", "title", "path")
        change = {"format": FORMAT, "change": event.what}
        change |= {name: getattr(event, name) for name in names}
    return readable(json.dumps(change, ensure_ascii=False))
