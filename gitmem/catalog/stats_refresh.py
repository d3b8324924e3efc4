"""Updates the tables that statistics count from; see ``gitmem.catalog.stats_schema``.

Of few changes only the failures that they touch are followed through time again.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from hashlib import blake2b
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

from gitmem.catalog.conditions import GENERAL, VERDICT
from gitmem.catalog.sightings import AttemptMade, ErrorOccurrence
from gitmem.catalog.tallies import json_values

Ask = Callable[[str, Iterable[Any]], list[Any]]
WriteMany = Callable[[str, Iterable[Any]], Any]

_Words = tuple[str, str]
"""What a fix says that it does, and the id of the fix that it applies again, or nothing."""

# What else another record's change touches: the fixes of an error that comes or goes (found by
# what they named before, and by what they name now), and those that apply such a fix again.
_WIDEN: Final = (
    "INSERT OR IGNORE INTO unsettled SELECT file FROM aims WHERE error IN unsettled",
    """
    INSERT OR IGNORE INTO unsettled SELECT k.file FROM records r
    JOIN links k ON k.target = r.id AND k.relation = 'fixes'
    WHERE r.file IN unsettled AND +r.kind = 'error'
    """,
    """
    INSERT OR IGNORE INTO unsettled
    WITH RECURSIVE again (id) AS (
        SELECT id FROM records WHERE file IN unsettled AND +kind = 'fix'
        UNION SELECT id FROM tries WHERE file IN unsettled
        UNION SELECT r.id FROM again JOIN links k ON k.target = again.id
            AND k.relation = 'reuses' JOIN records r ON r.file = k.file
    )
    SELECT r.file FROM again JOIN records r ON r.id = again.id
    """,
)
_TOUCHED_BEFORE: Final = """
SELECT failure FROM sightings WHERE file IN unsettled
UNION SELECT failure FROM mended WHERE file IN unsettled
UNION SELECT failure FROM repeats WHERE file IN unsettled
"""
_FORGET: Final = (
    "DELETE FROM sightings WHERE file IN unsettled",
    "DELETE FROM tries WHERE file IN unsettled",
    "DELETE FROM aims WHERE file IN unsettled",
)
_SIGHTINGS: Final = f"""
INSERT INTO sightings
SELECT r.file, r.id, r.created, r.error_type, r.category, r.subject, r.via, p.value, NULL, 0
FROM records r LEFT JOIN prints p ON p.file = r.file AND p.level = 'site'
WHERE r.file IN unsettled AND +r.kind = 'error' AND NOT r.shadowed AND NOT {GENERAL}
"""  # noqa: S608  constants
_ALIKE: Final = """
SELECT a.leader, coalesce(s.site, s.id) FROM alike a JOIN sightings s ON s.id = a.id
ORDER BY 1, 2
"""
_OF_PARTS: Final = """
SELECT failure FROM sightings
WHERE coalesce(site, id) IN (SELECT value FROM json_each(?)) AND failure NOT NULL
"""
_LOOSEN: Final = """
UPDATE sightings SET failure = NULL WHERE coalesce(site, id) IN (SELECT value FROM json_each(?))
"""
_NEW_NAMES: Final = """
INSERT OR IGNORE INTO failures (name)
SELECT DISTINCT name FROM named WHERE failure IS NULL
"""
_OF_NEW: Final = """
SELECT failure FROM failures WHERE name IN (SELECT name FROM named WHERE failure IS NULL)
"""
_PUT_TOGETHER: Final = """
UPDATE sightings SET failure = (
    SELECT f.failure FROM named n JOIN failures f ON f.name = n.name WHERE n.file = sightings.file
) WHERE failure IS NULL
"""
_AIMS: Final = """
INSERT INTO aims SELECT r.file, s.file FROM records r
JOIN links k ON k.file = r.file AND k.relation = 'fixes' JOIN sightings s ON s.id = k.target
WHERE r.file IN unsettled AND +r.kind = 'fix' AND NOT r.shadowed
"""
_TRIES: Final = f"""
SELECT r.file, r.id, r.created, {VERDICT}, t.seconds, t.applied, t.verified, t.fixer, t.model,
    r.via, (SELECT s.file FROM aims a JOIN sightings s ON s.file = a.error
        WHERE a.file = r.file ORDER BY s.id LIMIT 1), d.words, d.again
