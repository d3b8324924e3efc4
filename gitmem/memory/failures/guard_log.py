"""What guards told before a commit, noted in the clone's own journal."""

import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import GitmemError
from gitmem.git.state import head
from gitmem.store import GUARDS

if TYPE_CHECKING:
    from gitmem.answers.guarded import TakenBack
    from gitmem.memory.core.workspace import Workspace

_MOST: Final = 500


def note_told(workspace: "Workspace", by: str, taken_back: Sequence["TakenBack"]) -> None:
    """Note what was told before a commit; a telling that is repeated is none.

    Args:
        workspace: of the memory.
        by: who told: ``hook``, ``command`` or ``assistant``.
        taken_back: what was told.

    """
    git_dirs = workspace.site.git_dirs
    if not taken_back or git_dirs is None:
        return
    # Whether it can be noted changes nothing for who was told.
    with contextlib.suppress(GitmemError):
        tip = head(git_dirs)
        journal = workspace.journal
        # Reading events looks for secrets in them, which takes longer than all else here.
        new = [taken for taken in taken_back if not journal.mentions(GUARDS, _key(taken, tip))]
        if new:
            paths = {_key(taken, tip): taken.change.path for taken in new}
            event = {"by": by, "told": paths, "at": workspace.clock().isoformat()}
            journal.append(GUARDS, event, live=_live)


def _key(taken: "TakenBack", tip: str) -> str:
    return f"{taken.fix.id}@{tip}"


def note_end(workspace: "Workspace", key: str, end: str) -> None:
    """Note what came of a telling, once that can't change any more."""
    with contextlib.suppress(GitmemError):
        workspace.journal.append(GUARDS, {"of": key, "end": end}, live=_live)


def tellings(workspace: "Workspace") -> tuple[dict[str, str], dict[str, str]]:
    """Give what was noted: the file of each telling, and what came of it.

    A telling is named by its fix and the commit that was checked out: ``fix-…@…``.
    """
    events = workspace.journal.read(GUARDS)
    tellings = [event["told"] for event in events if isinstance(event.get("told"), dict)]
    files = {str(key): str(path) for each in tellings for key, path in each.items()}
    ends = {str(event["of"]): str(event["end"]) for event in events if "end" in event}
    return files, ends


def _live(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return events[-_MOST:]
