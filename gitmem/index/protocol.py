"""The interface of every index. Callers import this module and ``document`` only."""

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

from gitmem.query import Query

if TYPE_CHECKING:
    from gitmem.index.document import Document, Impacts

Allow = Callable[[int], bool] | Container[int] | None
"""Which keys may be found: a test, a collection, or None for all."""

TextOf = Callable[[int], str]
"""A key's text as ``document.plain_text`` gives it, to look for phrases in."""


class Near(NamedTuple):
    """How near one question is to records, by key.

    Attributes:
        cosines: gives the cosine with records; those without a vector are left out.
        nearest: gives all records with a vector, the nearest first; None where nearness puts
            only those in order that words have found.

    """

    cosines: Callable[[Collection[int]], Mapping[int, float]]
    nearest: Callable[[], Iterable[int]] | None = None


Nearness = Callable[[Query, int], Near | None]
"""Gives that for a question of which words found so many records; None: meaning counts not."""


class IndexDamaged(Exception):  # noqa: N818  it names a state of the files
    """The files are no index that this version can read. Callers wipe it and build it anew."""


Parts = tuple[tuple[str, float], ...]
"""What each term gave to a score."""


class LateParts:
    """Parts of a score that are worked out when somebody reads them: few hits are explained."""

    def __init__(self, explain: Callable[[], Parts]) -> None:
        self._explain = explain

    @cached_property
    def _parts(self) -> Parts:
        return self._explain()

    def __iter__(self) -> Iterator[tuple[str, float]]:
        """Give the parts, largest first."""
        return iter(self._parts)

    def __len__(self) -> int:
        """Count them."""
        return len(self._parts)

    def __eq__(self, other: object) -> bool:
        """Tell whether the same gave the same."""
        return self._parts == (other._parts if isinstance(other, LateParts) else other)

    def __hash__(self) -> int:
        """Hash the parts."""
        return hash(self._parts)


class Hit(NamedTuple):
    """A record that was found.

    Attributes:
        key: its key.
        score: above 0; 0 where nothing was ranked (only phrases without words, exclusions).
        terms: what each term gave, largest first; the sum is the score up to rounding,
            because the bonus for having every term is shared out over them.
        brought: nearness in meaning brought it: words would not have.

    """

    key: int
    score: float
    terms: Parts | LateParts
    brought: bool = False


class Index(Protocol):
    """Documents by key (positive integers), found by their words.

    Every method may raise IndexDamaged. Writers exclude each other by the caller's lock.
    """

    def generation(self) -> str:
        """Name the state that is read; another one after each update that changed something.

        Empty for an index that was never written.
        """
        ...

    def update(
        self,
        upserts: Iterable[tuple[int, "Document | Impacts"]],
        deletes: Iterable[int],
        progress: Callable[[int], None] | None = None,
    ) -> str:
        """Put and remove documents in one step, all or nothing; give the new generation.

        Args:
            upserts: keys and their new documents, or what ``scoring.impacts`` made of
                them; of a key that comes twice the last counts.
            deletes: keys to remove; a key that is also in ``upserts`` is put.
            progress: called with the count of documents taken so far.

        """
        ...

    def search(
        self, query: Query, limit: int, *, allow: Allow = None, text_of: TextOf
    ) -> list[Hit]:
        """Find the ``limit`` best, by score and then by key, both falling.

        Args:
            query: the question.
            limit: how many at most.
            allow: which keys may be found; nobody changes it afterwards.
            text_of: gives the text of a key.

        """
        ...

    def suggest(self, query: Query) -> str | None:
        """Respell the words that no document has; None if there is nothing to change."""
        ...

    def keys(self) -> set[int]:
        """Give the keys of all documents."""
        ...

    def close(self) -> None:
        """Close files. The index is not used afterwards."""
        ...
