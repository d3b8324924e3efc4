"""Counts for statistics, made by SQLite over the tables of ``stats_schema``."""

from _json import encode_basestring_ascii as quoted
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from gitmem.catalog.dimensions import KIND, OF_FILES, of_attempts, of_errors
from gitmem.catalog.occurrences import occurrences

Ask = Callable[[str, Iterable[Any]], list[Any]]
Once = Callable[[Hashable, Callable[[], Any]], Any]
Values = tuple[Any, ...]

_GIVEN: Final = "IN (SELECT value FROM json_each(?))"
_UNHELD: Final = "(SELECT file FROM mended WHERE unheld)"
_JUDGED: Final = "t.outcome NOT IN ('unverified', 'claimed')"
"""Somebody saw what came of it: what is only claimed counts neither for nor against."""
_WAY: Final = f"""
count(*), total(t.outcome = 'worked'), total({_JUDGED}),
total(t.file IN {_UNHELD}), max(t.created),
max(CASE WHEN t.outcome IN ('worked', 'claimed') THEN t.created || t.id END)
"""
_HELPED: Final = "GROUP BY 1, t.way HAVING total(t.outcome IN ('worked', 'claimed')) > 0"
_TIME: Final = 24
"""Characters of a time."""
_DAY: Final = 10
"""Characters of its date."""


class Chosen(NamedTuple):
    """Which errors and attempts a question is about, by their files; None: all."""

    errors: Collection[int] | None = None
    attempts: Collection[int] | None = None

    @property
    def occurrences(self) -> Collection[int] | None:
        """Files of what tells that a failure was seen: of errors, and of attempts on it."""
        return None if self.errors is None else {*self.errors, *(self.attempts or ())}


class OutcomeTally(NamedTuple):
    """What errors and attempts come to, in rows that begin with the parts of a label.

    Attributes:
        errors: occurrences, failures, open ones, occurrences that were the first after a fix.
        attempts: attempts, worked, partial, failed, unverified (or only claimed), those that had
            worked and after which the failure was seen again, applied, verified.
        fixed: seconds that a failure had been open when an attempt fixed it.
        efforts: seconds that an attempt took.

    """

    errors: list[Values]
    attempts: list[Values]
    fixed: list[Values]
    efforts: list[Values]


class Way(NamedTuple):
    """Attempts on one kind of error that went the same way, one of which worked.

    Attributes:
        kind: what they were tried on.
        attempts: how many, of known outcome or not.
        worked, tried: of known outcome: how many worked, and all.
        unheld: after how many that had worked the failure was seen again.
        last: when the newest was written.
        best: id of the newest that worked, or is claimed to have.

    """

    kind: Any
    attempts: int
    worked: int
    tried: int
    unheld: int
    last: str
    best: str


def json_values(values: Iterable[int | str]) -> str:
    """Encode values as the JSON text of one ``?``, however many they are."""
    # As JSON; to import its module takes as long as a question.
    return (
        f"[{','.join(quoted(value) if isinstance(value, str) else str(value) for value in values)}]"
    )


