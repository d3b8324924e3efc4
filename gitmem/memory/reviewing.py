"""What a change teaches, and what the memory has to say about the files that it changes."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.git.ranges import FileChange, Range, changed_files, range_of
from gitmem.memory.comparing import Turn, differences, newest
from gitmem.memory.revision import folder_of, places_of

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.catalog.rows import Row
    from gitmem.memory.versioned import Versioned
    from gitmem.records.problems import Problem

_MOST_PATHS: Final = 500
_OVER: Final = ("superseded", "rejected")


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

    span: Range
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


def review(memory: "Versioned", text: str = "") -> Review:
    """Say what a range of commits teaches.

    Args:
        memory: the memory.
        text: the range, see ``git.ranges``; empty: this branch.

    Raises:
        NotFoundError: there is no such commit, or no memory in the last one.
        EnvironmentProblem: this is no git repository, or git refuses.

    """
    places = places_of(memory)
    span = range_of(places, text)
    folder = folder_of(memory, places)
    changes = changed_files(places, span)
    root = "" if folder.count("/") == 0 else folder.rpartition("/")[0] + "/"
    code = [
        one._replace(path=one.path[len(root) :], old=one.old.removeprefix(root))
        for one in changes
        if one.path.startswith(root) and not one.path.startswith(f"{folder}/")
    ]
    with memory.at(span.after) as after, memory.at_or_empty(span.before) as before:
        found = differences(before, after)
        catalog = after.derived.opened
        added = {row.id: row for row in found.added}
        concerned = _concerned(catalog, code[:_MOST_PATHS], added)
        errors = newest(one for one in concerned if one.kind == "error")
        problems = [one for one in catalog.problems() if one.path in found.paths]
        return Review(
            span,
            len(code),
            [Attempted(row, _fixes_of(catalog, row)) for row in found.added if row.kind == "error"],
            _attempts(catalog, added),
            [row for row in found.added if row.kind == "decision"],
            [row for row in found.added if row.kind not in ("error", "fix", "decision")],
            found.turned,
            found.edited,
            found.removed,
            [Concerned(row, concerned[row]) for row in newest(concerned)
             if row.kind == "decision" and row.status not in _OVER],
            [Concerned(row, concerned[row]) for row in errors if row.status == "regressed"],
            [Concerned(row, concerned[row]) for row in errors if row.status != "regressed"],
            problems,
            max(0, len(code) - _MOST_PATHS),
        )  # fmt: skip


def _fixes_of(catalog: "Catalog", error: "Row") -> "tuple[Row, ...]":
    linking = catalog.linking_to(error.id)
    return tuple(row for relation, row in linking if relation == "fixes" and row.kind == "fix")


def _attempts(catalog: "Catalog", added: "dict[str, Row]") -> list[Attempted]:
    """Give the errors known before on which something was tried, with what was tried."""
    tried: dict[Row, list[Row]] = {}
    loose: list[Row] = []
    for fix in reversed([row for row in added.values() if row.kind == "fix"]):
        errors = catalog.linked_from(fix.file, "fixes")
        if not errors:
            loose.append(fix)
        for error in errors:
            if error.id not in added:
                tried.setdefault(error, []).append(fix)
    known = [Attempted(error, tuple(tried[error])) for error in newest(tried)]
    return known + [Attempted(fix, (fix,)) for fix in newest(loose)]


def _concerned(
    catalog: "Catalog", changes: Sequence[FileChange], added: "dict[str, Row]"
) -> "dict[Row, tuple[str, ...]]":
    """Give the records from before that speak of changed files, by their old names too."""
    found: dict[Row, dict[str, None]] = {}
    for change in changes:
        for path in filter(None, (change.path, change.old)):
            try:
                os.fsencode(path).decode()
            except UnicodeDecodeError:
                continue  # no record can name it
            for row in catalog.by_file(catalog.speaking_of(path)).values():
                if row.id not in added and row.kind in ("decision", "error"):
                    found.setdefault(row, {})[change.path] = None
    return {row: tuple(paths) for row, paths in found.items()}
