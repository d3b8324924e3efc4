"""What questions to the memory are answered with: the values that every face renders."""

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from gitmem.catalog.rows import Row

if TYPE_CHECKING:
    from gitmem.git.provenance import Provenance
    from gitmem.git.ranges import Range
    from gitmem.matching.relocate import Target
    from gitmem.records.issues import Issue
    from gitmem.records.kinds import Record
    from gitmem.records.parts import Change
    from gitmem.records.problems import Problem
    from gitmem.store.packs import Pack


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
            ``similar`` or ``weak``; empty for a typed question.
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
        layer: where it is from, if it is none of the memory's files; see ``SearchHit``.

    """

    row: Row
    record: "Record"
    text: bytes
    links: list[tuple[str, Row | None, str]]
    backlinks: list[tuple[str, Row]]
    layer: str = ""


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
    uncommitted: int = 0
    issues: "tuple[Issue, ...]" = ()

    @property
    def teaches(self) -> bool:
        """It adds to the memory, or changes it."""
        return any((self.errors, self.attempts, self.decisions, self.others, self.turned,
                    self.edited, self.removed))  # fmt: skip

    @property
    def broken(self) -> int:
        """How many of the problems are errors."""
        return sum(problem.severity == "error" for problem in self.problems)


class Wanted(NamedTuple):
    """A place that a record names.

    Attributes:
        row: the record.
        path: as the record has it.
        target: the lines, as they were.
        symbol: the function or class, if it is known.
        why: ``anchor``, or ``error`` for the place where an error showed.
        commit: a commit that the record itself names; usually empty.

    """

    row: "Row"
    path: str
    target: "Target"
    symbol: str = ""
    why: str = "anchor"
    commit: str = ""


class Held(NamedTuple):
    """Where such a place is now.

    Attributes:
        path: relative to the folder that the memory belongs to.
        first, last: lines, from 1; 0: the whole file.
        how: ``exact``: the same lines of the same file; ``mapped``: other lines of it;
            ``renamed``: the file has another name; ``quote``: only the quoted line is left.

    """

    path: str
    first: int
    last: int
    how: str


class Placed(NamedTuple):
    """A place that a record names, and where it is; or why that is not known.

    Attributes:
        wanted: what the record says.
        held: where it is now; None: nobody can tell.
        reason: why not, in a few words; empty if it is known.

    """

    wanted: Wanted
    held: Held | None
    reason: str = ""


class Touch(NamedTuple):
    """A record that touched a line.

    Attributes:
        row: the record.
        why: how that is known, such as ``anchored here`` or ``same commit``.
        detail: what there is to say of it: how an anchor was found, the commit, the fix.

    """

    row: "Row"
    why: str
    detail: str = ""


class Lines(NamedTuple):
    """Lines that the same records touched.

    Attributes:
        first, last: numbers, from 1.
        commit: id of the commit that brought them; empty: none, or it is not known.
        touches: the records; the surest reason first.

    """

    first: int
    last: int
    commit: str
    touches: tuple[Touch, ...]


class Tried(NamedTuple):
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


class Ran(NamedTuple):
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
    errors: list[tuple[Row, list[Tried]]]
    others: list[tuple[Row, list[Tried]]]
    loose: list[Tried]
    decisions: list[Row]
    tests: list[Ran]
    closes: "list[Issue]"
    related: "list[Issue]"


class History(NamedTuple):
    """What touched a file, or one line of it.

    Attributes:
        path: the file, relative to the folder that the memory belongs to.
        line: the line that was asked about; 0: all.
        governing: decisions that govern the whole file, and are in force or proposed.
        lines: lines, top down; all that were asked about.
        withheld: places in this file that records name and that can't be told any more.
        notes: what could not be found out, a line each.
        issues: those that the records belong to, by the records' ids.

    """

    path: str
    line: int
    governing: list[Touch]
    lines: list[Lines]
    withheld: list[Placed]
    notes: list[str]
    issues: Mapping[str, "tuple[Issue, ...]"] = {}

    @property
    def touches(self) -> list[Touch]:
        """All records that touched one of the lines, each once."""
        found = {one.row.id: one for lines in reversed(self.lines) for one in lines.touches}
        return list(found.values())


class Source(NamedTuple):
    """Where a record comes from.

    Attributes:
        known: what git says; None if it can't.
        why_not: why it can't, in a few words; empty if it can.
        path: the record's file, relative to the work tree's top.

    """

    known: "Provenance | None"
    why_not: str
    path: str


class Regression(NamedTuple):
    """An error that came back, and the fix that had worked.

    Attributes:
        error: its newest record.
        fix: the newest fix that worked and was written before the error came back.
        commit: id of the commit that fixed it; empty: none, or it is not known.
        held: that commit can be reached from what is checked out.
        lines: how many telling lines its patch added; 0: not known.
        alive: how many of those are still in the files as they are.
        good, bad: commits between which it came back; empty: not known.
        why_not: why there is no range; empty if there is one.
        command: what shows the error; empty: it was not recorded.

    """

    error: "Row"
    fix: "Row"
    commit: str
    held: bool
    lines: int
    alive: int
    good: str
    bad: str
    why_not: str
    command: str

    @property
    def script(self) -> list[str]:
        """The commands of git that search the range; none if there is no range or command."""
        if not self.good or not self.command:
            return []
        return [
            f"git bisect start {self.bad[:10]} {self.good[:10]}",
            f"git bisect run sh -c {shlex.quote(self.command)}",
            "git bisect reset",
        ]


class Seeded(NamedTuple):
    """What a pack holds, and what of it was written.

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
