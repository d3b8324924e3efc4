"""Asks a host of the form of Gitea, as Forgejo is, who may read a repository.

Its list of collaborators has only those who were named one by one: the owner, and the members of
teams of an organisation, are asked for by themselves. Administrators are in no list.
"""

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

import msgspec

from gitmem.hub.client import Address
from gitmem.parts.hub.host_api import HostInterface, HostReaders, HostSilentError

_EACH: Final = 50
_CODE: Final = "repo.code"
_NO_ORGANISATION: Final = 405
"""The status of a question for teams of what a person owns."""


class _Account(msgspec.Struct):
    login: str
    prohibit_login: bool = False


class _OwnedRepository(msgspec.Struct):
    id: int
    owner: _Account


class _Team(msgspec.Struct):
    id: int
    units: tuple[str, ...] = ()
    units_map: Mapping[str, str] = {}

    @property
    def reads_code(self) -> bool:
        """A team may see issues alone."""
        if self.units_map:
            return self.units_map.get(_CODE, "none") != "none"
        return _CODE in self.units


class GiteaHost:
    """See ``host_api.Host``.

    Args:
        address: of its interface.
        token: a secret that may read repositories and organisations, of a member of these.

    """

    def __init__(self, address: Address, token: str) -> None:
        self._api = HostInterface(address, {"authorization": f"token {token}"})

    def readers(self, repository: str) -> HostReaders:
        """See ``host_api.Host``."""
        path = f"/repos/{quote(repository)}"
        lists = [self._api.every(f"{path}/collaborators?limit={_EACH}", _Account)]
        is_persons = False
        try:
            teams = self._api.one(f"{path}/teams", list[_Team])
        except HostSilentError as error:
            if error.status != _NO_ORGANISATION:
                raise
            is_persons, teams = True, []
        lists += [
            self._api.every(f"/teams/{team.id}/members?limit={_EACH}", _Account)
            for team in teams or ()
            if team.reads_code
        ]
        # At last: whose people these are is sure, also where another one takes the name meanwhile.
        about = self._api.one(path, _OwnedRepository)
        if about is None or teams is None or None in lists:
            return HostReaders()
        people = [user for users in lists for user in users or ()]
        people += [about.owner] if is_persons else []
        users = frozenset(user.login.casefold() for user in people if not user.prohibit_login)
        return HostReaders(about.id, users)

    def close(self) -> None:
        """See ``host_api.Host``."""
        self._api.close()
