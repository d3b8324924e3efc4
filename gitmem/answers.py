"""What questions to the memory are answered with: the values that every face renders."""

from typing import TYPE_CHECKING, NamedTuple

from gitmem.catalog.rows import Row

if TYPE_CHECKING:
    from gitmem.records.kinds import Record


class SearchHit(NamedTuple):
    """A record that was found.

    Attributes:
        row: the record, as the catalog shows it.
        score: sum of ``parts``; 0 for a question of filters only.
        parts: what each term of the question gave, largest first.
        attempts: for an error, the fixes that link to it, oldest first.
        errors: for a fix, the errors that it links to.
        label: of a pasted failure ``same error``, ``same place``, ``same message``,
            ``similar`` or ``weak``; empty for a typed question.

    """

    row: Row
    score: float
    parts: tuple[tuple[str, float], ...]
    attempts: tuple[Row, ...]
    errors: tuple[Row, ...] = ()
    label: str = ""


class Found(NamedTuple):
    """What a search gave: hits, best first; a respelling when there are none."""

    hits: list[SearchHit]
    suggestion: str | None


class Shown(NamedTuple):
    """One record with what other records say about it.

    Attributes:
        row: as the catalog has it, with the derived status.
        record: the whole record.
        text: the file's bytes.
        links: (relation, row or None, target id) of the links it makes.
        backlinks: (relation, row) of the records that link to it, oldest first.

    """

    row: Row
    record: "Record"
    text: bytes
    links: list[tuple[str, Row | None, str]]
    backlinks: list[tuple[str, Row]]


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
