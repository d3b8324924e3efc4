"""The catalog's file: opening, writing changes, and the questions that commands ask."""

import errno
import os
import sqlite3
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any, Final, NamedTuple

from gitmem.catalog.conditions import where
from gitmem.catalog.faults import QUESTIONS
from gitmem.catalog.rows import Entry, Row
from gitmem.catalog.schema import TABLES, VERSION
from gitmem.query import Filters
from gitmem.records.problems import Problem

_MOST_VALUES: Final = 10_000  # in one question; SQLite takes at least 32,766
_COLUMNS = ", ".join(Row._fields)
_MEMORY = f"SELECT {_COLUMNS} FROM memory"  # noqa: S608  a constant
SORTS = {
    "created": "created DESC, id",
    "oldest": "created, id",
    "title": "title COLLATE NOCASE, id",
    "kind": "kind, created DESC, id",
    "status": "status, created DESC, id",
    "author": "author COLLATE NOCASE, created DESC, id",
}


class CatalogDamaged(Exception):  # noqa: N818  a state: rebuild and go on
    """The file is not a catalog of this version: rebuild it."""


# A damaged text in the schema can't even be named in an error message.
_FAULTS: Final = (sqlite3.Error, UnicodeDecodeError)
_NO_DAMAGE: Final = {
    sqlite3.SQLITE_BUSY: errno.EBUSY,
    sqlite3.SQLITE_LOCKED: errno.EBUSY,
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_READONLY: errno.EROFS,
}


def _fault(error: Exception) -> CatalogDamaged | OSError:
    """Tell a file that must be made anew from a machine that only can't be written to now."""
    number = _NO_DAMAGE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    return OSError(number, os.strerror(number)) if number else CatalogDamaged(str(error))


class FileState(NamedTuple):
    """What is known of one file: its number, its stamp, when it was read, and what was in it."""

    file: int
    stamp: tuple[int, int, int, int]
    read_ns: int
    digest: bytes


class Change(NamedTuple):
    """A file to write into the catalog: its state and what was read from it."""

    path: str
    stamp: tuple[int, int, int, int]
    read_ns: int
    digest: bytes
    entry: Entry | None
    problems: list[Problem]


