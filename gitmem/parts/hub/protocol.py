"""The interface of every engine of a hub, and the values that go in and out.

Git stays the only truth: an engine is filled from it and may be filled anew at any time. An engine
does one thing for a question: it adds up the weights of terms that a record has, under a condition
on who asks, and gives the best with what is stored of them. Analysis, choice of terms and order
are ours, the same as in a single memory.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Final, NamedTuple, Protocol

CANDIDATES: Final = 200
"""Records that an engine gives for one question; exact scores put them in order."""
POSTINGS: Final = 5_000
"""Postings that one question reads, about: what bounds its work is this, not the size of a hub."""
STRONG: Final = "\x02"
"""Begins the twin of a term that says much of its record: in its title, or again and again."""
STRONG_FROM: Final = 1_300
"""The impact from which on a term has a twin."""
DUPLICATE: Final = "duplicate"
"""Why a file is held back: another file of its repository has the same id and comes first."""


class Seen(NamedTuple):
    """What whoever asks may see. Empty means nothing; it is an argument of every question.

    Attributes:
        internal: repositories that everybody of the organisation may see.
        repositories: these as well, by name.

    """

    internal: bool = False
    repositories: frozenset[str] = frozenset()


NOTHING: Final = Seen()


class Entry(NamedTuple):
    """A record as the hub keeps it.

    Attributes:
        repository: name of its repository.
        id: its id, unique within that.
        path: its file in the repository.
        blob: git's name for the file's content.
        commit: the commit at which it was taken.
        kind: of the record.
        created: when, as text whose order is that of time.
        impacts: its terms, weighed as the index of a memory weighs them, and twins.
        prints: its fingerprints at the levels that meet across repositories.
        links: (relation, id) of the records that it links to.
        body: the record as YAML, without secrets.

    """

    repository: str
    id: str
    path: str
    blob: str
    commit: str
    kind: str
    created: str
    impacts: Mapping[str, int]
    prints: tuple[tuple[str, str], ...]
    links: tuple[tuple[str, str], ...]
    body: bytes


class Held(NamedTuple):
    """A file of which nothing but this is kept: it stays home, or can't be read."""

    path: str
    blob: str
    why: str


class Kept(NamedTuple):
    """What is kept of a file: the record's id, or why it was held back."""

    blob: str
    id: str = ""
    why: str = ""


class Head(NamedTuple):
    """How far a repository was taken.

    Attributes:
        commit: the commit; empty: nothing was taken yet, or not to its end.
        made: by which rules and which version of our analysis.
        internal: everybody of the organisation may see it.
        taken: when, in seconds since 1970.
        run: the number of the job that sent it; 0: it was read with git.

    """

    commit: str = ""
    made: str = ""
    internal: bool = False
    taken: float = 0.0
    run: int = 0


class Stored(NamedTuple):
    """A record as an engine gives it.

    Attributes:
        repository: where it is from.
        id: its id there.
        path: its file there.
        commit: the commit at which it was taken.
        kind: of the record.
        created: when, as in ``Entry``.
        body: the record as YAML.

    """

    repository: str
    id: str
    path: str
    commit: str
    kind: str
    created: str
    body: bytes


class Candidate(NamedTuple):
    """A record that has terms of a question, without its body: few of many are shown.

    Attributes:
        repository: where it is from.
        id: its id there.
        created: when, as in ``Entry``.
        score: the factors of the terms that it has, added up; six digits behind the point.
        impacts: of the terms that were to be read.

    """

    repository: str
    id: str
    created: str
    score: float
    impacts: Mapping[str, int] = {}


class SharedPrint(NamedTuple):
    """A fingerprint that records of several repositories have.

    Attributes:
        level: of the fingerprint.
        value: the fingerprint.
        repositories: how many repositories have such records.
        records: how many records these are.

    """

    level: str
    value: str
    repositories: int
    records: int


def most_shared(shared: SharedPrint) -> tuple[int, int, str]:
    """Order fingerprints: what is in the most repositories first, then in the most records."""
    return -shared.repositories, -shared.records, shared.value


