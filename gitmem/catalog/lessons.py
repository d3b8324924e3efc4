"""Queries for the records behind statistics, one query each, for up to 100,000 records."""

from collections.abc import Collection, Iterable, Sequence
from operator import itemgetter
from typing import Any, Final, NamedTuple

from gitmem.catalog.conditions import where
from gitmem.catalog.occurrences import occurrences
from gitmem.catalog.tallies import Chosen, Tallies, json_values
from gitmem.query import Filters

__all__ = ["Chosen", "Lessons"]

Values = tuple[Any, ...]

_GIVEN: Final = "IN (SELECT value FROM json_each(?))"
_OF_SIGHTING: Final = ("id", "type", "category", "subject", "site", "came_back")
_SESSIONS: Final = """
SELECT r.id, r.created, CASE r.stated WHEN 'succeeded' THEN 1 WHEN 'failed' THEN 0 END,
    t.seconds, t.category, t.type, t.complexity, t.approach
FROM records r JOIN efforts t ON t.file = r.file
WHERE r.kind = 'session' AND NOT r.shadowed ORDER BY r.created, r.id
"""
_STATS_ROWS: Final = {
    "failures": """
SELECT n.name, s.id, s.created, s.type, s.category, s.subject, s.via, s.site, f.name, f.open,
    s.came_back FROM sightings s JOIN named n ON n.file = s.file
LEFT JOIN failures f ON f.failure = s.failure ORDER BY 2
""",
    "tries": """
SELECT t.id, t.created, t.outcome, t.seconds, t.applied, t.verified, t.fixer, t.model, t.via,
    t.way, e.id FROM tries t LEFT JOIN sightings e ON e.file = t.error ORDER BY 1
""",
    "aims": """
SELECT t.id, s.id FROM aims a LEFT JOIN tries t ON t.file = a.file
LEFT JOIN sightings s ON s.file = a.error ORDER BY 1, 2
""",
    "repeats": """
SELECT t.id, f.name, s.id FROM repeats r LEFT JOIN tries t ON t.file = r.file
LEFT JOIN failures f ON f.failure = r.failure LEFT JOIN sightings s ON s.file = r.error
ORDER BY 1, 2
""",
    "mended": """
SELECT t.id, f.name, m.seconds, m.unheld FROM mended m LEFT JOIN tries t ON t.file = m.file
LEFT JOIN failures f ON f.failure = m.failure ORDER BY 1, 2
""",
    "names": "SELECT name, count(*) FROM failures GROUP BY 1 ORDER BY 1",
    "joined": "SELECT part, name FROM joined ORDER BY 1",
}


class Sighting(NamedTuple):
    """One occurrence of a failure.

    Attributes:
        failure: the failure that it belongs to.
        id, type, category, subject: of its error record.
        created: when it was seen.
        site: its fingerprint of that level; None if it has none.
        came_back: 1 if it was the first after a fix that had worked, else 0.

    """

    failure: int
    id: str
    created: str
    type: str
    category: str
    subject: str
    site: str | None
    came_back: int


def _among(numbers: Iterable[int]) -> str:
    """Say IN with the numbers themselves: with others SQLite reads all occurrences."""
    return f"IN ({', '.join(map(str, numbers))})"


