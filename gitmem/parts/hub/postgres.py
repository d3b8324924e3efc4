"""An engine in PostgreSQL 15 or later: plain tables, no extension, no superuser.

A record's terms are a ``tsvector`` that we write ourselves, which a GIN index finds. Who may see
what is a condition in every question, made in one place; row-level security would switch the index
off.
"""

import time
from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

import psycopg

from gitmem.errors import EnvironmentProblem
from gitmem.parts.hub import postgres_overview as overview
from gitmem.parts.hub import postgres_places as places
from gitmem.parts.hub.migrations import MIGRATIONS
from gitmem.parts.hub.postgres_candidates import (
    CandidateSearch,
    added_up,
    equals,
    is_of_one_term,
    newest,
    quoted,
)  # fmt: skip
from gitmem.parts.hub.postgres_connections import APPLICATION, SCHEMA, Connections
from gitmem.parts.hub.postgres_overview import COLUMNS
from gitmem.parts.hub.postgres_places import ALONE, Place
from gitmem.parts.hub.protocol import (
    CANDIDATES,
    Candidate,
    Entry,
    Head,
    Held,
    Kept,
    Seen,
    SharedPrint,
    Stored,
)  # fmt: skip


class PostgresHub:
    """See ``protocol.Engine``. Threads may share one.

    Args:
        address: of the database, as libpq takes it.
        place: which database of the hub it is.
        spreading: it may hold what belongs to another one, until ``settle``.

    Raises:
        EnvironmentProblem: there is no such server, it refuses, or its place is another.

    """

    def __init__(self, address: str, place: Place = ALONE, *, spreading: bool = False) -> None:
        self._place = place
        self._connections = Connections(address)
        if self._version() < len(MIGRATIONS):
            with self.writing():
                self._migrate()
        self.close()  # what is opened from now on is checked
        check = places.check_growing if spreading else places.check
        self._connections.check = partial(check, place=place)
        self._connections.rows("SELECT")

    def _version(self) -> int:
        """Give the version of the tables; 0 if there are none."""
        try:
            version = int(self._connections.rows("SELECT max(version) FROM version")[0][0] or 0)
        except psycopg.errors.UndefinedTable:
            return 0
        if version > len(MIGRATIONS):
            raise EnvironmentProblem(
                "this hub's tables are of a newer gitmem", "use that version, or another database"
            )
        return version

    def _migrate(self) -> None:
        self._connections.write(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        self._connections.write("CREATE TABLE IF NOT EXISTS version (version integer NOT NULL)")
        done = self._version()  # another process may have been first
        for number, step in enumerate(MIGRATIONS[done:], done + 1):
            self._connections.write(step)
            self._connections.write("INSERT INTO version VALUES (%s)", [number])
        if done < len(MIGRATIONS):
            places.note(self._connections.step, ALONE if done else self._place)

    def writing(self) -> AbstractContextManager[None]:
        """See ``protocol.Engine``."""
        return self._connections.writing()

    @property
    def is_writing(self) -> bool:
        """Whether this thread is in a step of writing."""
        return self._connections.is_writing

    def close(self) -> None:
        """See ``protocol.Engine``."""
        self._connections.close()

    # Writing

    def put(self, entries: Iterable[Entry]) -> int:
        """See ``protocol.Engine``."""
        given = {(entry.repository, entry.id): entry for entry in reversed(list(entries))}
        numbers = {name: self._number(name) for name in sorted({name for name, _ in given})}
        there = set(self._connections.rows(
            "SELECT p.name, m.id FROM record m JOIN repository p USING (repo) WHERE (m.repo, m.id)"
            " IN (SELECT * FROM unnest(%s::integer[], %s::text[]))"
            " UNION SELECT name, id FROM forgotten WHERE name = any(%s)",
            [[numbers[name] for name, _ in given], [name for _, name in given], list(numbers)],
        ))  # fmt: skip
        new = {key: entry for key, entry in given.items() if key not in there}
        if new:
            cursor = self._connections.write("SELECT")
            with cursor.copy(
                "COPY record (repo, id, path, blob, commit, kind, created, terms, prints,"
                " relations, targets, body) FROM STDIN"
            ) as copy:
                for entry in new.values():
                    copy.write_row((numbers[entry.repository], *_columns(entry)))
            self._derive(
                "(m.repo, m.id) IN (SELECT * FROM unnest(%s::integer[], %s::text[]))",
                [[numbers[name] for name, _ in new], [name for _, name in new]],
            )
        return len(new)

    def _derive(self, of: str, values: list[Any]) -> None:
        """Count new records and their terms, and list their fingerprints by age."""
        self._connections.write(
            "UPDATE repository SET records = records + new FROM"
            f" (SELECT m.repo, count(*) AS new FROM record m WHERE {of} GROUP BY m.repo) one"
            " WHERE one.repo = repository.repo",
            values,
        )
        self._connections.write(
            "INSERT INTO printed SELECT DISTINCT print, m.created, m.repo, m.id"
            f" FROM record m, unnest(m.prints) print WHERE {of}",
            values,
        )
        self._connections.write(
            f"INSERT INTO term SELECT lexeme, count(*) FROM record m, unnest(m.terms) WHERE {of}"
            f" GROUP BY lexeme UNION ALL SELECT '', count(*) FROM record m WHERE {of}"
            " ON CONFLICT (term) DO UPDATE SET records = term.records + excluded.records",
            [*values, *values],
        )

    def _number(self, name: str) -> int:
        self._connections.write(
            "INSERT INTO repository (name) VALUES (%s) ON CONFLICT DO NOTHING", [name]
        )
        return int(
            self._connections.rows("SELECT repo FROM repository WHERE name = %s", [name])[0][0]
        )

    def hold(self, repository: str, held: Iterable[Held]) -> None:
        """See ``protocol.Engine``."""
        rows = list(held)
        number = self._number(repository) if rows else 0
        for row in rows:
            self._connections.write(
                "INSERT INTO held VALUES (%s, %s, %s, %s) ON CONFLICT (repo, path) DO UPDATE"
                " SET blob = excluded.blob, why = excluded.why",
                [number, *row],
            )

    def forget(self, repository: str, ids: Iterable[str], *, for_good: bool = False) -> int:
        """See ``protocol.Engine``."""
        names = list(ids)
        if for_good:
            self._connections.write(
                "INSERT INTO forgotten SELECT %s, * FROM unnest(%s::text[]) ON CONFLICT DO NOTHING",
                [repository, names],
            )
        return self._delete(repository, "id = any(%s)", [names]) if names else 0

    def _delete(self, repository: str, condition: str, values: list[Any]) -> int:
        gone = self._connections.write(
            "WITH gone AS (DELETE FROM record WHERE repo = (SELECT repo FROM repository"
            f" WHERE name = %s) AND {condition} RETURNING *),"
            " unprinted AS (DELETE FROM printed USING (SELECT *, unnest(prints) AS one FROM gone) g"
            " WHERE print = one AND printed.created = g.created AND printed.repo = g.repo"
            " AND printed.id = g.id),"
            " less AS (SELECT lexeme AS term, count(*) AS n FROM gone, unnest(terms)"
            " GROUP BY lexeme UNION ALL SELECT '', count(*) FROM gone),"
            " counted AS (UPDATE term SET records = records - n FROM less"
            " WHERE term.term = less.term)"
            " UPDATE repository SET records = records - (SELECT count(*) FROM gone)"
            " WHERE name = %s RETURNING (SELECT count(*) FROM gone)",
            [repository, *values, repository],
        ).fetchone()
        return int(gone[0]) if gone else 0

    def release(self, repository: str, paths: Iterable[str]) -> None:
        """See ``protocol.Engine``."""
        self._connections.write(
            "DELETE FROM held WHERE repo = (SELECT repo FROM repository WHERE name = %s)"
            " AND path = any(%s)",
            [repository, list(paths)],
        )

    def took(self, repository: str, head: Head) -> None:
        """See ``protocol.Engine``."""
        self._connections.write(
            "INSERT INTO repository (name, commit, made, internal, taken, run)"
            " VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (name) DO UPDATE"
            " SET commit = excluded.commit, made = excluded.made, internal = excluded.internal,"
            " taken = excluded.taken, run = excluded.run",
            [repository, *head._replace(taken=time.time())],
        )

    def drop(self, repository: str) -> int:
        """See ``protocol.Engine``."""
        gone = self._delete(repository, "true", [])
        number = "repo = (SELECT repo FROM repository WHERE name = %s)"
        self._connections.write(f"DELETE FROM held WHERE {number}", [repository])
        self._connections.write("DELETE FROM repository WHERE name = %s", [repository])
        return gone

    def audit(self, who: str, what: str, repository: str, count: int) -> None:
        """See ``protocol.Engine``."""
        with self.writing():
            self._connections.write(
                "INSERT INTO audit (who, what, repository, count) VALUES (%s, %s, %s, %s)",
                [who, what, repository, count],
            )

    # Places

    def names(self) -> list[str]:
        """Give the repositories of which anything is here."""
        return self._connections.ask(places.names)

    def begin_moving(self) -> None:
        """Let nobody read or write until ``settle`` but who moves records."""
        places.begin_moving(self._connections.step)

    def move_from(self, other: "PostgresHub", repository: str) -> None:
        """Take all of a repository from another database, in a step of both.

        Done twice it is as done once: what an interrupted one left here is dropped first.
        """
        source, here = other._connections.step, self._connections.step  # noqa: SLF001  its like
        self.drop(repository)
        places.copy(source, here, repository)
        self._derive("m.repo = (SELECT repo FROM repository WHERE name = %s)", [repository])
        other.drop(repository)
        source.execute("DELETE FROM forgotten WHERE name = %s", [repository])

    def settle(self) -> None:
        """Write down that this is now the database that it should be."""
        places.note(self._connections.step, self._place)
        self._connections.check = partial(places.check, place=self._place)

    def end_others(self) -> None:
        """End the connections of those that were there before ``begin_moving``."""
        self._connections.ask(lambda connection: places.end_others(connection, APPLICATION))

    # Reading

    def heads(self) -> dict[str, Head]:
        """See ``protocol.Engine``."""
        rows = self._connections.rows(
            "SELECT name, commit, made, internal, taken, run FROM repository"
        )
        return {name: Head(*rest) for name, *rest in rows}

    def ids(self, repository: str) -> dict[str, Kept]:
        """See ``protocol.Engine``."""
        rows = self._connections.rows(
            "WITH p AS (SELECT repo FROM repository WHERE name = %s)"
            " SELECT path, blob, id, '' FROM record WHERE repo = (SELECT repo FROM p)"
            " UNION ALL SELECT path, blob, '', why FROM held WHERE repo = (SELECT repo FROM p)",
            [repository],
        )
        return {path: Kept(*rest) for path, *rest in rows}

    def forgotten(self, repository: str) -> set[str]:
        """See ``protocol.Engine``."""
        rows = self._connections.rows("SELECT id FROM forgotten WHERE name = %s", [repository])
        return {name for (name,) in rows}

    def counts(self, terms: Collection[str]) -> tuple[dict[str, int], int]:
        """See ``protocol.Engine``."""
        rows = self._connections.rows(
            "SELECT term, records FROM term WHERE term = any(%s) AND records > 0", [["", *terms]]
        )
        counts = {term: int(records) for term, records in rows}
        everything = counts.pop("", 0)
        return counts, everything

    def alike(
        self, prints: Sequence[tuple[str, str]], visible: Seen, limit: int
    ) -> list[tuple[str, Stored]]:
        """See ``protocol.Engine``."""
        matched: dict[tuple[str, str], tuple[str, Stored]] = {}
        for level, value in prints:
            asking = overview.with_print(_visible(visible), f"{level}:{value}", limit)
            rows = self._connections.rows(*asking)
            for row in rows:
                matched.setdefault((row[0], row[1]), (level, Stored(*row)))
            if len(matched) >= limit:
                break
        return list(matched.values())[:limit]

    def candidates(
        self,
        factors: Sequence[tuple[str, float]],
        visible: Seen,
        *,
        kinds: Collection[str] = (),
        limit: int = CANDIDATES,
        reading: Collection[str] = (),
    ) -> list[Candidate]:
        """See ``protocol.Engine``."""
        if not factors:
            return []
        search = CandidateSearch(_visible(visible), kinds, reading)
        if is_of_one_term(factors):
            counts, everything = self.counts([term for term, _ in factors])
            equal = equals(factors, counts)
            rows = newest(self._connections.rows, search, equal, everything, limit)
        else:
            rows = self._connections.rows(*added_up(search, factors, limit))
        return [
            Candidate(repository, name, created, score, impacts or {})
            for repository, name, created, score, impacts in rows
        ]

    def linking(
        self, of: Collection[tuple[str, str]], visible: Seen
    ) -> list[tuple[str, str, Stored]]:
        """See ``protocol.Engine``."""
        condition, who = _visible(visible)
        wanted = set(of)
        rows = self._connections.rows(
            f"SELECT {COLUMNS}, relations, targets FROM record m JOIN repository p USING (repo)"
            f" WHERE targets && %(targets)s AND targets <> '{{}}' AND {condition}"
            " ORDER BY m.created, p.name, m.id",
            {**who, "targets": [name for _, name in of]},
        )
        return [
            (relation, target, Stored(*row[:-2]))
            for row in rows
            for relation, target in zip(*row[-2:], strict=True)
            if (row[0], target) in wanted
        ]

    def newest(
        self,
        visible: Seen,
        *,
        kinds: Collection[str] = (),
        only: Collection[tuple[str, str]] | None = None,
        limit: int,
    ) -> list[Stored]:
        """See ``protocol.Engine``."""
        # Of one repository its own records are read, not the newest of all until there are enough.
        condition = _of_one(visible) or _visible(visible)
        rows = self._connections.rows(*overview.newest(condition, kinds, only, limit))
        return [Stored(*row) for row in rows]

    def shared(self, level: str, since: str, visible: Seen, limit: int) -> list[SharedPrint]:
        """See ``protocol.Engine``."""
        rows = self._connections.rows(*overview.shared(_visible(visible), level, since, limit))
        return _shared(level, rows)

    def printed(
        self, level: str, since: str, visible: Seen, limit: int, only: Collection[str] | None = None
    ) -> list[SharedPrint]:
        """Give fingerprints as ``shared`` does, also those that one repository has.

        Args:
            level: of the fingerprints.
            since: as in ``shared``.
            visible: as in ``shared``.
            limit: how many at most.
            only: these values only; None: all.

        """
        of = _visible(visible)
        return _shared(
            level, self._connections.rows(*overview.printed(of, level, since, limit, only))
        )

    def sizes(self, visible: Seen) -> dict[str, int]:
        """See ``protocol.Engine``."""
        return dict(self._connections.rows(*overview.sizes(_visible(visible))))


def _visible(visible: Seen) -> tuple[str, dict[str, Any]]:
    """Make the condition that nothing is found which whoever asks may not see."""
    # IS TRUE keeps it a filter: read once into a hash, and never taken for a way to the records.
    condition = (
        "(m.repo IN (SELECT r.repo FROM repository r WHERE r.name = any(%(seen)s)"
        " UNION ALL SELECT r.repo FROM repository r WHERE r.internal AND %(inside)s)) IS TRUE"
    )
    return condition, {"seen": sorted(visible.repositories), "inside": visible.internal}


def _shared(level: str, rows: list[tuple[Any, ...]]) -> list[SharedPrint]:
    return [SharedPrint(level, name.partition(":")[2], *rest) for name, *rest in rows]


def _of_one(visible: Seen) -> tuple[str, dict[str, Any]] | None:
    """Make that condition a way to the records, where it allows those of one repository."""
    if visible.internal or len(visible.repositories) != 1:
        return None
    (name,) = visible.repositories
    return "m.repo = (SELECT r.repo FROM repository r WHERE r.name = %(name)s)", {"name": name}


def _columns(entry: Entry) -> tuple[object, ...]:
    terms = " ".join(f"{quoted(term)}:{impact}" for term, impact in entry.impacts.items())
    return (
        entry.id, entry.path, entry.blob, entry.commit, entry.kind, entry.created, terms,
        [f"{level}:{value}" for level, value in entry.prints],
        [relation for relation, _ in entry.links], [target for _, target in entry.links],
        entry.body,
    )  # fmt: skip