FROM done d JOIN records r ON r.file = d.file JOIN efforts t ON t.file = d.file
WHERE d.file IN unsettled AND NOT {GENERAL}
"""  # noqa: S608  constants
_SAID: Final = """
SELECT id, words, again FROM done WHERE id IN (SELECT value FROM json_each(?))
"""
_WRITE_TRY: Final = "INSERT INTO tries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_FORGET_COURSE: Final = (
    """
    UPDATE sightings SET came_back = 0
    WHERE failure IN (SELECT value FROM json_each(?)) AND came_back
    """,
    "DELETE FROM mended WHERE failure IN (SELECT value FROM json_each(?))",
    "DELETE FROM repeats WHERE failure IN (SELECT value FROM json_each(?))",
    """
    DELETE FROM failures WHERE failure IN (SELECT value FROM json_each(?))
    AND NOT EXISTS (SELECT 1 FROM sightings s WHERE s.failure = failures.failure)
    """,
    """
    UPDATE failures SET open = 1
    WHERE failure IN (SELECT value FROM json_each(?)) AND NOT open
    """,
)
_CAME_BACK: Final = """
UPDATE sightings SET came_back = 1 WHERE file IN (SELECT value FROM json_each(?))
"""
_SHUT: Final = "UPDATE failures SET open = 0 WHERE failure IN (SELECT value FROM json_each(?))"
_TOUCHED_BY_ATTEMPTS: Final = """
SELECT DISTINCT s.failure FROM tries t JOIN aims a ON a.file = t.file
JOIN sightings s ON s.file = a.error WHERE t.file IN unsettled
"""
_ATTEMPTS: Final = """
SELECT s.failure, max(max(s.created), t.created), t.id, t.file, t.created, t.seconds, t.outcome,
    min(s.id)
