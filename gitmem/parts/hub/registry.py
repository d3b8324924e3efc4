"""Which repositories a hub reads and who may ask: ``hub.yaml`` in the hub's folder.

It is the one thing that git does not know, and small enough to be kept in git itself. What is
secret stays out of it: the database's address comes from the environment, and of a token only a
digest is kept.
"""

import hashlib
import hmac
import os
import re
import secrets
import threading
from collections.abc import Mapping
from typing import Any, Final, Self

import msgspec

from gitmem.errors import ConflictError, InvalidError, NotFoundError, UsageError
from gitmem.parts.hub.hub_file import (
    HubFile,
    IssuerLine,
    PermissionsLine,
    RepositoryLine,
    TokenLine,
)
from gitmem.parts.hub.protocol import NOTHING, Seen
from gitmem.parts.hub.taking import SourceRepository
from gitmem.records import codec
from gitmem.store.files import Store

# Of words, perhaps with blanks between them, in folders: no way up, and nothing for a shell.
_NAME: Final = re.compile(r"(?!\S*/\.)\w[\w.+ -]{0,99}(?<! )(?:/\w[\w.+ -]{0,99}(?<! )){0,9}")

FILE: Final = "hub.yaml"
DATABASE: Final = "GITMEM_HUB_DATABASE"
"""The environment variable with the database's address."""
SECRET: Final = "GITMEM_HUB_SECRET"  # noqa: S105  the name of a variable
"""The environment variable with what webhooks are signed with."""
_PREFIX: Final = "gmh_"
_RECOGNISING: Final = threading.Lock()
"""Between reading the file and writing what was recognised."""


class Registry:
    """The file of a hub.

    Args:
        folder: of the hub.

    """

    def __init__(self, folder: str, file: HubFile) -> None:
        self.folder = folder
        self._file = file

    @classmethod
    def read(cls, folder: str) -> Self:
        """Read the file; an empty registry if there is none.

        Raises:
            InvalidError: it is not such a file.

        """
        return cls(folder, _read(folder))

    @property
    def clones(self) -> str:
        """The folder of the copies of repositories."""
        return os.path.join(os.path.abspath(self.folder), "clones")

    @property
    def repositories(self) -> dict[str, SourceRepository]:
        """The repositories that the hub reads, by name."""
        return {
            name: SourceRepository(name, *msgspec.structs.astuple(line))
            for name, line in self._file.repositories.items()
        }

    def repository(self, name: str) -> SourceRepository:
        """Give one repository.

        Raises:
            NotFoundError: the hub does not read it.

        """
        if name not in self._file.repositories:
            raise NotFoundError(f"this hub has no repository {name}", "see: gitmem hub status")
        return self.repositories[name]

    def add(self, repository: SourceRepository) -> None:
        """Let the hub read a repository.

        Raises:
            ConflictError: it reads another one of that name.
            UsageError: the name is not one that people can read.

        """
        name, url = repository[:2]
        if not _NAME.fullmatch(name):
            raise UsageError(f"{name!r} is not a name", "such as payments/api")
        there = self._file.repositories.get(name)
        if there is not None and there.url != url:
            raise ConflictError(
                f"{name} is another repository here: {there.url}", "choose another name"
            )
        line = RepositoryLine(*repository[1:])
        if there is not None:
            line.host_id, line.replaced_by = there.host_id, there.replaced_by
        self._file.repositories[name] = line
        self._write()

    def recognise(self, host_ids: Mapping[str, int]) -> set[str]:
        """Compare repositories with what the host has under their names now.

        The first number is remembered. With another one it is another repository: one was deleted
        and made again, or renamed and its name taken. That one is not what was added here: nothing
        is read of it, sent by it, or shown under the name.

        Args:
            host_ids: the number that the host has for the repository of each name.

        Returns:
            The names that other repositories have now.

        """
        with _RECOGNISING:
            self._file = _read(self.folder)
            changed = False
            others = set()
            for name, host_id in host_ids.items():
                line = self._file.repositories.get(name)
                if line is None:
                    continue
                if not line.host_id:
                    line.host_id, changed = host_id, True
                elif line.host_id != host_id and not line.replaced_by:
                    line.replaced_by, changed = host_id, True
                if line.replaced_by:
                    others.add(name)
            if changed:
                self._write()
            return others

    def remove(self, name: str) -> None:
        """Let the hub read a repository no longer."""
        self.repository(name)
        del self._file.repositories[name]
        self._write()

    def new_token(self, name: str, *, internal: bool, repositories: list[str]) -> str:
        """Make a token that may only read; it is shown once, and its digest is kept."""
        token = _PREFIX + secrets.token_urlsafe(32)
        self._file.tokens[name] = TokenLine(_digest(token), internal, sorted(repositories))
        self._write()
        return token

    def drop_token(self, name: str) -> None:
        """Let a token read no longer.

        Raises:
            NotFoundError: there is none of that name.

        """
        if self._file.tokens.pop(name, None) is None:
            raise NotFoundError(f"this hub has no token {name}", f"see {FILE}")
        self._write()

    @property
    def people(self) -> IssuerLine | None:
        """Who issues tokens of people; None: there are personal tokens only."""
        return self._file.people

    @property
    def jobs(self) -> IssuerLine | None:
        """Who issues tokens of jobs that publish; None: nobody may publish."""
        return self._file.jobs

    @property
    def signed_in(self) -> str:
        """The header in which a proxy names who is signed in; empty: none is believed."""
        return self._file.signed_in

    @property
    def permissions(self) -> PermissionsLine | None:
        """Who says what somebody may see; None: the lines of tokens."""
        return self._file.permissions

    def granted(self, token: str) -> tuple[str, Seen]:
        """Say whose personal token this is and what its line names; an unknown one nothing."""
        digest = _digest(token)
        for name, granted in self._file.tokens.items():
            if hmac.compare_digest(granted.sha256.encode(), digest.encode()):
                return name, Seen(granted.internal, frozenset(granted.repositories))
        return "", NOTHING

    def unknown_grants(self) -> list[tuple[str, str]]:
        """Give the tokens that name a repository which the hub does not read, with its name."""
        return [
            (token, name)
            for token, granted in sorted(self._file.tokens.items())
            for name in granted.repositories
            if name not in self._file.repositories
        ]

    def _write(self) -> None:
        data: Mapping[str, Any] = msgspec.to_builtins(self._file)
        os.makedirs(self.folder, exist_ok=True)
        Store(self.folder, 0).replace(FILE, codec.dump(dict(data)))


def _read(folder: str) -> HubFile:
    path = os.path.join(folder, FILE)
    try:
        with open(path, "rb") as file:
            text = file.read()
    except FileNotFoundError:
        return HubFile()
    try:
        data = codec.load(text) if text.strip() else {}
        return msgspec.convert(data, HubFile)
    except (codec.YamlError, msgspec.ValidationError) as error:
        raise InvalidError(f"{path}: {error}", "see docs/hub.md for its form") from None


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
