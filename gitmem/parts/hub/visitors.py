"""Who asks a hub, and what they may see: the one place where that is decided.

A personal token of ``hub.yaml`` names its user, and so does a token of the organisation's issuer.
What the user may see says whoever ``permissions`` in that file names; then the line of a personal
token only takes something away. Without ``permissions`` that line alone decides, and a token of the
issuer sees internal repositories.
"""

import os
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.errors import InvalidError
from gitmem.hub.client import Address
from gitmem.parts.hub.gitea import GiteaHost
from gitmem.parts.hub.github import GitHubHost
from gitmem.parts.hub.gitlab import GitLabHost
from gitmem.parts.hub.host_api import Host
from gitmem.parts.hub.mirrored import MirroredPermissions
from gitmem.parts.hub.oidc import TokenChecker
from gitmem.parts.hub.permissions import INSIDE, FilePermissions, Permissions
from gitmem.parts.hub.protocol import NOTHING, Seen

if TYPE_CHECKING:
    from gitmem.parts.hub.hub_file import IssuerLine, PermissionsLine
    from gitmem.parts.hub.registry import Registry
    from gitmem.parts.hub.taking import SourceRepository

HOST_TOKEN: Final = "GITMEM_HUB_HOST_TOKEN"  # noqa: S105  the name of a variable
"""The environment variable with the secret that the host's interface is asked with."""
_FORMS: Final[dict[str, Callable[[Address, str], Host]]] = {
    "github": GitHubHost,
    "gitlab": GitLabHost,
    "gitea": GiteaHost,
}
_PARTS_OF_TOKEN: Final = 3


class Visitors:
    """Says who asks. Threads may share it.

    Args:
        registry: gives the hub's file, as it is now.
        environ: the environment of this process.

    """

    def __init__(self, registry: "Callable[[], Registry]", environ: Mapping[str, str]) -> None:
        self._registry = registry
        self._environ = environ
        self._lock = threading.Lock()
        self._sources = _Sources()

    def seen_by(self, token: str) -> tuple[str, Seen]:
        """Say whose token this is and what they may see; of an unknown one, nobody and nothing.

        It may wait some seconds for the issuer's keys.

        Raises:
            GitmemError: settings are wrong, or the issuer does not answer.

        """
        user, granted = self._registry().granted(token)
        if not user and token.count(".") == _PARTS_OF_TOKEN - 1:
            checker = self.people
            user = checker.user(token) if checker else ""
            return user, self.seen_as(user)
        permissions = self.permissions
        if not user or permissions is None:
            return user, granted
        visible = permissions.seen_by(user)
        private = visible.repositories
        if granted.repositories:
            private &= granted.repositories
        return user, Seen(granted.internal and visible.internal, private)

    def seen_as(self, user: str) -> Seen:
        """Give what a user may see, whoever made sure that it is this one; of nobody, nothing."""
        if not user:
            return NOTHING
        permissions = self.permissions
        return permissions.seen_by(user) if permissions else INSIDE

    @property
    def people(self) -> TokenChecker | None:
        """What checks tokens of people."""
        return self._current().people

    @property
    def jobs(self) -> TokenChecker | None:
        """What checks tokens of jobs that publish."""
        return self._current().jobs

    @property
    def permissions(self) -> Permissions | None:
        """Who says what users may see; None: the lines of tokens."""
        return self._current().permissions

    def close(self) -> None:
        """Close connections."""
        if self._sources.permissions:
            self._sources.permissions.close()

    def _current(self) -> "_Sources":
        """Give what the hub's file names now; what it names as before stays, with what it knows."""
        registry = self._registry()
        with self._lock:
            before = self._sources
            people, jobs, permissions = registry.people, registry.jobs, registry.permissions
            if people != before.people_line:
                before = before._replace(people_line=people, people=_checker(people))
            if jobs != before.jobs_line:
                before = before._replace(jobs_line=jobs, jobs=_checker(jobs))
            if permissions != before.permissions_line:
                self.close()
                before = before._replace(
                    permissions_line=permissions, permissions=self._permissions(permissions)
                )
            self._sources = before
            return before

    def _permissions(self, line: "PermissionsLine | None") -> Permissions | None:
        if line is None:
            return None
        forms = {name: url for name in _FORMS if (url := getattr(line, name))}
        if len(forms) + bool(line.file) != 1:
            choices = f"{', '.join(_FORMS)} or file"
            raise InvalidError("permissions in hub.yaml names no source, or two", choices)
        if line.file:
            return FilePermissions(os.path.join(self._registry().folder, line.file))
        ((form, url),) = forms.items()
        address = Address(url, f"permissions.{form}")
        host = _FORMS[form](address, self._environ.get(HOST_TOKEN, ""))
        return MirroredPermissions(host, self._repositories, self._recognise)

    def _recognise(self, host_ids: Mapping[str, int]) -> None:
        self._registry().recognise(host_ids)

    def _repositories(self) -> "Iterable[SourceRepository]":
        return self._registry().repositories.values()


class _Sources(NamedTuple):
    people_line: "IssuerLine | None" = None
    people: TokenChecker | None = None
    jobs_line: "IssuerLine | None" = None
    jobs: TokenChecker | None = None
    permissions_line: "PermissionsLine | None" = None
    permissions: Permissions | None = None


def _checker(line: "IssuerLine | None") -> TokenChecker | None:
    return TokenChecker(line) if line else None
