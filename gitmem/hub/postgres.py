"""An engine in PostgreSQL 15 or later: plain tables, no extension, no superuser.

A record's terms are a ``tsvector`` that we write ourselves, which a GIN index finds. Who may see
what is a condition in every question, made in one place; row-level security would switch the index
off. Several servers (``host=a,b``) are libpq's business: questions go to the primary, or to a
standby while there is none.
"""

import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeVar

import psycopg

from gitmem.errors import EnvironmentProblem
from gitmem.hub import postgres_overview as overview
from gitmem.hub.migrations import MIGRATIONS
from gitmem.hub.postgres_candidates import candidates, quoted
from gitmem.hub.postgres_overview import COLUMNS
from gitmem.hub.protocol import (
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

_SCHEMA: Final = "gitmem_hub"
_LOCK: Final = 0x6769746D
"""Names the one lock of writers in a database."""
_PATIENCE: Final = 10.0
"""Seconds in which a question is asked again after a server went away."""
_PAUSE: Final = 0.05
_SETTINGS: Final = (
    f"SET search_path = {_SCHEMA}",
    # The planner knows nothing of terms in a parameter, and would read every record.
    "SET enable_seqscan = off",
    "SET jit = off",
)
_T = TypeVar("_T")


class _Local(threading.local):
    """The connection of the step that this thread is writing, if it is."""

    writer: "psycopg.Connection[Any] | None" = None


class PostgresHub:
    """See ``protocol.Engine``. Threads may share one.

    Args:
        address: of the database, as libpq takes it.

    Raises:
        EnvironmentProblem: there is no such server, or it refuses.

    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._local = _Local()
        self._idle: list[psycopg.Connection[Any]] = []
        if self._version() < len(MIGRATIONS):
            with self.writing():
                self._migrate()

    def _version(self) -> int:
        """Give the version of the tables; 0 if there are none."""
        try:
            version = int(self._rows("SELECT max(version) FROM version")[0][0] or 0)
        except psycopg.errors.UndefinedTable:
            return 0
        if version > len(MIGRATIONS):
            raise EnvironmentProblem(
                "this hub's tables are of a newer gitmem", "use that version, or another database"
            )
        return version

    def _migrate(self) -> None:
        self._write(f"CREATE SCHEMA IF NOT EXISTS {_SCHEMA}")
        self._write("CREATE TABLE IF NOT EXISTS version (version integer NOT NULL)")
        done = self._version()  # another process may have been first
        for number, step in enumerate(MIGRATIONS[done:], done + 1):
            self._write(step)
            self._write("INSERT INTO version VALUES (%s)", [number])

    # Connections

    def _connect(self, target: str) -> "psycopg.Connection[Any]":
        # No prepared statements: a pooler in between could not keep them.
        connection = psycopg.connect(
            self._address, autocommit=True, prepare_threshold=None,
            target_session_attrs=target, connect_timeout=2,
        )  # fmt: skip
        for setting in _SETTINGS:
            connection.execute(setting)
        return connection

    @contextmanager
    def _reader(self) -> "Iterator[psycopg.Connection[Any]]":
        """Lend a connection to one question: threads come and go, connections stay."""
        if writer := self._local.writer:
            yield writer  # what was written in this step is seen in it
            return
        stays = True
        connection = self._idle.pop() if self._idle else None
        if connection is None:
            try:
                connection = self._connect("primary")
            except psycopg.OperationalError:
                # What a standby lacks may be for a moment only: the next question looks again.
                connection, stays = self._connect("any"), False
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        if stays:
            self._idle.append(connection)
        else:
            connection.close()

    def _asked(self, ask: "Callable[[psycopg.Connection[Any]], _T]") -> _T:
        """Ask, and ask again where a server went away meanwhile; inside of ``writing`` once."""
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                with self._reader() as connection:
                    return ask(connection)
            except psycopg.OperationalError as error:
                if self._local.writer or time.monotonic() > end:
                    raise _problem(error) from None
                time.sleep(_PAUSE)

    def _rows(self, question: str, values: Any = None) -> list[tuple[Any, ...]]:  # noqa: ANN401
        return self._asked(lambda connection: connection.execute(question, values).fetchall())

    def _write(self, statement: str, values: Any = None) -> "psycopg.Cursor[Any]":  # noqa: ANN401
        writer = self._local.writer
        if writer is None:
            raise RuntimeError("records are changed inside of writing() only")
        return writer.execute(statement, values)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """See ``protocol.Engine``."""
        if self._local.writer:  # a step of a larger one
            yield
            return
        try:
            connection = self._connect("read-write")
            try:
                with connection.transaction():
                    connection.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
                    self._local.writer = connection
                    yield
            finally:
                self._local.writer = None
                connection.close()
        except psycopg.Error as error:
            raise _problem(error) from None

    def close(self) -> None:
        """See ``protocol.Engine``."""
        while self._idle:
            with suppress(psycopg.Error):
                self._idle.pop().close()

    # Writing

    def put(self, entries: Iterable[Entry]) -> int:
        """See ``protocol.Engine``."""
        given = {(entry.repository, entry.id): entry for entry in reversed(list(entries))}
        numbers = {name: self._number(name) for name in sorted({name for name, _ in given})}
        there = set(self._rows(
            "SELECT p.name, m.id FROM record m JOIN repository p USING (repo) WHERE (m.repo, m.id)"
            " IN (SELECT * FROM unnest(%s::integer[], %s::text[]))"
            " UNION SELECT name, id FROM forgotten WHERE name = any(%s)",
            [[numbers[name] for name, _ in given], [name for _, name in given], list(numbers)],
        ))  # fmt: skip
        new = {key: entry for key, entry in given.items() if key not in there}
        if new:
            cursor = self._write("SELECT")
            with cursor.copy(
                "COPY record (repo, id, path, blob, commit, kind, created, terms, prints,"
                " relations, targets, body) FROM STDIN"
            ) as copy:
                for entry in new.values():
                    copy.write_row((numbers[entry.repository], *_columns(entry)))
            self._count(new, numbers)
        return len(new)

    def _count(self, keys: Collection[tuple[str, str]], numbers: dict[str, int]) -> None:
        self._write(
            "INSERT INTO term SELECT lexeme, count(*) FROM record m, unnest(m.terms)"
            " WHERE (m.repo, m.id) IN (SELECT * FROM unnest(%s::integer[], %s::text[]))"
            " GROUP BY lexeme UNION ALL SELECT '', %s::bigint"
            " ON CONFLICT (term) DO UPDATE SET records = term.records + excluded.records",
            [[numbers[name] for name, _ in keys], [name for _, name in keys], len(keys)],
        )

    def _number(self, name: str) -> int:
        self._write("INSERT INTO repository (name) VALUES (%s) ON CONFLICT DO NOTHING", [name])
        return int(self._rows("SELECT repo FROM repository WHERE name = %s", [name])[0][0])

    def hold(self, repository: str, held: Iterable[Held]) -> None:
        """See ``protocol.Engine``."""
        rows = list(held)
        number = self._number(repository) if rows else 0
        for row in rows:
            self._write(
                "INSERT INTO held VALUES (%s, %s, %s, %s) ON CONFLICT (repo, path) DO UPDATE"
                " SET blob = excluded.blob, why = excluded.why",
                [number, *row],
            )

    def forget(self, repository: str, ids: Iterable[str], *, for_good: bool = False) -> int:
        """See ``protocol.Engine``."""
        names = list(ids)
        if for_good:
            self._write(
                "INSERT INTO forgotten SELECT %s, * FROM unnest(%s::text[]) ON CONFLICT DO NOTHING",
                [repository, names],
            )
        return self._delete(repository, "id = any(%s)", [names]) if names else 0

    def _delete(self, repository: str, condition: str, values: list[Any]) -> int:
        gone = self._write(
            "WITH gone AS (DELETE FROM record WHERE repo = (SELECT repo FROM repository"
            f" WHERE name = %s) AND {condition} RETURNING terms),"
            " less AS (SELECT lexeme AS term, count(*) AS n FROM gone, unnest(terms)"
            " GROUP BY lexeme UNION ALL SELECT '', count(*) FROM gone),"
            " counted AS (UPDATE term SET records = records - n FROM less"
            " WHERE term.term = less.term)"
            " SELECT count(*) FROM gone",
            [repository, *values],
        ).fetchone()
        return int(gone[0]) if gone else 0

    def release(self, repository: str, paths: Iterable[str]) -> None:
        """See ``protocol.Engine``."""
        self._write(
            "DELETE FROM held WHERE repo = (SELECT repo FROM repository WHERE name = %s)"
            " AND path = any(%s)",
            [repository, list(paths)],
        )

    def took(self, repository: str, head: Head) -> None:
        """See ``protocol.Engine``."""
        self._write(
            "INSERT INTO repository (name, commit, made, internal, taken)"
            " VALUES (%s, %s, %s, %s, %s) ON CONFLICT (name) DO UPDATE"
            " SET commit = excluded.commit, made = excluded.made, internal = excluded.internal,"
            " taken = excluded.taken",
            [repository, head.commit, head.made, head.internal, time.time()],
        )

    def drop(self, repository: str) -> int:
        """See ``protocol.Engine``."""
        gone = self._delete(repository, "true", [])
        number = "repo = (SELECT repo FROM repository WHERE name = %s)"
        self._write(f"DELETE FROM held WHERE {number}", [repository])
        self._write("DELETE FROM repository WHERE name = %s", [repository])
        return gone

    def audit(self, who: str, what: str, repository: str, count: int) -> None:
        """See ``protocol.Engine``."""
        with self.writing():
            self._write(
                "INSERT INTO audit (who, what, repository, count) VALUES (%s, %s, %s, %s)",
                [who, what, repository, count],
            )

    # Reading

    def heads(self) -> dict[str, Head]:
        """See ``protocol.Engine``."""
        rows = self._rows("SELECT name, commit, made, internal, taken FROM repository")
        return {name: Head(*rest) for name, *rest in rows}

    def ids(self, repository: str) -> dict[str, Kept]:
        """See ``protocol.Engine``."""
        rows = self._rows(
            "WITH p AS (SELECT repo FROM repository WHERE name = %s)"
            " SELECT path, blob, id, '' FROM record WHERE repo = (SELECT repo FROM p)"
            " UNION ALL SELECT path, blob, '', why FROM held WHERE repo = (SELECT repo FROM p)",
            [repository],
        )
        return {path: Kept(*rest) for path, *rest in rows}

    def forgotten(self, repository: str) -> set[str]:
        """See ``protocol.Engine``."""
        rows = self._rows("SELECT id FROM forgotten WHERE name = %s", [repository])
        return {name for (name,) in rows}

    def counts(self, terms: Collection[str]) -> tuple[dict[str, int], int]:
        """See ``protocol.Engine``."""
        rows = self._rows(
            "SELECT term, records FROM term WHERE term = any(%s) AND records > 0", [["", *terms]]
        )
        counts = {term: int(records) for term, records in rows}
        everything = counts.pop("", 0)
        return counts, everything

    def alike(
        self, prints: Sequence[tuple[str, str]], visible: Seen, limit: int
    ) -> list[tuple[str, Stored]]:
        """See ``protocol.Engine``."""
        condition, who = _visible(visible)
        matched: dict[tuple[str, str], tuple[str, Stored]] = {}
        for level, value in prints:
            rows = self._rows(
                f"SELECT {COLUMNS} FROM record m JOIN repository p USING (repo)"
                f" WHERE prints @> %(prints)s AND prints <> '{{}}' AND {condition}"
                " ORDER BY m.created DESC, p.name DESC, m.id DESC LIMIT %(limit)s",
                {**who, "prints": [f"{level}:{value}"], "limit": limit},
            )
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
        rows = self._rows(*candidates(_visible(visible), factors, kinds, limit, reading))
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
        rows = self._rows(
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
        rows = self._rows(*overview.newest(_visible(visible), kinds, only, limit))
        return [Stored(*row) for row in rows]

    def shared(self, level: str, since: str, visible: Seen, limit: int) -> list[SharedPrint]:
        """See ``protocol.Engine``."""
        rows = self._rows(*overview.shared(_visible(visible), level, since, limit))
        return [SharedPrint(level, name.partition(":")[2], *rest) for name, *rest in rows]

    def sizes(self, visible: Seen) -> dict[str, int]:
        """See ``protocol.Engine``."""
        return dict(self._rows(*overview.sizes(_visible(visible))))


def _visible(visible: Seen) -> tuple[str, dict[str, Any]]:
    """Make the condition that nothing is found which whoever asks may not see."""
    # IS TRUE keeps it a filter: read once into a hash, and never taken for a way to the records.
    condition = (
        "(m.repo IN (SELECT r.repo FROM repository r WHERE r.name = any(%(seen)s)"
        " UNION ALL SELECT r.repo FROM repository r WHERE r.internal AND %(inside)s)) IS TRUE"
    )
    return condition, {"seen": sorted(visible.repositories), "inside": visible.internal}


def _columns(entry: Entry) -> tuple[object, ...]:
    terms = " ".join(f"{quoted(term)}:{impact}" for term, impact in entry.impacts.items())
    return (
        entry.id, entry.path, entry.blob, entry.commit, entry.kind, entry.created, terms,
        [f"{level}:{value}" for level, value in entry.prints],
        [relation for relation, _ in entry.links], [target for _, target in entry.links],
        entry.body,
    )  # fmt: skip


def _problem(error: psycopg.Error) -> EnvironmentProblem:
    reason = " ".join(str(error).split()) or type(error).__name__
    return EnvironmentProblem(
        f"the hub's database does not answer: {reason[:300]}", "see: gitmem hub status"
    )
