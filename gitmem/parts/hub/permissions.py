"""Who may see which private repositories, as somebody outside of the hub says: the interface."""

import os
from collections.abc import Mapping
from typing import Any, Final, Protocol

import msgspec

from gitmem.errors import InvalidError
from gitmem.parts.hub.protocol import NOTHING, Seen
from gitmem.records import codec

INSIDE: Final = Seen(internal=True)
"""What an unknown user of the organisation may see: nothing private."""


class Permissions(Protocol):
    """Which user may see which repository, both ways."""

    @property
    def silent(self) -> str:
        """Say why nothing could be learnt the last time; empty: all is well."""
        ...

    def seen_by(self, user: str) -> Seen:
        """Give what a user may see, by the hub's names; nothing if that is not known any more."""
        ...

    def users_of(self, repository: str) -> frozenset[str] | None:
        """Give who may see a private repository, in lower case; None: that is not known."""
        ...

    def refresh(self) -> float:
        """Ask for what is old; give the seconds until it is to be called again."""
        ...

    def forget(self, repository: str = "") -> None:
        """Ask again soon for who may see a repository; without one, for all."""
        ...

    def close(self) -> None:
        """Close connections."""
        ...


class FilePermissions:
    """A file with the repositories of each user: ``ada: [finance/ledger]``.

    It is read again when it has changed. While it can't be read, nobody sees anything.

    Args:
        path: of the file.

    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._stamp: object = None
        self._by_user: Mapping[str, frozenset[str]] = {}

    @property
    def silent(self) -> str:
        """See ``Permissions``."""
        try:
            self.read()
        except InvalidError as error:
            return error.message
        return ""

    def seen_by(self, user: str) -> Seen:
        """See ``Permissions``."""
        try:
            by_user = self.read()
        except InvalidError:
            return NOTHING
        return Seen(internal=True, repositories=by_user.get(user.casefold(), frozenset()))

    def users_of(self, repository: str) -> frozenset[str] | None:
        """See ``Permissions``."""
        try:
            by_user = self.read()
        except InvalidError:
            return None
        return frozenset(user for user, names in by_user.items() if repository in names)

    def refresh(self) -> float:
        """See ``Permissions``: each question looks at the file."""
        return float("inf")

    def forget(self, repository: str = "") -> None:
        """See ``Permissions``."""

    def close(self) -> None:
        """See ``Permissions``."""

    def read(self) -> Mapping[str, frozenset[str]]:
        """Give the repositories of each user, by names in lower case.

        Raises:
            InvalidError: there is no such file, or it has another form.

        """
        try:
            about = os.stat(self._path)
            stamp = (about.st_mtime_ns, about.st_size, about.st_ino)
            if stamp != self._stamp:
                self._by_user = _by_user(self._path)
                self._stamp = stamp
        except (OSError, codec.YamlError, msgspec.ValidationError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise InvalidError(
                f"{self._path}: {reason}", "each user with a list of repositories: ada: [team/api]"
            ) from None
        return self._by_user


def _by_user(path: str) -> Mapping[str, frozenset[str]]:
    with open(path, "rb") as file:
        text = file.read()
    data: Any = codec.load(text) if text.strip() else {}
    lines = msgspec.convert(data, dict[str, list[str]])
    return {user.casefold(): frozenset(names) for user, names in lines.items()}
