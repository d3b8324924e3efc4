"""Asks a hub, within a budget. Late, wrong or dead means: no answer, and no error."""

import threading
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final
from urllib.parse import urlsplit

import msgspec

from gitmem.errors import UsageError
from gitmem.hub.messages import AlikeQuestion, HubAnswer, WordsQuestion

TOKEN: Final = "GITMEM_HUB_TOKEN"  # noqa: S105  the name of a variable
"""The environment variable with the token that a hub is asked, or sent records, with."""
_MOST_BYTES: Final = 1 << 18
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
OK: Final = 200
UNKNOWN: Final = 401


class Address:
    """Where a hub is, or another server that is asked over HTTPS.

    Args:
        url: as the settings have it.
        setting: which one, for the message.

    Raises:
        UsageError: it is not an address that may be asked: others could read what is sent.

    """

    def __init__(self, url: str, setting: str = "hub.url") -> None:
        parts = urlsplit(url)
        safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
        try:
            self.port = parts.port
        except ValueError:
            safe = False
        if not safe or not parts.hostname or parts.query or parts.fragment or parts.username:
            raise UsageError(
                f"{setting}: {url!r} is not an address to be asked",
                "an https address, such as https://hub.example.com",
            )
        self.host = parts.hostname
        self.secure = parts.scheme == "https"
        self.path = parts.path.rstrip("/")

    def connection(self, seconds: float) -> HTTPConnection:
        """Make a connection, which is opened by its first question."""
        kind = HTTPSConnection if self.secure else HTTPConnection
        return kind(self.host, self.port, timeout=seconds)


def ask(
    address: Address, token: str, question: AlikeQuestion | WordsQuestion, seconds: float
) -> HubAnswer | None:
    """Ask a question; None if no good answer came in time.

    Args:
        address: of the hub.
        token: of whoever asks.
        question: what is asked.
        seconds: after which nobody waits any more, however the answer drips in.

    """
    got: list[HubAnswer] = []

    def asking() -> None:
        answer = _ask(address, token, question, seconds)
        if answer is not None:
            got.append(answer)

    # Names are looked up without any limit of time, and each piece of an answer has its own.
    thread = threading.Thread(target=asking, daemon=True)
    thread.start()
    thread.join(seconds)
    return got[0] if got else None


def status_of(address: Address, token: str, seconds: float) -> int:
    """Give the HTTP status of a hub's answer to a token; 0: it does not answer."""
    try:
        return _post(address, token, AlikeQuestion((("template", "0" * 16),)), seconds)[0]
    except (OSError, HTTPException):
        return 0


def _ask(
    address: Address, token: str, question: AlikeQuestion | WordsQuestion, seconds: float
) -> HubAnswer | None:
    try:
        status, data = _post(address, token, question, seconds)
        if status != OK or len(data) > _MOST_BYTES:
            return None
        return msgspec.json.decode(data, type=HubAnswer)
    except (OSError, HTTPException, ValueError):
        return None


def _post(
    address: Address, token: str, question: AlikeQuestion | WordsQuestion, seconds: float
) -> tuple[int, bytes]:
    verb = "alike" if isinstance(question, AlikeQuestion) else "words"
    connection = address.connection(seconds)
    headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
    try:
        body = msgspec.json.encode(question)
        connection.request("POST", f"{address.path}/hub/v1/{verb}", body, headers)
        response = connection.getresponse()
        return response.status, response.read(_MOST_BYTES + 1)
    finally:
        connection.close()
