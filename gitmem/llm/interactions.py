"""Conversations that callers of gitmem had with language models, with their usage. Pure."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from gitmem.llm.ledger import Call
from gitmem.records.parts import Usage


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


def from_event(event: Mapping[str, Any]) -> Interaction:
    """Read an interaction from an event of the journal."""
    texts = {name: str(event.get(name) or "") for name in Interaction._fields[1:6]}
    metadata = event.get("metadata")
    return Interaction(
        at=datetime.fromisoformat(str(event["at"])),
        metadata=metadata if isinstance(metadata, dict) else {},
        **texts,
    )


def from_call(call: Call) -> Interaction:
    """Give a call of our own in the form in which a session's record adds them up."""
    metadata: dict[str, Any] = {
        "model": call.model, "input_tokens": call.input, "output_tokens": call.output,
    }  # fmt: skip
    if call.cost is not None:
        metadata["cost_usd"] = float(call.cost)
    return Interaction(call.at, call.operation, "", "", "", "", metadata)


def usage(interactions: Iterable[Interaction]) -> Usage | None:
    """Add up the usage of interactions; None if there is none. Unstated values are not counted."""
    calls = [interaction.metadata for interaction in interactions]
    if not calls:
        return None
    return Usage(
        calls=len(calls),
        input_tokens=_total(calls, "input_tokens", "prompt_tokens"),
        output_tokens=_total(calls, "output_tokens", "completion_tokens"),
        cost_usd=_cost(calls),
        models=tuple(dict.fromkeys(str(call["model"]) for call in calls if call.get("model"))),
    )


def _cost(calls: Iterable[Mapping[str, Any]]) -> float | None:
    """Add up the costs of calls in dollars; None if none is stated."""
    stated = [call.get("cost_usd", call.get("cost")) for call in calls]
    costs = [cost for cost in stated if isinstance(cost, int | float) and cost >= 0]
    return float(sum(costs)) if costs else None


def _total(calls: list[Mapping[str, Any]], *names: str) -> int | None:
    stated = [call[name] for call in calls for name in names if name in call]
    counts = [count for count in stated if isinstance(count, int) and count >= 0]
    return sum(counts) if counts else None