class Catalog:
    """One open catalog. Any damage raises CatalogDamaged."""

    def __init__(self, path: str, rules: int = 0) -> None:
        """Open the catalog at ``path`` (``:memory:`` for one that lives only now).

        Args:
            path: its file.
            rules: version of the rules that what is written into it follows from; a catalog
                of other rules counts as damaged.

        """
        self._version = VERSION * 1000 + rules
        try:
            self._db = sqlite3.connect(
                path, isolation_level=None, timeout=10, check_same_thread=False
            )
            # Closed with the catalog, whoever forgets it: Python 3.13 complains otherwise.
            weakref.finalize(self, self._db.close)
            self._prepare(path)
        except _FAULTS as error:
            raise _fault(error) from error

    def _prepare(self, path: str) -> None:
        if path != ":memory:":
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version == self._version:
            return
        if version or self._db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
            self._db.close()
            message = f"version {version}, not {self._version}"
            raise CatalogDamaged(message)
        try:
            self._db.executescript(
                f"BEGIN IMMEDIATE; {TABLES} PRAGMA user_version={self._version}; COMMIT;"
            )
        except sqlite3.OperationalError:
            # Two processes saw an empty file; the other one was first.
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            if self._db.execute("PRAGMA user_version").fetchone()[0] != self._version:
                raise

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _ask(self, sql: str, values: Iterable[Any] = ()) -> list[Any]:
        try:
            return self._db.execute(sql, tuple(values)).fetchall()
        except _FAULTS as error:
            raise _fault(error) from error

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Make all changes inside the block at once, or none."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._group()
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")
        except _FAULTS as error:
            raise _fault(error) from error

    # What sync asks and writes

    def meta(self, key: str) -> str:
        """Read a remembered value, or an empty string."""
        rows = self._ask("SELECT value FROM meta WHERE key = ?", [key])
        return rows[0][0] if rows else ""

    def set_meta(self, key: str, value: str) -> None:
        """Remember a value."""
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def states(self) -> dict[str, FileState]:
        """Give the state of every known file, by path."""
        sql = "SELECT path, file, size, mtime_ns, ctime_ns, inode, read_ns, digest FROM files"
        return {r[0]: FileState(r[1], (r[2], r[3], r[4], r[5]), r[6], r[7]) for r in self._ask(sql)}

    def restamp(self, file: int, stamp: tuple[int, int, int, int], read_ns: int) -> None:
        """Note that a file was compared by content and is the same."""
        sql = "UPDATE files SET size=?, mtime_ns=?, ctime_ns=?, inode=?, read_ns=? WHERE file=?"
        self._db.execute(sql, (*stamp, read_ns, file))

    def remove(self, file: int) -> None:
        """Forget a file and everything read from it."""
        ids = self._ids(file)
        self._clear(file)
        self._db.execute("DELETE FROM files WHERE file = ?", (file,))
        self._settle(ids)

    def put(self, change: Change) -> int:
        """Write one file's state and content; give its number."""
        rows = self._ask("SELECT file FROM files WHERE path = ?", [change.path])
        touched: set[str] = set()
        if rows:
            file: int = rows[0][0]
            touched = self._ids(file)
            self._clear(file)
            self.restamp(file, change.stamp, change.read_ns)
            self._db.execute("UPDATE files SET digest = ? WHERE file = ?", (change.digest, file))
        else:
            sql = (
                "INSERT INTO files (path, size, mtime_ns, ctime_ns, inode, read_ns, digest)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)"
            )
            values = (change.path, *change.stamp, change.read_ns, change.digest)
            file = self._db.execute(sql, values).lastrowid or 0
        if change.entry:
            self._put_entry(file, change.entry)
            touched.add(change.entry.columns[0])
        self._db.executemany(
            "INSERT INTO problems VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (file, p.line, p.column, p.field, p.code, p.message, p.hint, p.severity)
                for p in change.problems
            ],
        )
        self._settle(touched)
        return file

    def _put_entry(self, file: int, entry: Entry) -> None:
        marks = ", ".join("?" * len(entry.columns))
        self._db.execute(f"INSERT INTO records VALUES (?, {marks}, 0)", (file, *entry.columns))  # noqa: S608
        many = self._db.executemany
        if entry.links:
            many("INSERT INTO links VALUES (?, ?, ?)", [(file, *link) for link in entry.links])
        if entry.tags:
            many("INSERT INTO tags VALUES (?, ?)", [(file, tag) for tag in entry.tags])
        if entry.paths:
            many("INSERT INTO paths VALUES (?, ?, ?)", [(file, *path) for path in entry.paths])
        if entry.prints:
            many("INSERT INTO prints VALUES (?, ?, ?)", [(file, *one) for one in entry.prints])
        if entry.attachments:
            many("INSERT INTO attachments VALUES (?, ?)", [(file, a) for a in entry.attachments])

    def _ids(self, file: int) -> set[str]:
        return {row[0] for row in self._ask("SELECT id FROM records WHERE file = ?", [file])}

    def _clear(self, file: int) -> None:
        for table in ("records", "links", "tags", "paths", "problems", "attachments", "prints"):
            self._db.execute(f"DELETE FROM {table} WHERE file = ?", (file,))  # noqa: S608

    def _group(self) -> None:
        """Connect the errors that are said to be the same; the oldest of each group leads."""
        sql = (
            "SELECT r.id, l.target FROM links l JOIN records r ON r.file = l.file"
            " JOIN records t ON t.id = l.target WHERE l.relation = 'duplicates'"
            " AND r.kind = 'error' AND t.kind = 'error' AND NOT r.shadowed AND NOT t.shadowed"
        )
        same: dict[str, set[str]] = {}
        for one, other in self._ask(sql):
            joined = same.get(one, {one}) | same.get(other, {other})
            same.update(dict.fromkeys(joined, joined))
        self._db.execute("DELETE FROM alike")
        created = "SELECT created FROM records WHERE id = ? AND NOT shadowed"
        leaders: dict[int, str] = {}
        for _, one in sorted((self._ask(created, [one])[0][0], one) for one in same):
            leader = leaders.setdefault(id(same[one]), one)
            self._db.execute("INSERT INTO alike VALUES (?, ?)", (one, leader))

    def _settle(self, ids: Iterable[str]) -> None:
        """Of several files with one id, the first path speaks; the others are shadowed."""
        for record_id in ids:
            sql = (
                "SELECT r.file FROM records r JOIN files f ON f.file = r.file"
                " WHERE r.id = ? ORDER BY f.path"
            )
            for place, (file,) in enumerate(self._ask(sql, [record_id])):
                self._db.execute(
                    "UPDATE records SET shadowed = ? WHERE file = ?", (place > 0, file)
                )

    def index_backlog(self) -> tuple[dict[int, str], list[int]]:
        """Give what the index must still take in (number -> path), and the numbers it must drop."""
        new = self._ask(
            "SELECT f.file, f.path FROM files f JOIN records r ON r.file = f.file"
            " LEFT JOIN indexed i ON i.file = f.file WHERE i.digest IS NOT f.digest ORDER BY f.file"
        )
        gone = self._ask("SELECT file FROM indexed WHERE file NOT IN (SELECT file FROM records)")
        return dict(new), [row[0] for row in gone]

    def set_indexed(self, upserts: Iterable[int], deletes: Iterable[int], generation: str) -> None:
        """Note what the index holds since its ``generation``."""
        many = self._db.executemany
        sql = "INSERT OR REPLACE INTO indexed SELECT file, digest FROM files WHERE file = ?"
        many(sql, [(file,) for file in upserts])
        many("DELETE FROM indexed WHERE file = ?", [(file,) for file in deletes])
        self.set_meta("index_generation", generation)

    def clear_indexed(self) -> None:
        """Note that the index is empty."""
        self._db.execute("DELETE FROM indexed")

    # What commands ask

    def rows(
        self, filters: Filters, sort: str = "created", limit: int = -1, offset: int = 0
    ) -> list[Row]:
        """List records that meet the filters."""
        condition, values = where(filters)
        sql = f"{_MEMORY} WHERE {condition} ORDER BY {SORTS[sort]} LIMIT ? OFFSET ?"
        return [Row(*row) for row in self._ask(sql, [*values, limit, offset])]

    def count(self, filters: Filters) -> int:
        """Count records that meet the filters."""
        condition, values = where(filters)
        counted: int = self._ask(f"SELECT count(*) FROM memory WHERE {condition}", values)[0][0]  # noqa: S608
        return counted

    def files_matching(self, filters: Filters) -> set[int]:
        """Give the file numbers of the records that meet the filters."""
        condition, values = where(filters)
        return {row[0] for row in self._ask(f"SELECT file FROM memory WHERE {condition}", values)}  # noqa: S608

    def by_file(self, files: Iterable[int]) -> dict[int, Row]:
        """Look up rows by file number; unknown and shadowed ones are left out."""
        found: dict[int, Row] = {}
        left = iter(files)
        while wanted := tuple(islice(left, _MOST_VALUES)):
            marks = ", ".join("?" * len(wanted))
            rows = self._ask(f"{_MEMORY} WHERE file IN ({marks})", wanted)
            found.update((row[0], Row(*row)) for row in rows)
        return found

    def by_prefix(self, prefix: str, limit: int = 20, kind: str | None = None) -> list[Row]:
        """Look up records whose id, or its part after the dash, starts with ``prefix``."""
        column = "id" if "-" in prefix else "substr(id, instr(id, '-') + 1)"
        wanted = f"{column} >= ? AND {column} < ? AND kind = coalesce(?, kind)"
        sql = f"{_MEMORY} WHERE {wanted} ORDER BY id LIMIT ?"
        found = self._ask(sql, [prefix, prefix + "\x7f", kind, limit])
        return [Row(*row) for row in found]

    def path_of(self, file: int) -> str:
        """Give the path of a file number, or an empty string."""
        rows = self._ask("SELECT path FROM files WHERE file = ?", [file])
        return rows[0][0] if rows else ""

    def record_paths(self) -> dict[int, str]:
        """Give number and path of every file that holds a record."""
        return dict(
            self._ask("SELECT f.file, f.path FROM files f JOIN records r ON r.file = f.file")
        )

    def links_from(self, file: int) -> list[tuple[str, str]]:
        """Give (relation, target id) of a record's links."""
        return self._ask("SELECT relation, target FROM links WHERE file = ? ORDER BY 1, 2", [file])

    def errors_with(self, level: str, value: str) -> list[Row]:
        """Give the errors that have a fingerprint, oldest first."""
        wanted = "(SELECT file FROM prints WHERE value = ? AND level = ?)"
        sql = f"{_MEMORY} WHERE file IN {wanted} ORDER BY created, id"
        return [Row(*row) for row in self._ask(sql, [value, level])]

    def linked_from(self, file: int, relation: str) -> list[Row]:
        """Give the rows of the records that a record links to in one way."""
        wanted = "(SELECT target FROM links WHERE file = ? AND relation = ?)"
        sql = f"{_MEMORY} WHERE id IN {wanted} ORDER BY id"
        return [Row(*row) for row in self._ask(sql, [file, relation])]

    def linking_to(self, record_id: str) -> list[tuple[str, Row]]:
        """Give (relation, row) of the records that link to ``record_id``, oldest first."""
        sql = (
            f"SELECT l.relation, {_COLUMNS.replace('file', 'm.file', 1)} FROM links l"  # noqa: S608
            " JOIN memory m ON m.file = l.file WHERE l.target = ? ORDER BY m.created, m.id"
        )
        return [(row[0], Row(*row[1:])) for row in self._ask(sql, [record_id])]

    def counts(self) -> list[tuple[str, str, int]]:
        """Count records by kind and status."""
        return self._ask("SELECT kind, status, count(*) FROM memory GROUP BY 1, 2 ORDER BY 1, 2")

    def dump(self) -> dict[str, list[Any]]:
        """Give everything that follows from the files, in a fixed order, to be compared."""
        by_path = {
            table: self._ask(
                f"SELECT f.path, t.* FROM {table} t JOIN files f ON f.file = t.file"  # noqa: S608
            )
            for table in ("records", "links", "tags", "paths", "problems", "attachments", "prints")
        }
        return {name: sorted((r[0], *r[2:]) for r in rows) for name, rows in by_path.items()} | {
            "files": self._ask("SELECT path, digest FROM files ORDER BY path"),
            "status": self._ask("SELECT id, status FROM memory ORDER BY id"),
        }

    def problems(self) -> list[Problem]:
        """Everything that is wrong: in single files, and between them."""
        sql = (
            "SELECT f.path, p.code, p.message, p.hint, p.line, p.col, p.field, p.severity"
            " FROM problems p JOIN files f ON f.file = p.file"
        )
        found = [Problem(*row) for row in self._ask(sql)]
        for question in QUESTIONS:
            for path, code, field, message, hint, severity in self._ask(question):
                found.append(Problem(path, code, message, hint, 0, 0, field, severity))
        return sorted(found)

    def attachments(self) -> list[tuple[str, str]]:
        """Give (path of the record, name of the attachment)."""
        sql = (
            "SELECT f.path, a.name FROM attachments a JOIN files f ON f.file = a.file ORDER BY 1, 2"
        )
        return self._ask(sql)
