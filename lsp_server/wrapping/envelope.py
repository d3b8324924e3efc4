"""The id and the method of a message, read off its ends: most bodies are passed on unread."""

import json
import re
from typing import Any, Final, NamedTuple

_SCALAR: Final = rb'(?:"(?:[^"\\]|\\.)*"|-?\d+|null)'
_MEMBER: Final = re.compile(
    rb'\s*[{,]\s*"(?P<name>jsonrpc|id|method)"\s*:\s*(?P<value>' + _SCALAR + rb")"
)
_REST: Final = re.compile(rb'\s*,\s*"(?P<name>params|result|error)"\s*:|\s*\}\s*\Z')
_TAIL: Final = re.compile(
    rb'[,{]\s*"id"\s*:\s*(?P<id>' + _SCALAR + rb')\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*\Z'
)
_END: Final = 600


class Envelope(NamedTuple):
    """What a message is, by its outermost members.

    Attributes:
        id: of a request or an answer; None: it has none, as a notification.
        method: of a request or notification; empty: it is an answer.

    """

    id: int | str | None
    method: str


def envelope_of(body: bytes) -> Envelope | None:
    """Read what a message is; None: it is no message."""
    members: dict[str, Any] = {}
    at = 0
    while member := _MEMBER.match(body, at):
        members[member["name"].decode()] = json.loads(member["value"])
        at = member.end()
    rest = _REST.match(body, at)
    if members and rest:
        # After an answer's result only its id can follow; after a method's params, its id, too.
        if "id" in members and ("method" in members or rest["name"] in (b"result", b"error")):
            return _envelope(members)
        tail = _TAIL.search(body, max(at, len(body) - _END))
        if "id" not in members and tail and ("method" in members or rest["name"] != b"params"):
            return _envelope({**members, "id": json.loads(tail["id"])})
    return _read_whole(body)


def _read_whole(body: bytes) -> Envelope | None:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return _envelope(message) if isinstance(message, dict) else None


def _envelope(members: dict[str, Any]) -> Envelope | None:
    number, method = members.get("id"), members.get("method", "")
    is_id = number is None or (isinstance(number, int | str) and not isinstance(number, bool))
    return Envelope(number, method) if is_id and isinstance(method, str) else None
