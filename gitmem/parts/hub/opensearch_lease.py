"""One writer at a time, where the engine has no locks: a document that its owner renews."""

import os
import time
from contextlib import suppress
from typing import Any, Final, NamedTuple

from opensearchpy import OpenSearch
from opensearchpy.exceptions import ConflictError, NotFoundError, OpenSearchException

LEASE: Final = 15.0
"""Seconds after which a writer that was killed is no longer waited for."""
_ID: Final = "writer"
_PAUSE: Final = 0.05


class Turn(NamedTuple):
    """The right to write, of an owner with a random name."""

    owner: str


class Lease:
    """The right to write to one hub.

    Args:
        client: of the engine.
        index: where the document is.

    """

    def __init__(self, client: OpenSearch, index: str) -> None:
        self._client = client
        self._index = index

    def take(self) -> Turn:
        """Wait until nobody writes, or who did has not renewed in time."""
        turn = Turn(os.urandom(16).hex())
        while True:
            try:
                self._client.index(
                    index=self._index, id=_ID, body=_document(turn), params={"op_type": "create"}
                )
            except ConflictError:
                there = self._there()
                if there is None:
                    continue
                value, version = there
                if value["owner"] == turn.owner:  # the answer to an earlier try was lost
                    return turn
                if value["until"] < time.time():
                    with suppress(ConflictError, NotFoundError):
                        self._client.delete(index=self._index, id=_ID, params=version)
                    continue
                time.sleep(_PAUSE)
            else:
                return turn

    def renew(self, turn: Turn) -> bool:
        """Go on for as long again; False: somebody else has had their turn since."""
        there = self._there()
        if there is None or there[0]["owner"] != turn.owner:
            return False
        try:
            self._client.index(index=self._index, id=_ID, body=_document(turn), params=there[1])
        except ConflictError:
            return False
        return True

    def give_back(self, turn: Turn) -> None:
        """Let others write. Where no node answers, they wait until the lease is over."""
        with suppress(OpenSearchException):
            there = self._there()
            if there and there[0]["owner"] == turn.owner:
                self._client.delete(index=self._index, id=_ID, params=there[1])

    def _there(self) -> "tuple[dict[str, Any], dict[str, Any]] | None":
        try:
            document = self._client.get(index=self._index, id=_ID)
        except NotFoundError:
            return None
        version = {"if_seq_no": document["_seq_no"], "if_primary_term": document["_primary_term"]}
        return document["_source"]["value"], version


def _document(turn: Turn) -> dict[str, object]:
    return {"value": {"owner": turn.owner, "until": time.time() + LEASE}}
