"""Asks a host of repositories over its REST interface: pages, limits, and what did not change.

An answer that was given before costs the host little: each page is asked for with the tag that it
bore, where it bears one, and what has not changed comes back as 304.
"""

import time
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException
from typing import Any, Final, NamedTuple, Protocol, TypeVar

import msgspec

from gitmem.hub.client import Address

SECONDS: Final = 10.0
"""Seconds in which the host sends something."""
LONGEST: Final = 30.0
"""Seconds for a whole answer, however it drips in."""
_MOST_PAGES: Final = 1_000
_MOST_BYTES: Final = 1 << 22
_PIECE: Final = 1 << 16
_OK: Final = 200
_UNAUTHORISED: Final = 401
_UNCHANGED: Final = 304
_REFUSED: Final = frozenset({403, 404, 410, 451})
_LIMITED: Final = frozenset({403, 429})
_WAIT: Final = 60.0
"""Seconds after a limit that does not say how long it lasts; GitHub's advice."""
_T = TypeVar("_T")


class HostSilentError(Exception):
    """The host gave no answer that says anything.

    Args:
        reason: one line.
        pause: seconds in which it is not to be asked again.
        about_all: it would not answer about any other repository either.
        status: of its answer; 0: there was none.

    """

    def __init__(
        self, reason: str, pause: float = 0.0, *, about_all: bool = False, status: int = 0
    ) -> None:
        super().__init__(reason)
        self.pause = pause
        self.about_all = about_all
        self.status = status


class HostReaders(NamedTuple):
    """What a host says of the repository that has a name now.

    Attributes:
        host_id: its number there, which no other repository ever has; 0: the host does not say.
        users: who may read it, in lower case; nobody, where the host refuses to say.

    """

    host_id: int = 0
    users: frozenset[str] = frozenset()


class Host(Protocol):
    """What is asked of a host."""

    def readers(self, repository: str) -> HostReaders:
        """Say who may read a repository.

        Raises:
            HostSilentError: it does not answer, or not now.

        """
        ...

    def close(self) -> None:
        """Close connections."""
        ...


class _HostAnswer(NamedTuple):
    tag: str
    value: Any
    next_page: bool
    total: int


class HostInterface:
    """The interface of one host, asked over one connection by one thread.

    Args:
        address: of it.
        headers: that each question has.

    """

    def __init__(self, address: Address, headers: Mapping[str, str]) -> None:
        self._address = address
        self._headers = {"user-agent": "gitmem-hub", **headers}
        self._connection: HTTPConnection | None = None
        self._tagged: dict[str, _HostAnswer] = {}

    def one(self, path: str, kind: type[_T]) -> _T | None:
        """Ask for one thing; None, where the host refuses.

        Raises:
            HostSilentError: it does not answer, or not now.

        """
        answer = self._answer(path, kind)
        return answer.value if answer else None

    def every(self, path: str, kind: type[_T]) -> list[_T] | None:
        """Ask for all rows of a list, page by page; None, where the host refuses one.

        Args:
            path: with a query that says how many rows a page has.
            kind: of a row.

        Raises:
            HostSilentError: it does not answer, or not now.

        """
        rows: list[_T] = []
        for number in range(1, _MOST_PAGES + 1):
            answer = self._answer(f"{path}&page={number}", list[kind])  # type: ignore[valid-type]  # as msgspec takes it
            if answer is None:
                return None
            rows += answer.value
            # A host without links says how many rows there are; of a page it may give less.
            if not (answer.next_page or (answer.value and len(rows) < answer.total)):
                self._tagged.pop(f"{path}&page={number + 1}", None)
                break
        return rows

    def close(self) -> None:
        """Close the connection."""
        if self._connection:
            self._connection.close()
            self._connection = None

    def _answer(self, path: str, kind: type) -> _HostAnswer | None:
        before = self._tagged.get(path)
        status, headers, body = self._ask(path, before.tag if before else "")
        if status == _UNCHANGED and before:
            return before
        if status in _LIMITED and (pause := _pause(headers, status)):
            reason = f"too many questions; it asks to wait {pause:.0f} s"
            raise HostSilentError(reason, pause, about_all=True)
        if status in _REFUSED:
            self._tagged.pop(path, None)
            return None
        if status != _OK:
            reason, about_all = f"it answers with status {status}", status == _UNAUTHORISED
            raise HostSilentError(reason, about_all=about_all, status=status)
        try:
            value: Any = msgspec.json.decode(body, type=kind)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise HostSilentError(f"its answer can't be read: {error}") from None
        answer = _HostAnswer(
            headers.get("etag", ""),
            value,
            'rel="next"' in headers.get("link", ""),
            _number(headers.get("x-total-count", "")),
        )
        if answer.tag:
            self._tagged[path] = answer
        return answer

    def _ask(self, path: str, tag: str) -> tuple[int, Mapping[str, str], bytes]:
        headers = {**self._headers, "if-none-match": tag} if tag else self._headers
        fresh = self._connection is None
        if self._connection is None:
            self._connection = self._address.connection(SECONDS)
        try:
            end = time.monotonic() + LONGEST
            self._connection.request("GET", self._address.path + path, headers=headers)
            response = self._connection.getresponse()
            body = bytearray()
            while piece := response.read1(_PIECE):
                body += piece
                if len(body) > _MOST_BYTES:
                    self.close()
                    raise HostSilentError("its answer is too large")
                if time.monotonic() > end:
                    self.close()
                    raise HostSilentError("its answer takes too long", about_all=True)
        except (OSError, HTTPException, ValueError) as error:
            self.close()
            if fresh:
                reason = str(error) or type(error).__name__
                raise HostSilentError(reason, about_all=True) from None
            return self._ask(path, tag)  # a connection that was idle for too long
        given = {name.lower(): value for name, value in response.getheaders()}
        return response.status, given, bytes(body)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0


def _pause(headers: Mapping[str, str], status: int) -> float:
    """Read how long a host wants to be left alone; 0 if it does not say that it was too much."""
    if after := _number(headers.get("retry-after", "")):
        return float(after)
    # GitHub's name for it, and GitLab's.
    for name in ("x-ratelimit", "ratelimit"):
        if headers.get(f"{name}-remaining") == "0":
            reset = _number(headers.get(f"{name}-reset", ""))
            return max(reset - time.time(), 1.0) if reset else _WAIT
    return 0.0 if status in _REFUSED else _WAIT
