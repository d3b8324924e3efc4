"""Conversations with language models: private, in the journal of this clone, never in a record.

What they took is another matter: ``llm.interactions.usage`` adds it up for a session's record.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gitmem.errors import UsageError
from gitmem.llm.interactions import Interaction, from_event
from gitmem.memory.core.redaction import redact

if TYPE_CHECKING:
    from gitmem.memory.core.workspace import Workspace

_PREFIX = "llm-"


def note_interaction(
    workspace: "Workspace",
    session: str,
    type: str,  # noqa: A002  what the journal calls it too
    *,
    path: str = "",
    prompt: str = "",
    response: str = "",
    reasoning: str = "",
    metadata: Mapping[str, Any] | None = None,
) -> Interaction:
    """Note an interaction in the journal; see ``Models.note_interaction``."""
    if not session:
        raise UsageError("an interaction needs a session", "start one first")
    event = {
        "at": workspace.clock().isoformat(),
        "type": type,
        "path": path,
        "prompt": prompt,
        "response": response,
        "reasoning": reasoning,
        "metadata": dict(metadata or {}),
    }
    cleaned = dict(redact(workspace, event)[0])
    workspace.journal.append(_PREFIX + session, cleaned)
    return from_event(cleaned)


def interactions_of(workspace: "Workspace", session: str) -> list[Interaction]:
    """Give the interactions of a session, oldest first."""
    return [from_event(event) for event in workspace.journal.read(_PREFIX + session)]


def all_interactions(workspace: "Workspace") -> list[Interaction]:
    """Give the interactions of all sessions of this clone, oldest first."""
    journal = workspace.journal
    events = (event for name in journal.streams(_PREFIX) for event in journal.read(name))
    return sorted(map(from_event, events), key=lambda interaction: interaction.at)
