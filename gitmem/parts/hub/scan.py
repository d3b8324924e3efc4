"""An engine in memory that reads every record: the oracle of tests, simple enough to be right."""

import copy
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

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


class AuditLine(NamedTuple):
    """Who asked or changed what, when; no content."""

    at: float
    who: str
    what: str
    repository: str
    records: int


class ScanHub:
    """See ``protocol.Engine``."""

    def __init__(self) -> None:
        self._entries: dict[tuple[str, str], Entry] = {}
        self._held: dict[tuple[str, str], Held] = {}
        self._heads: dict[str, Head] = {}
        self._for_good: set[tuple[str, str]] = set()
        self.lines: list[AuditLine] = []

    @contextmanager
    def writing(self) -> Iterator[None]:
        """See ``protocol.Engine``."""
        before = copy.copy(self.__dict__)
        before = {name: copy.copy(value) for name, value in before.items()}
        try:
            yield
        except BaseException:
            self.__dict__.update(before)
            raise

    def put(self, entries: Iterable[Entry]) -> int:
        """See ``protocol.Engine``."""
        new = 0
        for entry in entries:
            key = entry.repository, entry.id
            if key not in self._entries and key not in self._for_good:
                self._entries[key] = entry
                new += 1
            self._heads.setdefault(entry.repository, Head())
        return new

    def hold(self, repository: str, held: Iterable[Held]) -> None:
        """See ``protocol.Engine``."""
        self._held |= {(repository, file.path): file for file in held}

    def forget(self, repository: str, ids: Iterable[str], *, for_good: bool = False) -> int:
        """See ``protocol.Engine``."""
        keys = {(repository, name) for name in ids}
        if for_good:
            self._for_good |= keys
        return sum(self._entries.pop(key, None) is not None for key in keys)

    def release(self, repository: str, paths: Iterable[str]) -> None:
        """See ``protocol.Engine``."""
        for path in paths:
            self._held.pop((repository, path), None)

    def heads(self) -> dict[str, Head]:
        """See ``protocol.Engine``."""
        return dict(self._heads)

    def took(self, repository: str, head: Head) -> None:
        """See ``protocol.Engine``."""
        self._heads[repository] = head._replace(taken=time.time())

    def drop(self, repository: str) -> int:
        """See ``protocol.Engine``."""
        gone = [key for key in self._entries if key[0] == repository]
        for key in gone:
            del self._entries[key]
        self._held = {key: held for key, held in self._held.items() if key[0] != repository}
        self._heads.pop(repository, None)
        return len(gone)

    def ids(self, repository: str) -> dict[str, Kept]:
        """See ``protocol.Engine``."""
        others = {
            entry.path: Kept(entry.blob, entry.id)
            for entry in self._entries.values()
            if entry.repository == repository
        }
        return others | {
            path: Kept(held.blob, "", held.why)
            for (name, path), held in self._held.items()
            if name == repository
        }

    def forgotten(self, repository: str) -> set[str]:
        """See ``protocol.Engine``."""
        return {name for where, name in self._for_good if where == repository}

    def counts(self, terms: Collection[str]) -> tuple[dict[str, int], int]:
        """See ``protocol.Engine``."""
        entries = self._entries.values()
        counts = {term: sum(term in entry.impacts for entry in entries) for term in terms}
        return {term: count for term, count in counts.items() if count}, len(entries)

    def alike(
        self, prints: Sequence[tuple[str, str]], visible: Seen, limit: int
    ) -> list[tuple[str, Stored]]:
        """See ``protocol.Engine``."""
        matched: dict[tuple[str, str], tuple[str, Stored]] = {}
        newest_first = sorted(self._visible(visible), key=_newest, reverse=True)
        for level, value in prints:
            for entry in newest_first:
                if (level, value) in entry.prints:
                    matched.setdefault((entry.repository, entry.id), (level, _stored(entry)))
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
        scored = []
        for entry in self._visible(visible):
            total = sum(value for term, value in factors if term in entry.impacts)
            if total and (not kinds or entry.kind in kinds):
                scored.append((round(total, 6), _newest(entry), entry))
        scored.sort(key=lambda hit: hit[:2], reverse=True)
        return [
            Candidate(
                entry.repository, entry.id, entry.created, total,
                {term: entry.impacts[term] for term in reading if term in entry.impacts},
            )
            for total, _, entry in scored[:limit]
        ]  # fmt: skip

    def linking(
        self, of: Collection[tuple[str, str]], visible: Seen
    ) -> list[tuple[str, str, Stored]]:
        """See ``protocol.Engine``."""
        wanted = set(of)
        return [
            (relation, target, _stored(entry))
            for entry in sorted(self._visible(visible), key=_newest)
            for relation, target in entry.links
            if (entry.repository, target) in wanted
        ]

    def newest(
        self,
        visible: Seen,
        *,
        kinds: Collection[str] = (),
        only: Collection[tuple[str, str]] | None = None,
        limit: int,
    ) -> list[Stored]:
        """See ``protocol.Engine``."""
        matching = [
            entry
            for entry in self._visible(visible)
            if (not kinds or entry.kind in kinds)
            and (only is None or (entry.repository, entry.id) in only)
        ]
        return [_stored(entry) for entry in sorted(matching, key=_newest, reverse=True)[:limit]]

    def shared(self, level: str, since: str, visible: Seen, limit: int) -> list[SharedPrint]:
        """See ``protocol.Engine``."""
        having: dict[str, list[str]] = defaultdict(list)
        for entry in self._visible(visible):
            for value in {value for at, value in entry.prints if at == level}:
                if entry.created >= since:
                    having[value].append(entry.repository)
        every = [
            SharedPrint(level, value, len(set(names)), len(names))
            for value, names in having.items()
            if len(set(names)) > 1
        ]
        return sorted(every, key=most_shared)[:limit]

    def sizes(self, visible: Seen) -> dict[str, int]:
        """See ``protocol.Engine``."""
        return dict(Counter(entry.repository for entry in self._visible(visible)))

    def audit(self, who: str, what: str, repository: str, count: int) -> None:
        """See ``protocol.Engine``."""
        self.lines.append(AuditLine(time.time(), who, what, repository, count))

    def close(self) -> None:
        """See ``protocol.Engine``."""

    def _visible(self, visible: Seen) -> Iterator[Entry]:
        for entry in list(self._entries.values()):
            name = entry.repository
            if name in visible.repositories or (visible.internal and self._heads[name].internal):
                yield entry


def _newest(entry: Entry) -> tuple[str, str, str]:
    return entry.created, entry.repository, entry.id


def _stored(entry: Entry) -> Stored:
    return Stored(
        entry.repository, entry.id, entry.path, entry.commit, entry.kind, entry.created, entry.body
    )