class Tallies:
    """Questions for numbers.

    Args:
        ask: asks the catalog: a statement and its values.
        once: answers a question that has a name, unless nothing changed since it was answered.

    """

    def __init__(self, ask: Ask, once: Once) -> None:
        self._ask = ask
        self.once = once

    def tally(self, by: Sequence[str], chosen: Chosen) -> OutcomeTally:
        """Count errors and attempts; without a dimension in ``by`` all together."""
        if by or chosen != Chosen():
            return self._tally(by, chosen)
        totals: OutcomeTally = self.once("totals", lambda: self._tally(by, chosen))
        return totals

    def _tally(self, by: Sequence[str], chosen: Chosen) -> OutcomeTally:
        labels = of_errors(by)
        errors = labels and self._of(
            f"SELECT {labels.columns} count(*), count(DISTINCT s.failure),"  # noqa: S608  names of ours
            " count(DISTINCT CASE WHEN f.open THEN s.failure END), coalesce(sum(s.came_back), 0)"
            f" FROM {occurrences({'came_back', *labels.of_occurrence})}"
            f" JOIN failures f ON f.failure = s.failure {labels.joins} WHERE 1",
            "s",
            chosen.occurrences,
            labels.grouping,
        )
        labels = of_attempts(by)
        attempts = self._of(
            f"SELECT {labels.columns} count(*), total(t.outcome = 'worked'),"  # noqa: S608  names of ours
            " total(t.outcome = 'partial'), total(t.outcome = 'failed'),"
            f" total(NOT {_JUDGED}), total(t.outcome = 'worked' AND t.file IN {_UNHELD}),"
            " total(t.applied = 1), total(t.verified = 'passed')"
            f" FROM tries t {labels.joins} WHERE 1",
            "t",
            chosen.attempts,
            labels.grouping,
        )
        fixed = (
            f"SELECT {labels.columns} m.seconds FROM mended m JOIN tries t ON t.file = m.file"  # noqa: S608  names of ours
            f" {labels.joins} WHERE m.seconds NOT NULL"
        )
        efforts = (
            f"SELECT {labels.columns} t.seconds FROM tries t {labels.joins}"  # noqa: S608  names of ours
            " WHERE t.seconds NOT NULL"
        )
        return OutcomeTally(
            errors or [],
            attempts,
            self._of(fixed, "t", chosen.attempts),
            self._of(efforts, "t", chosen.attempts),
        )

    def named(self, chosen: Chosen) -> tuple[int, int, int]:
        """Count the subjects, types and categories that errors name."""
        sql = (
            "SELECT count(DISTINCT nullif(subject, '')), count(DISTINCT nullif(type, '')),"
            " count(DISTINCT nullif(category, '')) FROM sightings s WHERE 1"
        )
        if chosen == Chosen():
            counts: Values = self.once("named", lambda: self._of(sql, "s", None)[0])
        else:
            counts = self._of(sql, "s", chosen.errors)[0]
        subjects, types, categories = counts
        return subjects, types, categories

    def days(self, chosen: Chosen, start: str) -> tuple[list[Values], list[Values]]:
        """Give (day, errors) and (day, attempts, those that worked) since a time."""
        day = "SELECT substr(created, 1, 10), count(*)"
        errors = f"{day} FROM {occurrences()} WHERE created >= ?"
        attempts = f"{day}, total(outcome = 'worked') FROM tries t WHERE created >= ?"
        return (
            self._of(errors, "s", chosen.occurrences, "GROUP BY 1", start),
            self._of(attempts, "t", chosen.attempts, "GROUP BY 1", start),
        )

    def since(self, chosen: Chosen, start: str) -> tuple[int, int]:
        """Count the occurrences and attempts since a time."""
        errors = f"SELECT count(*) FROM {occurrences()} WHERE created >= ?"  # noqa: S608  names of ours
        attempts = "SELECT count(*) FROM tries t WHERE created >= ?"
        return (
            self._of(errors, "s", chosen.occurrences, "", start)[0][0],
            self._of(attempts, "t", chosen.attempts, "", start)[0][0],
        )

    def ways(self, chosen: Chosen) -> list[Way]:
        """Give the ways that worked for each kind of error (its type, else its category)."""
        labels = of_attempts((KIND,))
        sql = f"SELECT {labels.columns} {_WAY} FROM tries t {labels.joins} WHERE 1"  # noqa: S608  names of ours
        return self._ways(self._of(sql, "t", chosen.attempts, _HELPED))

    def ways_of(self, failures: Iterable[int], chosen: Chosen) -> list[Way]:
        """Give the ways that worked for failures; ``kind`` is the failure."""
        sql = (
            f"SELECT k.failure, {_WAY} FROM (SELECT DISTINCT s.failure, a.file FROM sightings s"  # noqa: S608  names of ours
            f" JOIN aims a ON a.error = s.file WHERE s.failure {_GIVEN}) k"
            " JOIN tries t ON t.file = k.file WHERE 1"
        )
        return self._ways(self._of(sql, "t", chosen.attempts, _HELPED, json_values(failures)))

    def tried_on(self, failures: Iterable[int], chosen: Chosen) -> dict[int, tuple[int, int, int]]:
        """Count the attempts on failures: those that worked, of known outcome, all."""
        sql = (
            f"SELECT k.failure, total(t.outcome = 'worked'), total({_JUDGED}),"  # noqa: S608  names of ours
            " count(*) FROM (SELECT DISTINCT s.failure, a.file FROM sightings s"
            f" JOIN aims a ON a.error = s.file WHERE s.failure {_GIVEN}) k"
            " JOIN tries t ON t.file = k.file WHERE 1"
        )
        rows = self._of(sql, "t", chosen.attempts, "GROUP BY 1", json_values(failures))
        return {row[0]: (int(row[1]), int(row[2]), row[3]) for row in rows}

    def newest(self, by: str, most: int) -> list[Values]:
        """Give the newest attempts of known outcome of each label, oldest first.

        Args:
            by: type, category or subject.
            most: how many of each.

        Returns:
            Label, time, 1 or 0 for worked or not, seconds, file.

        """
        labels = of_attempts((by,))
        sql = (
            "SELECT label, created, worked, seconds, file FROM ("  # noqa: S608  names of ours
            f" SELECT {labels.columns.removesuffix(',')} AS label, t.created, t.seconds, t.file,"
            " t.outcome = 'worked' AS worked, t.id,"
            f" row_number() OVER (PARTITION BY {labels.columns.removesuffix(',')}"
            " ORDER BY t.created DESC, t.id DESC) AS place"
            f" FROM tries t {labels.joins} WHERE {_JUDGED}"
            ") WHERE place <= ? ORDER BY label, created, id"
        )
        return self._ask(sql, (most,))

    def totals(self, by: str) -> dict[str, tuple[int, str]]:
        """Count the attempts of each label, and tell when the newest was written."""
        labels = of_attempts((by,))
        sql = (
            f"SELECT {labels.columns} count(*), max(t.created) FROM tries t {labels.joins}"  # noqa: S608  names of ours
            f" {labels.grouping}"
        )
        return {label: (count, last) for label, count, last in self._ask(sql, ())}

    def hot_files(self, most: int) -> list[tuple[str, int, int]]:
        """Give the files in which the most errors were seen: path, errors, attempts on them.

        They are what a tally by file has, without counting the files of all others.
        """
        hottest: list[tuple[str, int, int]] = self.once(
            ("hot files", most), lambda: self._hot_files(most)
        )
        return hottest

    def _hot_files(self, most: int) -> list[tuple[str, int, int]]:
        sql = (
            f"SELECT x.value, count(*) FROM {occurrences({'error'})}"  # noqa: S608  names of ours
            f" JOIN ({OF_FILES}) x ON x.file = s.error GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT {most:d}"
        )
        errors: dict[str, int] = dict(self._ask(sql, ()))
        own = f"{OF_FILES} AND path {_GIVEN}"
        tried = (
            f"SELECT x.value, count(*) FROM ({own} UNION SELECT a.file, o.value FROM aims a"  # noqa: S608  names of ours
            f" JOIN ({own}) o ON o.file = a.error) x JOIN tries t ON t.file = x.file GROUP BY 1"
        )
        given = json_values(errors)
        attempts: dict[str, int] = dict(self._ask(tried, (given, given)))
        files = [(path, count, attempts.get(path, 0)) for path, count in errors.items()]
        return sorted(files, key=lambda file: (-file[1], -file[2], file[0]))

    def repeated(self, chosen: Chosen, limit: int) -> list[int]:
        """Give the failures that were seen more than once, the most frequent first."""
        sql = (
            "SELECT s.failure FROM (SELECT s.failure, count(*) AS times, max(s.created) AS last"  # noqa: S608  names of ours
            f" FROM {occurrences()} WHERE 1"
        )
        order = (
            "GROUP BY s.failure HAVING count(*) > 1) s JOIN failures f ON f.failure = s.failure"
            f" ORDER BY s.times DESC, s.last DESC, f.name DESC LIMIT {limit:d}"
        )
        return [row[0] for row in self._of(sql, "s", chosen.occurrences, order)]

    def occasions(self) -> tuple[Counter[str], Counter[str]]:
        """Count the hours of days, and the days, in which failures were seen.

        Returns:
            how often in each hour, 00 to 23, and how many failures were seen on each day.

        """
        sql = f"SELECT failure, substr(created, 1, 13) FROM {occurrences()}"  # noqa: S608  names of ours
        hours = set(self._ask(sql, ()))
        days = {(failure, hour[:_DAY]) for failure, hour in hours}
        return Counter([hour[_DAY + 1 :] for _, hour in hours]), Counter([day for _, day in days])

    def firsts(self) -> list[tuple[int, str]]:
        """Give each failure and, of each day it was seen on, when it first was, in order."""
        sql = (
            f"SELECT failure, min(created) FROM {occurrences()}"  # noqa: S608  names of ours
            " GROUP BY failure, substr(created, 1, 10) ORDER BY 1, 2"
        )
        return self._ask(sql, ())

    def _of(
        self, sql: str, row: str, files: Collection[int] | None, tail: str = "", *values: str
    ) -> list[Values]:
        """Ask about chosen files alone; ``row`` is the name of the table in the question."""
        if files is None:
            return self._ask(f"{sql} {tail}", values)
        return self._ask(f"{sql} AND {row}.file {_GIVEN} {tail}", (*values, json_values(files)))

    def _ways(self, rows: Iterable[Values]) -> list[Way]:
        return [
            Way(kind, attempts, int(worked), int(tried), int(unheld), last, best[_TIME:])
            for kind, attempts, worked, tried, unheld, last, best in rows
        ]
