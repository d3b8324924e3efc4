"""What is noted of an assistant's calls of its shell: how each began, and what was told of them.

A hook asks around every command, and most of these teach nothing: so this imports little.
"""

import hashlib
import os
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import GitmemError
from gitmem.memory.failures.watched_code import RunStart, WatchedCode

if TYPE_CHECKING:
    from gitmem.capture.learnt import Draft
    from gitmem.capture.observed import Match
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.failures.access import RecordAccess

_MOST_RUNNING: Final = 20
"""Commands that run at once."""
_MOST_ADVISED: Final = 100
"""So many of the newest failures on which a pack gave advice, and of fixes taken back, are kept."""


def begun(records: "RecordAccess", call: str) -> None:
    """Note the code as a command finds it, where what failed before may be fixed in it.

    Args:
        records: the memory.
        call: the assistant's name for this one call.

    """
    workspace = records.workspace
    at, code = workspace.clock(), WatchedCode(records)
    event = {"call": call}
    if code.any_red:
        try:
            tree, head = code.look()
        except GitmemError:
            tree = head = ""  # nothing is learnt from it
        event |= {"at": at.isoformat(), "tree": tree, "head": head}
    elif not start_of(workspace, call):
        return
    workspace.journal.append(stream_of(workspace), event, live=live_events)


def start_of(workspace: "Workspace", call: str) -> RunStart | None:
    """Give how a call began; None where that was not noted, or only of an earlier one."""
    events = workspace.journal.read(stream_of(workspace))
    event = next((event for event in reversed(events) if event.get("call") == call), None)
    if not event or "tree" not in event:
        return None
    return RunStart(datetime.fromisoformat(event["at"]), str(event["tree"]), str(event["head"]))


def untold(workspace: "Workspace") -> "list[Draft]":
    """Give the drafts that this assistant's work has taught since it was asked last.

    What only silenced a failure taught nothing.
    """
    stream, actor = stream_of(workspace), workspace.site.config.actor
    drafts = [
        draft for draft in workspace.drafts.open() if draft.actor == actor and not draft.silenced
    ]
    if not drafts:
        return []
    events = workspace.journal.read(stream)
    shown = {name for event in events for name in event.get("told", ())}
    fresh = [draft for draft in drafts if draft.id not in shown]
    if fresh:
        event = {"told": [draft.id for draft in fresh]}
        workspace.journal.append(stream, event, live=live_events)
    return fresh


def without_repeated_advice(
    workspace: "Workspace", session: str, matches: "list[Match]"
) -> "list[Match]":
    """Leave out what packs advise on a failure where a session was told the same of it already.

    Args:
        workspace: of the memory.
        session: the assistant's name for the session; empty: nobody knows what it was told.
        matches: what is known about failures.

    """
    if not session or not any(hit.is_advice for match in matches for hit in match.similar):
        return matches
    stream = stream_of(workspace)
    events = workspace.journal.read(stream)
    given = {tuple(event["advised"]) for event in events if "advised" in event}
    left = []
    for match in matches:
        failure = match.seen.exact or match.seen.site
        similar = []
        for hit in match.similar:
            advice = (session, failure, hit.row.id)
            if hit.is_advice:
                if advice in given:
                    continue
                workspace.journal.append(stream, {"advised": [*advice]}, live=live_events)
            similar.append(hit)
        left.append(match._replace(similar=tuple(similar)))
    return left


def live_events(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give the newest commands that began, and the newest drafts and advice that were told."""
    begun = [event for event in events if "call" in event]
    return [
        *[event for event in events if "told" in event][-_MOST_RUNNING:],
        *[event for event in events if "advised" in event][-_MOST_ADVISED:],
        *[event for event in events if "guarded" in event][-_MOST_ADVISED:],
        *begun[-_MOST_RUNNING:],
    ]


def stream_of(workspace: "Workspace") -> str:
    """Name the stream of the journal that has what was noted in this work tree."""
    site = workspace.site
    place = site.git_dirs.git_dir if site.git_dirs else site.root
    return f"assistant-{hashlib.blake2b(os.fsencode(place), digest_size=8).hexdigest()}"
