"""Asks a host of the form of GitHub who may read a repository."""

from typing import Final
from urllib.parse import quote

import msgspec

from gitmem.hub.client import Address
from gitmem.parts.hub.host_api import HostInterface, HostReaders

_EACH: Final = 100


class _Repository(msgspec.Struct):
    id: int


class _Allowed(msgspec.Struct):
    pull: bool = True


class _Collaborator(msgspec.Struct):
    login: str
    permissions: _Allowed = msgspec.field(default_factory=_Allowed)


class GitHubHost:
    """See ``host_api.Host``.

    Args:
        address: of its interface.
        token: a secret that may read who has access.

    """

    def __init__(self, address: Address, token: str) -> None:
        self._api = HostInterface(
            address,
            {
                "accept": "application/vnd.github+json",
                "authorization": f"Bearer {token}",
                "x-github-api-version": "2022-11-28",
            },
        )

    def readers(self, repository: str) -> HostReaders:
        """See ``host_api.Host``."""
        path = f"/repos/{quote(repository)}"
        people = self._api.every(f"{path}/collaborators?per_page={_EACH}", _Collaborator)
        # At last: whose people these are is sure, also where another one takes the name meanwhile.
        about = self._api.one(path, _Repository)
        if about is None or people is None:
            return HostReaders()
        users = frozenset(row.login.casefold() for row in people if row.permissions.pull)
        return HostReaders(about.id, users)

    def close(self) -> None:
        """See ``host_api.Host``."""
        self._api.close()
