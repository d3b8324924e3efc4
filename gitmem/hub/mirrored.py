"""The permissions of a host, asked for ahead: a question never waits for the host.

Who may see a private repository is asked of the host every five minutes. So what was withdrawn
counts no longer than five minutes and one round of questions; while the host does not answer, one
hour since it last said so, and then nothing is seen, internal repositories included.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple, Protocol

from gitmem.hub.github import HostSilentError
from gitmem.hub.permissions import INSIDE
from gitmem.hub.protocol import NOTHING, Seen
from gitmem.hub.taking import SourceRepository

FRESH: Final = 300.0
"""Seconds for which an answer of the host is not asked for again."""
TRUSTED: Final = 3600.0
"""Seconds for which it counts while the host does not answer."""
_LOOK: Final = 15.0
"""Seconds between two looks at what is old."""
_LONGEST_PAUSE: Final = 600.0


class Host(Protocol):
    """What is asked: who may read a repository."""

    def users_of(self, repository: str) -> frozenset[str]:
        """Give them, in lower case; ``HostSilentError`` if it does not answer."""
        ...

    def close(self) -> None:
        """Close connections."""
        ...


class _Readers(NamedTuple):
    host_name: str
    users: frozenset[str]
    at: float


class MirroredPermissions:
    """See ``permissions.Permissions``. One thread refreshes it, any may ask.

    Args:
        host: which is asked.
        repositories: gives those that the hub reads now.
        clock: seconds that never go back.

    """

    def __init__(
        self,
        host: Host,
        repositories: Callable[[], Iterable[SourceRepository]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._silent = ""
        self._host = host
        self._repositories = repositories
        self._clock = clock
        self._answers: Mapping[str, _Readers] = {}
        self._heard = clock()
        self._pause_until = self._heard
        self._old: set[str] = set()

    @property
    def silent(self) -> str:
        """See ``Permissions``."""
        return self._silent

    def seen_by(self, user: str) -> Seen:
        """See ``Permissions``."""
        now = self._clock()
        if now - self._heard > TRUSTED:
            return NOTHING
        login = user.casefold()
        names = {
            name
            for name, answer in self._answers.items()
            if login in answer.users and now - answer.at <= TRUSTED
        }
        return INSIDE._replace(repositories=frozenset(names))

    def users_of(self, repository: str) -> frozenset[str] | None:
        """See ``Permissions``."""
        answer = self._answers.get(repository)
        if answer is None or self._clock() - answer.at > TRUSTED:
            return None
        return answer.users

    def forget(self, repository: str = "") -> None:
        """See ``Permissions``."""
        self._old |= {repository} if repository else set(self._answers)

    def close(self) -> None:
        """See ``Permissions``."""
        self._host.close()

    def refresh(self) -> float:
        """See ``Permissions``."""
        if (left := self._pause_until - self._clock()) > 0:
            return left
        rows = {row.name: row for row in self._repositories() if not row.internal}
        self._answers = {
            name: answer
            for name, answer in self._answers.items()
            if name in rows and rows[name].host_name == answer.host_name
        }
        self._silent = ""
        for name, row in rows.items():
            if self._is_old(name):
                self._old.discard(name)
                try:
                    self._take(row)
                except HostSilentError as error:
                    self._old.add(name)
                    self._silent = str(error)
                    if error.about_all:
                        pause = min(max(error.pause, _LOOK), _LONGEST_PAUSE)
                        self._pause_until = self._clock() + pause
                        return pause
        if not rows:  # nothing is asked, so nothing can be old
            self._heard = self._clock()
        return _LOOK

    def _is_old(self, name: str) -> bool:
        answer = self._answers.get(name)
        return answer is None or name in self._old or self._clock() - answer.at >= FRESH

    def _take(self, row: SourceRepository) -> None:
        began = self._clock()
        users = self._host.users_of(row.host_name)
        answer = _Readers(row.host_name, users, began)
        self._answers = {**self._answers, row.name: answer}
        self._heard = self._clock()
