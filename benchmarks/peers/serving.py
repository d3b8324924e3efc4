"""The adapter's side of the protocol: JSON lines on standard input and output.

Only the standard library is imported here, because adapters run in the environment of
the system that they adapt.
"""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

Record = Mapping[str, Any]


class Answer(NamedTuple):
    """What a system says to a question.

    Attributes:
        ids: records, best first.
        sure: how many of the first ids it vouches for; None: it makes no difference, so all.

    """

    ids: Sequence[str]
    sure: int | None = None


class System(Protocol):
    """A memory that can be compared."""

    def about(self) -> str:
        """Name and version."""

    def add(self, records: Sequence[Record]) -> None:
        """Take in all records; called once, before the first question."""

    def ask(self, question: str, limit: int) -> Answer:
        """Answer with at most ``limit`` ids of records."""


def serve(system: System) -> None:
    """Answer requests until standard input ends.

    Whatever the system prints goes to standard error, so that it can't disturb the protocol.
    """
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        out.write(json.dumps(reply(system, json.loads(line))) + "\n")
        out.flush()


def reply(system: System, request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer one request.

    Raises:
        ValueError: it is none of ``about``, ``add`` and ``ask``.

    """
    if "about" in request:
        return {"about": system.about()}
    if "add" in request:
        system.add(request["add"])
        return {"added": len(request["add"])}
    if "ask" in request:
        answer = system.ask(request["ask"], request["limit"])
        ids = list(answer.ids)[: request["limit"]]
        return {"ids": ids, "sure": len(ids) if answer.sure is None else answer.sure}
    raise ValueError(f"unknown request: {sorted(request)}")