class Lessons(Tallies):
    """Questions over all records; of several with one id the first speaks."""

    def sightings(self, failures: Iterable[int], chosen: Chosen) -> list[Sighting]:
        """List the chosen occurrences of failures, oldest first."""
        sql = (
            "SELECT s.failure, s.id, s.created, s.type, s.category, s.subject, s.site,"  # noqa: S608  names of ours
            f" s.came_back FROM {occurrences(_OF_SIGHTING)} WHERE s.failure {_among(failures)}"
        )
        rows = self._of(sql, "s", chosen.occurrences, "ORDER BY s.created, s.id")
        return list(map(Sighting._make, rows))

    def times(self, failures: Iterable[int]) -> dict[int, list[str]]:
        """Give the times of all occurrences of failures, oldest first."""
        sql = (
            f"SELECT failure, created FROM {occurrences()}"  # noqa: S608  names of ours
            f" WHERE failure {_among(failures)} ORDER BY 2"
        )
        times: dict[int, list[str]] = {}
        for failure, created in self._ask(sql, ()):
            times.setdefault(failure, []).append(created)
        return times

    def failures(self, failures: Iterable[int]) -> dict[int, tuple[str, bool]]:
        """Give the names of failures, and whether they are open."""
        sql = (
            "SELECT failure, name, open FROM failures"
            " WHERE failure IN (SELECT value FROM json_each(?))"
        )
        rows = self._ask(sql, (json_values(failures),))
        return {failure: (name, bool(is_open)) for failure, name, is_open in rows}

    def oldest(self) -> str:
        """Tell when the oldest error was written; empty without any."""
        sql = "SELECT coalesce(min(created), '') FROM sightings"
        first: str = self.once("oldest", lambda: self._ask(sql, ())[0][0])
        return first

    def subjects(self) -> list[str]:
        """Name the subjects of errors."""
        rows = self._ask("SELECT DISTINCT subject FROM sightings WHERE subject <> ''", ())
        return [row[0] for row in rows]

    def about(self, subjects: Iterable[str]) -> Chosen:
        """Choose the errors about subjects, and the attempts on them."""
        sql = f"SELECT file FROM sightings WHERE subject {_GIVEN}"  # noqa: S608  names of ours
        errors = {row[0] for row in self._ask(sql, (json_values(subjects),))}
        sql = f"SELECT DISTINCT file FROM aims WHERE error {_GIVEN}"  # noqa: S608  names of ours
        return Chosen(errors, {row[0] for row in self._ask(sql, (json_values(errors),))})

    def newest_of(self, chosen: Chosen, most: int) -> tuple[list[str], str]:
        """Give the ids of the newest attempts, and when the last error or attempt was written."""
        newest = f"ORDER BY t.created DESC, t.id DESC LIMIT {most:d}"
        tried = self._of("SELECT id, created FROM tries t WHERE 1", "t", chosen.attempts, newest)
        last = "SELECT max(created) FROM sightings s WHERE 1"
        newest_error = self._of(last, "s", chosen.errors)[0][0]
        return [row[0] for row in tried], max([newest_error or "", *(row[1] for row in tried)])

    def approaches(self, files: Iterable[int]) -> dict[int, str]:
        """Tell in one line what attempts did, by their files."""
        sql = "SELECT file, words FROM done WHERE file IN (SELECT value FROM json_each(?))"
        return dict(self._ask(sql, (json_values(files),)))

    def said(self, ids: Iterable[str]) -> dict[str, str]:
        """Tell in one line what attempts did, by their ids."""
        sql = "SELECT id, words FROM done WHERE id IN (SELECT value FROM json_each(?))"
        return dict(self._ask(sql, (json_values(ids),)))

    def titles(self, ids: Iterable[str]) -> dict[str, str]:
        """Give the titles of records by id."""
        sql = f"SELECT id, title FROM records WHERE id {_GIVEN} AND NOT shadowed"  # noqa: S608  names of ours
        return dict(self._ask(sql, (json_values(ids),)))

    def noted(self, ids: Sequence[str]) -> list[Values]:
        """Give id, kind, title, time and what it says of itself, of records in this order."""
        sql = (
            "SELECT id, kind, title, created, stated FROM records"
            " WHERE id IN (SELECT value FROM json_each(?)) AND NOT shadowed"
        )
        rows = {row[0]: row for row in self._ask(sql, (json_values(ids),))}
        return [rows[record_id] for record_id in ids if record_id in rows]

    def tagged(self, tags: Collection[str]) -> list[Values]:
        """Give the same of notes, patterns and decisions that bear one of these tags."""
        marks = ", ".join("?" * len(tags))
        sql = (
            "SELECT DISTINCT r.id, r.kind, r.title, r.created, r.stated FROM records r"  # noqa: S608  names of ours
            " JOIN tags t ON t.file = r.file WHERE r.kind IN ('note', 'pattern', 'decision')"
            f" AND NOT r.shadowed AND t.tag COLLATE NOCASE IN ({marks})"
        )
        return sorted(self._ask(sql, sorted(tags)), key=itemgetter(3, 0), reverse=True)

    def sessions(self) -> list[Values]:
        """Give id, time, success, seconds, category, type, complexity, approach."""
        return self._ask(_SESSIONS, ())

    def factors(self) -> list[tuple[str, str]]:
        """Give (session id, success factor), in a fixed order."""
        sql = (
            "SELECT r.id, t.value FROM traits t JOIN records r ON r.file = t.file"
            " WHERE t.role = 'factor' AND r.kind = 'session' AND NOT r.shadowed ORDER BY 1, 2"
        )
        return self._ask(sql, ())

    def people(self) -> set[str]:
        """Give the names and addresses under which persons wrote records, in small letters."""
        sql = "SELECT DISTINCT author, email FROM records WHERE via = 'human'"
        return {name.casefold() for row in self._ask(sql, ()) for name in row if name}

    def aims(self) -> list[tuple[int, int]]:
        """Give (file of a fix, file of an error that it fixes)."""
        return self._ask("SELECT file, error FROM aims", ())

    def meeting(self, kind: str, filters: Filters) -> set[int]:
        """Give the files of the records of a kind that meet filters."""
        condition, values = where(filters)
        sql = f"SELECT file FROM memory WHERE kind = ? AND {condition}"  # noqa: S608  names of ours
        return {row[0] for row in self._ask(sql, [kind, *values])}

    def meeting_ids(self, kind: str, filters: Filters) -> set[str]:
        """Give the ids of the records of a kind that meet filters."""
        condition, values = where(filters)
        sql = f"SELECT id FROM memory WHERE kind = ? AND {condition}"  # noqa: S608  names of ours
        return {row[0] for row in self._ask(sql, [kind, *values])}

    def kinds(self) -> dict[str, int]:
        """Count the records of each kind."""
        return dict(
            self._ask("SELECT kind, count(*) FROM records WHERE NOT shadowed GROUP BY kind", ())
        )

    def bytes(self) -> int:
        """Give the size of all record files."""
        size: int = self._ask("SELECT coalesce(sum(size), 0) FROM files", ())[0][0]
        return size

    def stats_rows(self) -> dict[str, list[Values]]:
        """Give all rows of the statistics' tables, by ids of records, in a fixed order."""
        return {name: self._ask(sql, ()) for name, sql in _STATS_ROWS.items()}
