"""The rows that statistics are made of, each in one question that 100,000 records stand."""

from collections.abc import Callable, Collection, Iterable, Sequence
from operator import itemgetter
from typing import Any, Final

from gitmem.catalog.conditions import where
from gitmem.query import Filters

Ask = Callable[[str, Iterable[Any]], list[Any]]
Values = tuple[Any, ...]

# By time, as the index has it; of records at once Python puts the ids in order, as SQLite would
# sort everything for that, in five times the time.
_ERRORS: Final = """
SELECT r.id, r.created, p.value, r.error_type, r.category, r.subject, r.via
FROM records r LEFT JOIN prints p ON p.file = r.file AND p.level = 'site'
WHERE r.kind = 'error' AND NOT r.shadowed ORDER BY r.created
"""
_ATTEMPTS: Final = """
SELECT r.id, r.created, r.stated, t.seconds, t.applied, t.verified, t.fixer, t.model, r.via, r.file
FROM records r JOIN efforts t ON t.file = r.file
WHERE r.kind = 'fix' AND NOT r.shadowed ORDER BY r.created
"""
_FIXES: Final = "SELECT file, target FROM links WHERE relation = 'fixes' ORDER BY file, target"
_BY_TIME: Final = itemgetter(1, 0)
_APPROACHES: Final = """
SELECT r.id, r.title, t.approach, coalesce((SELECT target FROM links
    WHERE file = r.file AND relation = 'reuses' LIMIT 1), '')
FROM efforts t JOIN records r ON r.file = t.file
WHERE r.kind = 'fix' AND NOT r.shadowed
"""
_SESSIONS: Final = """
SELECT r.id, r.created, CASE r.stated WHEN 'succeeded' THEN 1 WHEN 'failed' THEN 0 END,
    t.seconds, t.category, t.type, t.complexity, t.approach
FROM records r JOIN efforts t ON t.file = r.file
WHERE r.kind = 'session' AND NOT r.shadowed ORDER BY r.created, r.id
"""
_FEW: Final = 500
"""Values in one question."""


class Lessons:
    """Questions over all records; of several with one id the first speaks.

    Args:
        ask: asks the catalog: a statement and its values.

    """

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def errors(self) -> list[Values]:
        """Give id, time, fingerprint of level ``site`` or None, type, category, subject, via."""
        return sorted(self._ask(_ERRORS, ()), key=_BY_TIME)

    def attempts(self) -> list[Values]:
        """Give id, time, outcome, seconds, applied, verified, fixer, model, via, error ids."""
        targets: dict[int, str] = {}
        for file, target in self._ask(_FIXES, ()):
            targets[file] = f"{targets[file]} {target}" if file in targets else target
        rows = [(*row[:9], targets.get(row[9], "")) for row in self._ask(_ATTEMPTS, ())]
        return sorted(rows, key=_BY_TIME)

    def same(self) -> list[tuple[str, str]]:
        """Give pairs of errors that are said to be the same."""
        return self._ask("SELECT id, leader FROM alike ORDER BY 1", ())

    def approaches(self, ids: Collection[str] | None = None) -> list[tuple[str, str, str, str]]:
        """Give id, title, approach and the reused fix of attempts; None: of every one."""
        if ids is None:
            return self._ask(_APPROACHES, ())
        if len(ids) > _FEW:
            return [row for row in self._ask(_APPROACHES, ()) if row[0] in ids]
        return self._among(f"{_APPROACHES} AND r.id IN ({{}})", ids)

    def titles(self, ids: Iterable[str]) -> dict[str, str]:
        """Give the titles of records by id."""
        sql = "SELECT id, title FROM records WHERE id IN ({}) AND NOT shadowed"
        return dict(self._among(sql, tuple(ids)))

    def noted(self, ids: Sequence[str]) -> list[Values]:
        """Give id, kind, title, time and what it says of itself, of records in this order."""
        sql = (
            "SELECT id, kind, title, created, stated FROM records WHERE id IN ({}) AND NOT shadowed"
        )
        found = {row[0]: row for row in self._among(sql, ids)}
        return [found[one] for one in ids if one in found]

    def tagged(self, tags: Collection[str]) -> list[Values]:
        """Give the same of notes, patterns and decisions that bear one of these tags."""
        sql = (
            "SELECT DISTINCT r.id, r.kind, r.title, r.created, r.stated FROM records r"
            " JOIN tags t ON t.file = r.file WHERE r.kind IN ('note', 'pattern', 'decision')"
            " AND NOT r.shadowed AND t.tag COLLATE NOCASE IN ({})"
        )
        found = self._among(sql, sorted(tags))
        return sorted(set(found), key=itemgetter(3, 0), reverse=True)

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

    def tags(self) -> list[tuple[str, str]]:
        """Give (id, tag) of errors and fixes."""
        return self._labels("tags", "t.tag")

    def files(self) -> list[tuple[str, str]]:
        """Give (id, path) of errors and fixes: code of the repository that they speak of."""
        wanted = "t.role IN ('anchor', 'location', 'frame', 'patch') AND t.path NOT LIKE '/%'"
        return self._labels("paths", "t.path", f" AND {wanted} AND t.path NOT LIKE '_:%'")

    def languages(self) -> list[tuple[str, str]]:
        """Give (id, language) of errors."""
        return self._labels("traits", "t.value", " AND t.role = 'language'")

    def _among(self, sql: str, values: Collection[str]) -> list[Values]:
        """Ask about several values; ``{}`` stands for their question marks."""
        found: list[Values] = []
        left = sorted(values)
        for first in range(0, len(left), _FEW):
            some = left[first : first + _FEW]
            found += self._ask(sql.format(", ".join("?" * len(some))), some)
        return found

    def _labels(self, table: str, column: str, condition: str = "") -> list[tuple[str, str]]:
        sql = (
            f"SELECT DISTINCT r.id, {column} FROM {table} t JOIN records r ON r.file = t.file"  # noqa: S608  names of ours
            f" WHERE r.kind IN ('error', 'fix') AND NOT r.shadowed{condition}"
        )
        return self._ask(sql, ())

    def people(self) -> set[str]:
        """Give the names and addresses under which persons wrote records, in small letters."""
        sql = "SELECT DISTINCT author, email FROM records WHERE via = 'human'"
        return {said.casefold() for row in self._ask(sql, ()) for said in row if said}

    def meeting(self, kind: str, filters: Filters) -> set[str]:
        """Give the ids of the records of a kind that meet filters."""
        condition, values = where(filters)
        sql = f"SELECT id FROM memory WHERE kind = ? AND {condition}"  # noqa: S608  names of ours
        return {row[0] for row in self._ask(sql, [kind, *values])}

    def others(self) -> dict[str, int]:
        """Count decisions, notes and patterns; errors, fixes and sessions are read anyway."""
        sql = (
            "SELECT kind, count(*) FROM records WHERE kind IN ('decision', 'note', 'pattern')"
            " AND NOT shadowed GROUP BY kind"
        )
        return dict(self._ask(sql, ()))

    def bytes(self) -> int:
        """Give the size of all record files."""
        size: int = self._ask("SELECT coalesce(sum(size), 0) FROM files", ())[0][0]
        return size
