"""What questions to the memory are answered with: the values that every face renders."""

from typing import TYPE_CHECKING, NamedTuple

from gitmem.catalog.rows import Row

if TYPE_CHECKING:
    from gitmem.git.ranges import Range
    from gitmem.records.kinds import Record
    from gitmem.records.problems import Problem


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


class Turn(NamedTuple):
    """A record whose status follows from others and is another one now.

    Attributes:
        row: the record as it is afterwards.
        was: its status before.

    """

    row: "Row"
    was: str


class Differences(NamedTuple):
    """How two states of one memory differ; lists are newest first.

    Attributes:
        added: records that only the later state has.
        removed: records that only the former has, as they were.
        edited: records whose text was changed by hand, as they are afterwards.
        turned: records that others turned: errors resolved or come back, decisions superseded.
        paths: files of records that differ, also those that hold none.

    """

    added: "list[Row]"
    removed: "list[Row]"
    edited: "list[Row]"
    turned: list[Turn]
    paths: frozenset[str]


class Attempted(NamedTuple):
    """An error and the attempts on it.

    Attributes:
        error: the error.
        fixes: the attempts, oldest first.

    """

    error: "Row"
    fixes: "tuple[Row, ...]"


class Concerned(NamedTuple):
    """A record that has something to say about files that are changed.

    Attributes:
        row: the record.
        paths: those files, as they are called afterwards.

    """

    row: "Row"
    paths: tuple[str, ...]


class Review(NamedTuple):
    """What a range of commits teaches; lists are newest first.

    Attributes:
        span: the commits.
        files: how many files outside the memory it changes.
        errors: errors that it records, with all attempts on them.
        attempts: errors known before, with the attempts that it records.
        decisions: decisions that it records.
        others: sessions, patterns and notes that it records.
        turned: records known before whose status it changes.
        edited: records that it changes by hand.
        removed: records that it deletes, as they were.
        governing: decisions from before that govern files it changes.
        came_back: errors that came back after a fix, in files it changes.
        known: other errors that were recorded in files it changes.
        problems: what is wrong with the files of records that it changes.
        passed_over: how many changed files nobody looked up, as there are so many.

    """

    span: "Range"
    files: int
    errors: list[Attempted]
    attempts: list[Attempted]
    decisions: "list[Row]"
    others: "list[Row]"
    turned: list[Turn]
    edited: "list[Row]"
    removed: "list[Row]"
    governing: list[Concerned]
    came_back: list[Concerned]
    known: list[Concerned]
    problems: "list[Problem]"
    passed_over: int = 0

    @property
    def teaches(self) -> bool:
        """It adds to the memory, or changes it."""
        return any((self.errors, self.attempts, self.decisions, self.others, self.turned,
                    self.edited, self.removed))  # fmt: skip

    @property
    def broken(self) -> int:
        """How many of the problems are errors."""
        return sum(problem.severity == "error" for problem in self.problems)
