"""Asks a host of the form of GitLab who may read a repository.

Members that a group or another group brings in are in the list, with the highest of their roles.
Administrators who are no members are not, and see nothing private here.
"""

from typing import Final
from urllib.parse import quote

import msgspec

from gitmem.hub.client import Address
from gitmem.parts.hub.host_api import HostInterface, HostReaders

_EACH: Final = 100
_REPORTER: Final = 20
"""The least role that may read the code of a private project."""
_ACTIVE: Final = "active"


class _LabProject(msgspec.Struct):
    id: int


class _Member(msgspec.Struct):
    username: str
    access_level: int
    state: str = ""
    membership_state: str = _ACTIVE

    @property
    def may_read(self) -> bool:
        """Blocked users are listed, and so are those who wait for a seat."""
        is_active = self.state == _ACTIVE and self.membership_state == _ACTIVE
        return is_active and self.access_level >= _REPORTER


class GitLabHost:
    """See ``host_api.Host``.

    Args:
        address: of its interface.
        token: a secret with the scope ``read_api`` that may see the projects.

    """

    def __init__(self, address: Address, token: str) -> None:
        self._api = HostInterface(address, {"private-token": token})

    def readers(self, repository: str) -> HostReaders:
        """See ``host_api.Host``."""
        project = self._api.one(f"/projects/{quote(repository, safe='')}", _LabProject)
        if project is None:
            return HostReaders()
        # By its number: meanwhile another one may have taken the name.
        path = f"/projects/{project.id}/members/all?per_page={_EACH}"
        members = self._api.every(path, _Member)
        if members is None:
            return HostReaders(project.id)
        users = frozenset(member.username.casefold() for member in members if member.may_read)
        return HostReaders(project.id, users)

    def close(self) -> None:
        """See ``host_api.Host``."""
        self._api.close()
