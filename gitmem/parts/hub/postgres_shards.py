"""One hub in several PostgreSQL databases, on a server each: what one disk can't hold.

All of a repository is in one database, its home, so that a step of taking is one transaction. A
question goes to all of them at once, and the best of each are put in order here; terms weigh what
they weigh over all of them together. Which database is the home follows from the repository's name
and the number of databases alone: one that joins takes its share from each of the others, and
nothing else moves.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import lru_cache, partial
from hashlib import blake2b
from typing import Any, Final, TypeVar

from gitmem.parts.hub.postgres import PostgresHub
from gitmem.parts.hub.postgres_places import Place
from gitmem.parts.hub.protocol import (
    CANDIDATES,
    Candidate,
    Entry,
    Head,
    Held,
    Kept,
    Seen,
    SharedPrint,
    Stored,
    most_shared,
)  # fmt: skip

_BETWEEN: Final = re.compile(r"\s+(?=postgres(?:ql)?://)")
_ASKING: Final = 8
"""Questions that are under way at once; each asks every database."""
_MOST_SHARED: Final = 1_000
"""Fingerprints that each database names, whose repositories all of them then count."""
_T = TypeVar("_T")
_Item = TypeVar("_Item", Candidate, Stored)


def addresses(address: str) -> list[str]:
    """Take an address of several databases apart; they are URLs with blanks between them."""
    return _BETWEEN.split(address.strip())


class ShardedHub:
    """See ``protocol.Engine``. Threads may share one.

    A step locks all databases, in their order. One that touches several repositories is written to
    each database in a transaction of its own: if the process is killed between two of them, one
    repository has the step and another has not, as if these had been two steps.

    Args:
        databases: addresses, each as libpq takes it, always in the same order.
        spreading: take databases that hold too much, to move it.

    Raises:
        EnvironmentProblem: one does not answer, or they are not these in this order.

    """

    def __init__(self, databases: Sequence[str], *, spreading: bool = False) -> None:
        self._pool = ThreadPoolExecutor(_ASKING * len(databases))
        self._shards: list[PostgresHub] = []
        for number, address in enumerate(databases, 1):
            place = Place(number, len(databases))
            self._shards.append(PostgresHub(address, place, spreading=spreading))

    def spread(self) -> int:
        """Move each repository to its home, and give the number of those that moved.

        Meanwhile nobody else reads or writes; if it is interrupted, nobody does until it is done.
        """
        with self.writing():
            for shard in self._shards:
                shard.begin_moving()
        for shard in self._shards:
            shard.end_others()
        moved = 0
        for shard in self._shards:
            for name in shard.names():
                home = self._home(name)
                if home is not shard:
                    with self.writing():
                        home.move_from(shard, name)
                    moved += 1
        with self.writing():
            for shard in self._shards:
                shard.settle()
        return moved

    def _home(self, repository: str) -> PostgresHub:
        return self._shards[_home(repository, len(self._shards))]

    def _from_all(self, ask: Callable[[PostgresHub], _T]) -> list[_T]:
        if self._shards[0].is_writing:  # what was written in this step is seen by this thread only
            return [ask(shard) for shard in self._shards]
        return list(self._pool.map(ask, self._shards))

    def _by_home(self, keys: Iterable[tuple[str, str]]) -> dict[PostgresHub, list[tuple[str, str]]]:
        parts: dict[PostgresHub, list[tuple[str, str]]] = {shard: [] for shard in self._shards}
        for key in keys:
            parts[self._home(key[0])].append(key)
        return parts

    @contextmanager
    def writing(self) -> Iterator[None]:
        """See ``protocol.Engine``."""
        with ExitStack() as steps:
            for shard in self._shards:
                steps.enter_context(shard.writing())
            yield

    def close(self) -> None:
        """See ``protocol.Engine``."""
        self._pool.shutdown()
        for shard in self._shards:
            shard.close()

    # Writing

    def put(self, entries: Iterable[Entry]) -> int:
        """See ``protocol.Engine``."""
        parts: list[list[Entry]] = [[] for _ in self._shards]
        for entry in entries:
            parts[_home(entry.repository, len(parts))].append(entry)
        return sum(shard.put(part) for shard, part in zip(self._shards, parts, strict=True) if part)

    def hold(self, repository: str, held: Iterable[Held]) -> None:
        """See ``protocol.Engine``."""
        self._home(repository).hold(repository, held)

    def forget(self, repository: str, ids: Iterable[str], *, for_good: bool = False) -> int:
        """See ``protocol.Engine``."""
        return self._home(repository).forget(repository, ids, for_good=for_good)

    def release(self, repository: str, paths: Iterable[str]) -> None:
        """See ``protocol.Engine``."""
        self._home(repository).release(repository, paths)

    def took(self, repository: str, head: Head) -> None:
        """See ``protocol.Engine``."""
        self._home(repository).took(repository, head)

    def drop(self, repository: str) -> int:
        """See ``protocol.Engine``."""
        return self._home(repository).drop(repository)

    def audit(self, who: str, what: str, repository: str, count: int) -> None:
        """See ``protocol.Engine``."""
        self._home(repository).audit(who, what, repository, count)

    # Reading

    def heads(self) -> dict[str, Head]:
        """See ``protocol.Engine``."""
        return _united(self._from_all(PostgresHub.heads))

    def ids(self, repository: str) -> dict[str, Kept]:
        """See ``protocol.Engine``."""
        return self._home(repository).ids(repository)

    def forgotten(self, repository: str) -> set[str]:
        """See ``protocol.Engine``."""
        return self._home(repository).forgotten(repository)

    def counts(self, terms: Collection[str]) -> tuple[dict[str, int], int]:
        """See ``protocol.Engine``."""
        records: Counter[str] = Counter()
        everything = 0
        for counts, number in self._from_all(lambda shard: shard.counts(terms)):
            records.update(counts)
            everything += number
        return dict(records), everything

    def alike(
        self, prints: Sequence[tuple[str, str]], visible: Seen, limit: int
    ) -> list[tuple[str, Stored]]:
        """See ``protocol.Engine``."""
        matched: dict[tuple[str, str], tuple[str, Stored]] = {}
        for level, value in prints:
            parts = self._from_all(
                partial(_having, prints=[(level, value)], visible=visible, limit=limit)
            )
            for record in _merged(parts, _age, limit):
                matched.setdefault((record.repository, record.id), (level, record))
            if len(matched) >= limit:
                break
        return list(matched.values())[:limit]

    def candidates(
        self,
        factors: Sequence[tuple[str, float]],
        visible: Seen,
        *,
        kinds: Collection[str] = (),
        limit: int = CANDIDATES,
        reading: Collection[str] = (),
    ) -> list[Candidate]:
        """See ``protocol.Engine``."""
        best = self._from_all(
            lambda shard: shard.candidates(
                factors, visible, kinds=kinds, limit=limit, reading=reading
            )
        )
        return _merged(best, lambda candidate: (candidate.score, *_age(candidate)), limit)

    def linking(
        self, of: Collection[tuple[str, str]], visible: Seen
    ) -> list[tuple[str, str, Stored]]:
        """See ``protocol.Engine``."""
        parts = self._by_home(of)
        links = self._from_all(
            lambda shard: shard.linking(parts[shard], visible) if parts[shard] else []
        )
        return sorted((link for part in links for link in part), key=lambda link: _age(link[2]))

    def newest(
        self,
        visible: Seen,
        *,
        kinds: Collection[str] = (),
        only: Collection[tuple[str, str]] | None = None,
        limit: int,
    ) -> list[Stored]:
        """See ``protocol.Engine``."""
        parts = self._by_home(only or ())

        def ask(shard: PostgresHub) -> list[Stored]:
            if only is None:
                return shard.newest(visible, kinds=kinds, limit=limit)
            part = parts[shard]
            return shard.newest(visible, kinds=kinds, only=part, limit=limit) if part else []

        return _merged(self._from_all(ask), _age, limit)

    def shared(self, level: str, since: str, visible: Seen, limit: int) -> list[SharedPrint]:
        """See ``protocol.Engine``.

        Each database names those that most of its repositories have, and what is named is counted
        in all of them: what is given is exact. Past the first thousand of each, one that only one
        repository of every database has can be left out.
        """
        named = self._from_all(
            lambda shard: shard.printed(level, since, visible, max(limit, _MOST_SHARED))
        )
        values = sorted({shared.value for part in named for shared in part})
        repositories: Counter[str] = Counter()
        records: Counter[str] = Counter()
        counts = self._from_all(
            lambda shard: shard.printed(level, since, visible, len(values), only=values)
        )
        for part in counts:
            for shared in part:
                repositories[shared.value] += shared.repositories
                records[shared.value] += shared.records
        several = [
            SharedPrint(level, value, number, records[value])
            for value, number in repositories.items()
            if number > 1
        ]
        return sorted(several, key=most_shared)[:limit]

    def sizes(self, visible: Seen) -> dict[str, int]:
        """See ``protocol.Engine``."""
        return _united(self._from_all(lambda shard: shard.sizes(visible)))


@lru_cache(maxsize=100_000)
def _home(repository: str, shards: int) -> int:
    """Choose the database with the highest hash of its number and the name.

    This is rendezvous hashing (Thaler and Ravishankar, 1998).
    """

    def weight(number: int) -> bytes:
        return blake2b(f"{number}\0{repository}".encode(), digest_size=8).digest()

    return max(range(shards), key=weight)


def _having(
    shard: PostgresHub, prints: Sequence[tuple[str, str]], visible: Seen, limit: int
) -> list[Stored]:
    return [record for _, record in shard.alike(prints, visible, limit)]


def _age(record: Candidate | Stored) -> tuple[str, str, str]:
    return record.created, record.repository, record.id


def _merged(
    parts: Iterable[list[_Item]], order: Callable[[_Item], tuple[Any, ...]], limit: int
) -> list[_Item]:
    everything = [item for part in parts for item in part]
    everything.sort(key=order, reverse=True)
    return everything[:limit]


def _united(parts: Iterable[dict[str, _T]]) -> dict[str, _T]:
    return {name: value for part in parts for name, value in part.items()}
