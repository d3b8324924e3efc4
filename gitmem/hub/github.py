"""Asks a host of the form of GitHub who may read a repository.

An answer that was given before costs the host little: each page is asked for with the tag that it
bore, and what has not changed comes back as 304, which does not count against the limit.
"""

import time
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException
from typing import Final, NamedTuple
from urllib.parse import quote

import msgspec

from gitmem.hub.client import Address

SECONDS: Final = 10.0
_PAGE: Final = 100
_MOST_PAGES: Final = 1_000
_MOST_BYTES: Final = 1 << 22
_OK: Final = 200
_UNAUTHORISED: Final = 401
_UNCHANGED: Final = 304
_REFUSED: Final = frozenset({403, 404, 410, 451})
_LIMITED: Final = frozenset({403, 429})
_WAIT: Final = 60.0
"""Seconds after a limit that does not say how long it lasts; GitHub's advice."""


class HostSilentError(Exception):
    """The host gave no answer that says anything.

    Args:
        reason: one line.
        pause: seconds in which it is not to be asked again.
        about_all: it would not answer about any other repository either.

    """

    def __init__(self, reason: str, pause: float = 0.0, *, about_all: bool = False) -> None:
        super().__init__(reason)
        self.pause = pause
        self.about_all = about_all


class _Allowed(msgspec.Struct):
    pull: bool = True


class _Collaborator(msgspec.Struct):
    login: str
    permissions: _Allowed = msgspec.field(default_factory=_Allowed)


class _Page(NamedTuple):
    tag: str
    users: frozenset[str]
    last: bool


class GitHubHost:
    """One host, asked over one connection by one thread.

    Args:
        address: of its interface.
        token: a secret that may read who has access.

    """

    def __init__(self, address: Address, token: str) -> None:
        self._address = address
        self._token = token
        self._connection: HTTPConnection | None = None
        self._pages: dict[tuple[str, int], _Page] = {}

    def users_of(self, repository: str) -> frozenset[str]:
        """Give who may read a repository, in lower case; nobody, where the host refuses to say.

        Raises:
            HostSilentError: it does not answer, or not now.

        """
        users: set[str] = set()
        for number in range(1, _MOST_PAGES + 1):
            page = self._page(repository, number)
            users |= page.users
            if page.last:
                break
        self._forget_from(repository, number + 1)
        return frozenset(users)

    def close(self) -> None:
        """Close the connection."""
        if self._connection:
            self._connection.close()
            self._connection = None

    def _page(self, repository: str, number: int) -> _Page:
        before = self._pages.get((repository, number))
        path = f"/repos/{quote(repository)}/collaborators?per_page={_PAGE}&page={number}"
        status, headers, body = self._ask(path, before.tag if before else "")
        if status == _UNCHANGED and before:
            return before
        if status in _LIMITED and (pause := _pause(headers)):
            reason = f"too many questions; it asks to wait {pause:.0f} s"
            raise HostSilentError(reason, pause, about_all=True)
        if status in _REFUSED:
            self._forget_from(repository, number)
            return _Page("", frozenset(), last=True)
        if status != _OK:
            about_all = status == _UNAUTHORISED
            raise HostSilentError(f"it answers with status {status}", about_all=about_all)
        try:
            rows = msgspec.json.decode(body, type=list[_Collaborator])
        except msgspec.MsgspecError as error:
            raise HostSilentError(f"its answer can't be read: {error}") from None
        page = _Page(
            headers.get("etag", ""),
            frozenset(row.login.casefold() for row in rows if row.permissions.pull),
            'rel="next"' not in headers.get("link", ""),
        )
        self._pages[repository, number] = page
        return page

    def _forget_from(self, repository: str, number: int) -> None:
        while self._pages.pop((repository, number), None):
            number += 1

    def _ask(self, path: str, tag: str) -> tuple[int, Mapping[str, str], bytes]:
        headers = {
            "accept": "application/vnd.github+json",
            "authorization": f"Bearer {self._token}",
            "user-agent": "gitmem-hub",
            "x-github-api-version": "2022-11-28",
        }
        if tag:
            headers["if-none-match"] = tag
        fresh = self._connection is None
        if self._connection is None:
            self._connection = self._address.connection(SECONDS)
        try:
            self._connection.request("GET", self._address.path + path, headers=headers)
            response = self._connection.getresponse()
            body = response.read(_MOST_BYTES + 1)
        except (OSError, HTTPException, ValueError) as error:
            self.close()
            if fresh:
                reason = str(error) or type(error).__name__
                raise HostSilentError(reason, about_all=True) from None
            return self._ask(path, tag)  # a connection that was idle for too long
        if len(body) > _MOST_BYTES:
            self.close()
            raise HostSilentError("its answer is too large")
        given = {name.lower(): value for name, value in response.getheaders()}
        return response.status, given, body


def _pause(headers: Mapping[str, str]) -> float:
    """Read how long a host wants to be left alone; 0 if it does not say that it was too much."""
    if (after := headers.get("retry-after", "")).isdecimal():
        return max(float(after), 1.0)
    if headers.get("x-ratelimit-remaining") != "0":
        return 0.0
    reset = headers.get("x-ratelimit-reset", "")
    return max(float(reset) - time.time(), 1.0) if reset.isdecimal() else _WAIT
