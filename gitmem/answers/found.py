"""Values that searches and lookups of single records return."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.catalog.rows import Approach, Row, approaches, best_first

if TYPE_CHECKING:
    from gitmem.records.kinds import Record
    from gitmem.store.readonly import Pack


FEW_WORDS: Final = (
    "none of these has more than a third of the words; likely nothing is recorded about this"
)


class Standing(NamedTuple):
    """What is the matter with the places that a record names.

    Attributes:
        reason: why one is not there, in a few words.
        stale: none of them is there any more; false: a file is gone, and nobody asked git
            whether it was renamed.

    """

    reason: str
    stale: bool


class SearchHit(NamedTuple):
    """A record that was found.

    Attributes:
        row: the record, as the catalog shows it.
        score: sum of ``parts``; 0 for a question of filters only.
        parts: what each term of the question gave, largest first.
        attempts: for an error, the fixes that link to it, oldest first.
        errors: for a fix, the errors that it links to.
        label: of a pasted failure ``same error``, ``same place``, ``same message``,
            ``similar`` or ``weak``; of a typed question ``similar in meaning`` where no
            word has found it, else empty.
        standing: by id, of the record and its attempts, those whose places are not there.
        layer: ``archived``, or ``pack`` and its name; empty: it is one of the memory's files.

    """

    row: Row
    score: float
    parts: tuple[tuple[str, float], ...]
    attempts: tuple[Row, ...]
    errors: tuple[Row, ...] = ()
    label: str = ""
    standing: Mapping[str, Standing] = {}
    layer: str = ""

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the record and of those that are shown with it."""
        return (self.row.id, *(row.id for row in (*self.errors, *self.attempts)))

    @property
    def ranked(self) -> list[Row]:
        """The attempts, what helped most first; see ``rows.best_first``."""
        return best_first(self.attempts)

    @property
    def approaches(self) -> list[Approach]:
        """The same, what was done alike told once."""
        return approaches(self.ranked)

    @property
    def is_advice(self) -> bool:
        """It comes from a pack of knowledge, which nobody of the team has reviewed."""
        return self.layer.startswith("pack")

    @property
    def source(self) -> str:
        """Its origin as shown; empty for one of the memory's own files."""
        return f"general advice, {self.layer}" if self.is_advice else self.layer


class SearchResult(NamedTuple):
    """What a search gave.

    Attributes:
        hits: best first.
        suggestion: a respelling where there are none.
        site: fingerprint of the failure that was pasted; empty: none was.
        few_words: no hit has more than a third of the words that were typed: nothing of the
            memory is likely to be about what was asked.

    """

    hits: list[SearchHit]
    suggestion: str | None
    site: str = ""
    few_words: bool = False


class Resembling(NamedTuple):
    """Records that look like a failure, best first.

    Attributes:
        helpful: those that say what came of it.
        alike: all of them; None: the failure says nothing that could be looked for.

    """

    helpful: tuple[SearchHit, ...]
    alike: tuple[SearchHit, ...] | None


def rows_of(result: SearchResult) -> Iterator[Row]:
    """Give the records that a search shows."""
    for hit in result.hits:
        yield from (hit.row, *hit.errors, *hit.attempts)


class Shown(NamedTuple):
    """One record with what other records say about it.

    Attributes:
        row: as the catalog has it, with the derived status.
        record: the whole record.
        text: the file's bytes.
        links: (relation, row or None, target id) of the links it makes.
        backlinks: (relation, row) of the records that link to it, oldest first.
        layer: where it is from, if it is none of the memory's files; see ``SearchHit``.
        also_tried: of an error, the fix attempts on other records of the same failure.

    """

    row: Row
    record: "Record"
    text: bytes
    links: list[tuple[str, Row | None, str]]
    backlinks: list[tuple[str, Row]]
    layer: str = ""
    also_tried: tuple[Row, ...] = ()

    @property
    def attempts(self) -> list[Row]:
        """What was tried on it, and on other records of the same failure."""
        return [*(row for relation, row in self.backlinks if relation == "fixes"), *self.also_tried]


class Branches(NamedTuple):
    """Which branches have which files of the memory.

    Attributes:
        here: the branch that is checked out.
        having: names of branches by path, ``here`` first.

    """

    here: str
    having: dict[str, list[str]]

    def elsewhere(self, path: str) -> list[str]:
        """Give the branches that have a file which the present one does not have."""
        names = self.having.get(path, [])
        return [] if self.here in names else names


class Seeded(NamedTuple):
    """The records of a pack, and which of them were written.

    Attributes:
        pack: the pack.
        rows: its records, errors first, then fixes, patterns and notes; within these as written.
        written: ids of those that were written into the memory.
        present: ids of those that it had already.
        different: ids of those that it has with other content; they are left as they are.

    """

    pack: "Pack"
    rows: list[Row]
    written: tuple[str, ...] = ()
    present: tuple[str, ...] = ()
    different: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """How many patterns, practices and errors the pack holds."""
        kinds = [row.kind for row in self.rows]
        return {
            "patterns": kinds.count("pattern"),
            "best_practices": kinds.count("note"),
            "common_errors": kinds.count("error"),
        }
