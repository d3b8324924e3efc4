"""Conversations with language models: private, in the journal of this clone, never in a record.

What they cost is another matter: ``usage`` adds it up for a session's record.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from gitmem.errors import UsageError
from gitmem.memory.core.redaction import redact
from gitmem.records.parts import Usage
from gitmem.store.journal import Journal

if TYPE_CHECKING:
    from gitmem.memory.memory import Memory
    from gitmem.memory.view import View

_PREFIX = "llm-"


class Interaction(NamedTuple):
    """One question to a model and its answer.

    Attributes:
        at: when it was noted.
        type: what it was for, such as ``code_fixing``.
        path: the file that it was about, or empty.
        prompt: what was asked.
        response: what was answered.
        reasoning: how the model says it got there.
        metadata: ``model``, ``input_tokens``, ``output_tokens``, ``cost_usd`` and what else
            the caller knows.

    """

    at: datetime
    type: str
    path: str
    prompt: str
    response: str
    reasoning: str
    metadata: Mapping[str, Any]


def note(
    memory: "Memory",
    session: str,
    type: str,  # noqa: A002  what the journal calls it too
    *,
    path: str = "",
    prompt: str = "",
    response: str = "",
    reasoning: str = "",
    metadata: Mapping[str, Any] | None = None,
) -> Interaction:
    """Note an interaction, without secrets, in the journal.

    Args:
        memory: the memory.
        session: id of the session that it belongs to.
        type: what it was for.
        path: the file that it was about.
        prompt: what was asked.
        response: what was answered.
        reasoning: how the model says it got there.
        metadata: plain data about the call.

    Raises:
        UsageError: the session's id is empty.
        EnvironmentProblem: the journal can't be written.

    """
    if not session:
        raise UsageError("an interaction belongs to a session", "start one first")
    event = {
        "at": memory.now().isoformat(),
        "type": type,
        "path": path,
        "prompt": prompt,
        "response": response,
        "reasoning": reasoning,
        "metadata": dict(metadata or {}),
    }
    cleaned = dict(redact(memory.workspace, event)[0])
    Journal(memory.site.journal).append(_PREFIX + session, cleaned)
    return _read(cleaned)


def of(memory: "View", session: str) -> list[Interaction]:
    """Give the interactions of a session, oldest first."""
    return [_read(one) for one in Journal(memory.site.journal).read(_PREFIX + session)]


def every(memory: "View") -> list[Interaction]:
    """Give the interactions of all sessions of this clone, oldest first."""
    journal = Journal(memory.site.journal)
    found = [_read(one) for name in journal.streams(_PREFIX) for one in journal.read(name)]
    return sorted(found, key=lambda one: one.at)


def usage(interactions: Iterable[Interaction]) -> Usage | None:
    """Add up what interactions took; None if there was none. What nobody told is not counted."""
    all_of_them = [one.metadata for one in interactions]
    if not all_of_them:
        return None
    return Usage(
        calls=len(all_of_them),
        input_tokens=_total(all_of_them, "input_tokens", "prompt_tokens"),
        output_tokens=_total(all_of_them, "output_tokens", "completion_tokens"),
        cost_usd=cost(all_of_them),
        models=tuple(dict.fromkeys(str(one["model"]) for one in all_of_them if one.get("model"))),
    )


def cost(metadata: Iterable[Mapping[str, Any]]) -> float | None:
    """Add up what calls cost in dollars; None if nobody told."""
    told = [one.get("cost_usd", one.get("cost")) for one in metadata]
    known = [one for one in told if isinstance(one, int | float) and one >= 0]
    return float(sum(known)) if known else None


def _total(metadata: list[Mapping[str, Any]], *names: str) -> int | None:
    told = [one[name] for one in metadata for name in names if name in one]
    known = [one for one in told if isinstance(one, int) and one >= 0]
    return sum(known) if known else None


def _read(event: Mapping[str, Any]) -> Interaction:
    texts = {name: str(event.get(name) or "") for name in Interaction._fields[1:6]}
    metadata = event.get("metadata")
    return Interaction(
        at=datetime.fromisoformat(str(event["at"])),
        metadata=metadata if isinstance(metadata, dict) else {},
        **texts,
    )