class Engine(Protocol):
    """Records by (repository, id). Reading never waits for writing."""

    def writing(self) -> AbstractContextManager[None]:
        """Do what is written inside in one step, all or nothing, while nobody else writes.

        Inside, ``heads``, ``ids`` and ``forgotten`` tell what will be there; questions may tell
        what was there before.
        """
        ...

    def put(self, entries: Iterable[Entry]) -> int:
        """Keep new records and say how many were new.

        One that is there is left as it is, and one that was forgotten for good stays away.
        """
        ...

    def hold(self, repository: str, held: Iterable[Held]) -> None:
        """Note files of which nothing is kept."""
        ...

    def forget(self, repository: str, ids: Iterable[str], *, for_good: bool = False) -> int:
        """Drop records, and say how many there were.

        Args:
            repository: where they are from.
            ids: theirs.
            for_good: never take them again, whatever git says.

        """
        ...

    def release(self, repository: str, paths: Iterable[str]) -> None:
        """Drop the notes on files that were held back."""
        ...

    def heads(self) -> dict[str, Head]:
        """Give how far each repository was taken."""
        ...

    def took(self, repository: str, head: Head) -> None:
        """Note how far a repository was taken."""
        ...

    def drop(self, repository: str) -> int:
        """Drop all of a repository but what was forgotten for good; say how many records."""
        ...

    def ids(self, repository: str) -> dict[str, Kept]:
        """Give what is kept of each file of a repository, by path."""
        ...

    def forgotten(self, repository: str) -> set[str]:
        """Give the ids that were forgotten for good."""
        ...

    def counts(self, terms: Collection[str]) -> tuple[dict[str, int], int]:
        """Count the records with each term, and all; over all repositories, for weights only."""
        ...

    def alike(
        self, prints: Sequence[tuple[str, str]], visible: Seen, limit: int
    ) -> list[tuple[str, Stored]]:
        """Give records that share a fingerprint, each once, with the level.

        The order is that of ``prints``; then the newest first.
        """
        ...

    def candidates(
        self,
        factors: Sequence[tuple[str, float]],
        visible: Seen,
        *,
        kinds: Collection[str] = (),
        limit: int = CANDIDATES,
        reading: Collection[str] = (),
    ) -> list[Candidate]:
        """Give the records for which the factors of the terms that they have add up highest.

        Of equal ones the newest comes first.

        Args:
            factors: terms and what each is worth.
            visible: what whoever asks may see.
            kinds: only these; empty: all.
            limit: how many at most.
            reading: terms of which to give impacts.

        """
        ...

    def linking(
        self, of: Collection[tuple[str, str]], visible: Seen
    ) -> list[tuple[str, str, Stored]]:
        """Give the records that link to some others of their repository: relation, target, record.

        Args:
            of: (repository, id) of the others.
            visible: what whoever asks may see.

        """
        ...

    def newest(
        self,
        visible: Seen,
        *,
        kinds: Collection[str] = (),
        only: Collection[tuple[str, str]] | None = None,
        limit: int,
    ) -> list[Stored]:
        """Give the newest records, the newest first.

        Args:
            visible: what whoever asks may see.
            kinds: only these; empty: all.
            only: no others than these, by (repository, id); None: all.
            limit: how many at most.

        """
        ...

    def shared(self, level: str, since: str, visible: Seen, limit: int) -> list[SharedPrint]:
        """Give the fingerprints that visible records of more than one repository have.

        What is in the most repositories comes first, then what is in the most records.

        Args:
            level: of the fingerprints.
            since: only records that were created then or later, as ``Entry.created``.
            visible: what whoever asks may see.
            limit: how many at most.

        """
        ...

    def sizes(self, visible: Seen) -> dict[str, int]:
        """Count the records of each visible repository that has any."""
        ...

    def audit(self, who: str, what: str, repository: str, count: int) -> None:
        """Note who asked or changed what, without its content."""
        ...

    def close(self) -> None:
        """Close connections."""
        ...
