"""The permissions of a host, asked for ahead: a question never waits for the host.

Who may see a private repository is asked of the host every five minutes. So what was withdrawn
counts no longer than five minutes and one round of questions; while the host does not answer, one
hour since it last said so, and then nothing is seen, internal repositories included.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from gitmem.parts.hub.host_api import Host, HostSilentError
from gitmem.parts.hub.permissions import INSIDE
from gitmem.parts.hub.protocol import NOTHING, Seen
from gitmem.parts.hub.taking import SourceRepository

FRESH: Final = 300.0
"""Seconds for which an answer of the host is not asked for again."""
TRUSTED: Final = 3600.0
"""Seconds for which it counts while the host does not answer."""
_LOOK: Final = 15.0
"""Seconds between two looks at what is old."""
_LONGEST_PAUSE: Final = 600.0


class _Readers(NamedTuple):
    host_name: str
    users: frozenset[str]
    at: float


class MirroredPermissions:
    """See ``permissions.Permissions``. One thread refreshes it, any may ask.

    Args:
        host: which is asked.
        repositories: gives those that the hub reads now.
        recognise: is told the number that the host has for the repository of each name.
        clock: seconds that never go back.

    """

    def __init__(
        self,
        host: Host,
        repositories: Callable[[], Iterable[SourceRepository]],
        recognise: Callable[[Mapping[str, int]], object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._silent = ""
        self._host = host
        self._repositories = repositories
        self._recognise = recognise
        self._clock = clock
        self._answers: Mapping[str, _Readers] = {}
        self._heard = clock()
        self._pause_until = self._heard
        self._old: set[str] = set()
        self._tried: dict[str, float] = {}

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
        names = {repository} if repository else set(self._answers)
        self._old |= names
        for name in names:
            self._tried.pop(name, None)

    def close(self) -> None:
        """See ``Permissions``."""
        self._host.close()

    def refresh(self) -> float:
        """See ``Permissions``."""
        if (left := self._pause_until - self._clock()) > 0:
            return left
        rows = {
            row.name: row for row in self._repositories() if not (row.internal or row.replaced_by)
        }
        self._answers = {
            name: answer
            for name, answer in self._answers.items()
            if name in rows and rows[name].host_name == answer.host_name
        }
        self._silent = ""
        unrecognised: dict[str, int] = {}
        pause = self._ask_about(rows, unrecognised)
        if not rows:  # nothing is asked, so nothing can be old
            self._heard = self._clock()
        if unrecognised:
            self._recognise(unrecognised)
        return pause

    def _ask_about(
        self, rows: Mapping[str, SourceRepository], unrecognised: dict[str, int]
    ) -> float:
        # Where a limit ends each round early, or one of them can't be asked, all have their turn.
        for name in sorted(filter(self._is_old, rows), key=lambda at: self._tried.get(at, 0.0)):
            self._old.discard(name)
            try:
                host_id = self._take(rows[name])
            except HostSilentError as error:
                self._old.add(name)
                self._silent = str(error)
                if not error.pause:
                    self._tried[name] = self._clock()
                if error.about_all:
                    pause = min(max(error.pause, _LOOK), _LONGEST_PAUSE)
                    self._pause_until = self._clock() + pause
                    return pause
            else:
                self._tried[name] = self._clock()
                if host_id not in {0, rows[name].host_id}:
                    unrecognised[name] = host_id
        return _LOOK

    def _is_old(self, name: str) -> bool:
        answer = self._answers.get(name)
        return answer is None or name in self._old or self._clock() - answer.at >= FRESH

    def _take(self, row: SourceRepository) -> int:
        began = self._clock()
        host_id, users = self._host.readers(row.host_name)
        if row.host_id not in {0, host_id}:  # another one took the name: its readers are others
            users = frozenset()
        answer = _Readers(row.host_name, users, began)
        self._answers = {**self._answers, row.name: answer}
        self._heard = self._clock()
        return host_id
