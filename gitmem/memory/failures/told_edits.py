"""Fixes of which an assistant's session was told that its edits take them back."""

from gitmem.answers.guarded import TakenBack
from gitmem.memory.core.workspace import Workspace
from gitmem.memory.failures.assistant_calls import live_events, stream_of
from gitmem.memory.failures.guard_log import note_told


def without_told_before(
    workspace: Workspace, session: str, taken_back: list[TakenBack]
) -> list[TakenBack]:
    """Leave out fixes of which a session was told already that its edits take them back.

    Args:
        workspace: of the memory.
        session: the assistant's name for the session; empty: nobody knows what it was told.
        taken_back: what an edit does to fixes.

    """
    if not session or not taken_back:
        note_told(workspace, "assistant", taken_back)
        return taken_back
    stream = stream_of(workspace)
    events = workspace.journal.read(stream)
    given = {tuple(event["guarded"]) for event in events if "guarded" in event}
    left = [taken for taken in taken_back if (session, taken.fix.id) not in given]
    note_told(workspace, "assistant", left)
    for taken in left:
        workspace.journal.append(stream, {"guarded": [session, taken.fix.id]}, live=live_events)
    return left