FROM sightings s JOIN aims a ON a.error = s.file JOIN tries t ON t.file = a.file
WHERE s.failure IN (SELECT value FROM json_each(?))
GROUP BY s.failure, t.file ORDER BY 1
"""
_WRITE_REPEAT: Final = """
INSERT INTO repeats SELECT ?, ?, ?, file FROM sightings WHERE id = ?
"""
_SEEN: Final = """
SELECT failure, created, id, file FROM sightings
WHERE failure IN (SELECT value FROM json_each(?)) ORDER BY 1
"""


class FailureCourse(NamedTuple):
    """What became of a failure.

    Attributes:
        open: it is not fixed, or came back and was not fixed again.
        returns: files of the errors that were the first after a fix that had worked.
        repeats: the attempts that began when the failure was fixed and no error of it had been
            recorded since.
        fixes: of each fix that worked its file, how many seconds the failure had been open
            (None if it was not, or clocks lie), and whether the failure was seen again.

    """

    open: bool
    returns: list[int]
    repeats: list[AttemptMade]
    fixes: list[tuple[int, float | None, bool]]


Follow = Callable[[list[ErrorOccurrence], list[AttemptMade]], FailureCourse]


class StatsRefresh:
    """Brings the tables of the statistics up to date, inside of a transaction.

    Args:
        ask: asks the catalog, or changes it: a statement and its values.
        many: changes it: a statement, and values as often as it is to be done.

    """

    def __init__(self, ask: Ask, many: WriteMany) -> None:
        self._ask = ask
        self._many = many

    def refresh(self, follow: Follow) -> None:
        """Bring everything in step; ``follow`` tells what became of one failure."""
        for statement in _WIDEN:
            self._ask(statement, ())
        touched = self._numbers(_TOUCHED_BEFORE)
        for statement in _FORGET:
            self._ask(statement, ())
        self._ask(_SIGHTINGS, ())
        touched |= self._join()
        self._ask(_AIMS, ())
        self._write_tries()
        touched |= self._numbers(_TOUCHED_BY_ATTEMPTS)
        self._follow(touched, follow)
        self._ask("DELETE FROM unsettled", ())

    def _numbers(self, sql: str, values: Iterable[Any] = ()) -> set[int]:
        return {row[0] for row in self._ask(sql, values)}

    def _join(self) -> set[int]:
        """Put new errors, and those that 'duplicates' connect otherwise, to their failures."""
        new = _joined(self._ask(_ALIKE, ()))
        old = dict(self._ask("SELECT part, name FROM joined", ()))
        touched: set[int] = set()
        if other := sorted(part for part in {**old, **new} if old.get(part) != new.get(part)):
            parts = (json_values(other),)
            touched |= self._numbers(_OF_PARTS, parts)
            self._ask(_LOOSEN, parts)
            self._ask("DELETE FROM joined WHERE part IN (SELECT value FROM json_each(?))", parts)
            rows = [(part, new[part]) for part in other if part in new]
            self._many("INSERT INTO joined VALUES (?, ?)", rows)
        self._ask(_NEW_NAMES, ())
        touched |= self._numbers(_OF_NEW)
        self._ask(_PUT_TOGETHER, ())
        return touched

    def _write_tries(self) -> None:
        rows = self._ask(_TRIES, ())
        words_of: dict[str, _Words | None] = {row[1]: row[-2:] for row in rows}
        while (
            left := {words[1] for words in words_of.values() if words and words[1]}
            - words_of.keys()
        ):
            linked = self._ask(_SAID, (json_values(left),))
            words_of |= dict.fromkeys(left) | {row[0]: row[1:] for row in linked}
        self._many(_WRITE_TRY, ((*row[:-2], _way(row[1], words_of)) for row in rows))

    def _follow(self, touched: Collection[int], follow: Follow) -> None:
        keys = (json_values(touched),)
        for statement in _FORGET_COURSE:
            self._ask(statement, keys)
        by_failure = itemgetter(0)
        grouped = groupby(self._ask(_ATTEMPTS, keys), by_failure)
        attempts = {key: list(map(AttemptMade._make, rows_of_key)) for key, rows_of_key in grouped}
        fixed = [
            key
            for key, attempts_of_key in attempts.items()
            if any(attempt.helped for attempt in attempts_of_key)
        ]
        repeats: list[tuple[int, int, str, str]] = []
        returns: list[int] = []
        mended: list[tuple[int, int, float | None, bool]] = []
        shut: list[int] = []
        for key, rows_of_key in groupby(self._ask(_SEEN, (json_values(fixed),)), by_failure):
            course = follow(list(map(ErrorOccurrence._make, rows_of_key)), attempts[key])
            repeats += (
                (attempt.file, key, attempt.created, attempt.error) for attempt in course.repeats
            )
            returns += course.returns
            mended += ((file, key, seconds, unheld) for file, seconds, unheld in course.fixes)
            if not course.open:
                shut.append(key)
        self._ask(_CAME_BACK, (json_values(returns),))
        self._many("INSERT INTO mended VALUES (?, ?, ?, ?)", mended)
        self._many(_WRITE_REPEAT, repeats)
        self._ask(_SHUT, (json_values(shut),))


def _joined(alike: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Name the failures that several fingerprints, or ids of errors without one, belong to.

    Args:
        alike: (group, fingerprint or id) of the errors that are said to be the same.

    Returns:
        The name by fingerprint or id, for those that have another name than themselves.

    """
    leader: dict[str, str] = {}

    def led(part: str) -> str:
        while part in leader:
            part = leader[part]
        return part

    first: dict[str, str] = {}
    parts = set()
    for group, part in alike:
        parts.add(part)
        leading, other = sorted((led(first.setdefault(group, part)), led(part)))
        if leading != other:
            leader[other] = leading
    return {part: name for part in parts if (name := led(part)) != part}


def _way(fix_id: str, words_of: Mapping[str, _Words | None]) -> int:
    """Tell in a number which way a fix took: by its words, or those of the fix it applies again.

    Args:
        fix_id: its id.
        words_of: what each fix says, by id; None: it is not there. Circles of hand edits end.

    """
    passed: set[str] = set()
    words, again = "", fix_id
    while (own_words := words_of.get(again)) and again not in passed:
        passed.add(again)
        words, again = own_words
    plain = " ".join(words.casefold().split()).encode(errors="surrogatepass")
    return int.from_bytes(blake2b(plain, digest_size=8).digest(), "big", signed=True)
