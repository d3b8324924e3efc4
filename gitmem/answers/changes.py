"""Values about changes: differences, reviews, descriptions of pull requests."""

from typing import TYPE_CHECKING, NamedTuple

from gitmem.catalog.rows import Row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.answers.guarded import TakenBack
    from gitmem.git.ranges import Range
    from gitmem.records.issues import Issue
    from gitmem.records.parts import Change
    from gitmem.records.problems import Problem


class StatusChange(NamedTuple):
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
    turned: list[StatusChange]
    paths: frozenset[str]


class AttemptedError(NamedTuple):
    """An error and the attempts on it.

    Attributes:
        error: the error.
        fixes: the attempts, oldest first.

    """

    error: "Row"
    fixes: "tuple[Row, ...]"


class ConcernedRecord(NamedTuple):
    """A record that has something to say about files that are changed.

    Attributes:
        row: the record.
        paths: those files, as they are called afterwards.

    """

    row: "Row"
    paths: tuple[str, ...]


class Review(NamedTuple):
    """What a range teaches; lists are newest first.

    Attributes:
        span: the commits; without a last one, up to the files as they are.
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
        uncommitted: how many files of records differ from the last of the commits, as far as that
            is checked out.
        issues: those that records belong to which it adds.
        taken_back: fixes from before that it takes back, the surest first.

    """

    span: "Range"
    files: int
    errors: list[AttemptedError]
    attempts: list[AttemptedError]
    decisions: "list[Row]"
    others: "list[Row]"
    turned: list[StatusChange]
    edited: "list[Row]"
    removed: "list[Row]"
    governing: list[ConcernedRecord]
    came_back: list[ConcernedRecord]
    known: list[ConcernedRecord]
    problems: "list[Problem]"
    passed_over: int = 0
    uncommitted: int = 0
    issues: "tuple[Issue, ...]" = ()
    taken_back: "Sequence[TakenBack]" = ()

    @property
    def broken(self) -> int:
        """How many of the problems are errors."""
        return sum(problem.severity == "error" for problem in self.problems)


class CheckedAttempt(NamedTuple):
    """An attempt, and how it was checked.

    Attributes:
        row: the fix.
        command: that showed it; empty: none was told.
        before, after: what the command said: passed, failed or error; empty: nobody said.

    """

    row: Row
    command: str = ""
    before: str = ""
    after: str = ""


class CheckRun(NamedTuple):
    """The last run of a command that tests: how it ended, and its counts, such as ``12 passed``."""

    command: str
    result: str
    counts: str = ""


class Description(NamedTuple):
    """What a pull request is made of.

    Attributes:
        goals: what the work was for.
        how: how it was gone about.
        changes: the files that changed, by path, with reasons where they were told.
        errors: what went wrong, with all attempts on it.
        others: attempts on errors known before, by error.
        loose: attempts without an error.
        decisions: what was decided.
        tests: the last run of each command.
        closes: issues that the work is for.
        related: other issues and pull requests that its records belong to.

    """

    goals: list[str]
    how: list[str]
    changes: "list[Change]"
    errors: list[tuple[Row, list[CheckedAttempt]]]
    others: list[tuple[Row, list[CheckedAttempt]]]
    loose: list[CheckedAttempt]
    decisions: list[Row]
    tests: list[CheckRun]
    closes: "list[Issue]"
    related: "list[Issue]"
