"""The catalog's SQLite file: opening, queries, and transactions."""

import errno
import os
import sqlite3
import weakref
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import wraps
from itertools import islice
from typing import Any, Final, Self, TypeVar

from gitmem.catalog import VERSION

_READING: Final = -2_000
_WRITING: Final = -64_000
"""KiB of pages in memory. Where all that is written finds room, none is written twice."""
_RULES: Final = 1000
_MOST_VALUES: Final = 10_000
"""In one question; SQLite takes at least 32,766."""
_STEP: Final = 4
"""How much more values one form of a question has room for than the form before."""
_MOST_KEPT: Final = 100
_MOST_STATEMENTS: Final = 256
"""That are kept as SQLite understands them: reading one anew takes longer than answering it."""
_MOST_EACH: Final = 4_000
"""Answers about single records: each takes a kilobyte or two."""
_Answer = TypeVar("_Answer")
_Of = TypeVar("_Of", bound="Database")
_Key = TypeVar("_Key", int, str)
_Row = TypeVar("_Row")


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
    """Distinguish a damaged file, which is rebuilt, from one that can't be written now."""
    number = _NO_DAMAGE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    return OSError(number, os.strerror(number)) if number else CatalogDamaged(str(error))


def _room_for(count: int) -> int:
    room = 1
    while room < count:
        room *= _STEP
    return min(room, max(_MOST_VALUES, count))


def once_each(
    question: Callable[[_Of, Iterable[_Key]], dict[_Key, _Answer]],
) -> Callable[[_Of, Iterable[_Key]], dict[_Key, _Answer]]:
    """Ask a question about those keys only about which it was not asked since the last change.

    Failures that are looked up one after the other find many of the same records. The answers
    come in the order of the keys; nobody changes them.
    """

    @wraps(question)
    def asked(catalog: _Of, keys: Iterable[_Key]) -> dict[_Key, _Answer]:
        wanted: list[Any] = sorted(set(keys))
        if not wanted or len(wanted) > _MOST_EACH:
            return question(catalog, wanted)
        former: dict[_Key, _Answer | None] = catalog.once(question, dict)
        left = [key for key in wanted if key not in former]
        if len(former) + len(left) > _MOST_EACH:
            former.clear()
            left = wanted
        answers = question(catalog, left) if left else {}
        former.update((key, answers.get(key)) for key in left)
        return {key: answer for key in wanted if (answer := former[key]) is not None}

    return asked


def once_for(
    question: Callable[[_Of, str, str], list[_Row]],
) -> Callable[[_Of, str, str], list[_Row]]:
    """Ask a question about one thing only if it was not asked since the last change.

    A failure is recognised first, and then searched for: that asks the same.
    """

    @wraps(question)
    def asked(catalog: _Of, kind: str, value: str) -> list[_Row]:
        former: dict[tuple[str, str], list[_Row]] = catalog.once(question, dict)
        if (kind, value) not in former:
            if len(former) >= _MOST_EACH:
                former.clear()
            former[kind, value] = question(catalog, kind, value)
        return [*former[kind, value]]

    return asked


class Database:
    """One open catalog. Any damage raises CatalogDamaged."""

    def __init__(self, path: str, rules: int = 0, masks: str = "", patience: float = 10) -> None:
        """Open the catalog at ``path`` (``:memory:`` for one that lives only now).

        Args:
            path: its file.
            rules: version of the rules that what is written into it follows from; a catalog
                of other rules counts as damaged.
            masks: names the rules that the team added; the same holds for them. Hex digits.
            patience: seconds to wait for another process's writing.

        """
        self._version = VERSION * _RULES + rules
        self._masks = masks
        self._answers: dict[Hashable, Any] = {}
        self._answers_of_state = (-1, -1)
        try:
            self._db = sqlite3.connect(
                path,
                isolation_level=None,
                timeout=patience,
                check_same_thread=False,
                cached_statements=_MOST_STATEMENTS,
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
            if self.meta("masks") != self._masks:
                self._db.close()
                raise CatalogDamaged("made with other rules of the team")
            return
        if version or self._db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
            self._db.close()
            message = f"version {version}, not {self._version}"
            raise CatalogDamaged(message)
        from gitmem.catalog.schema import TABLES

        try:
            self._db.executescript(f"BEGIN IMMEDIATE; {TABLES}")
            self.set_meta("masks", self._masks)
            self._db.execute(f"PRAGMA user_version={self._version}")
            self._db.execute("COMMIT")
        except sqlite3.OperationalError:
            # Two processes saw an empty file; the other one was first.
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            if self._db.execute("PRAGMA user_version").fetchone()[0] != self._version:
                raise

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def copy_to(self, path: str) -> None:
        """Write all of it into a new file."""
        try:
            with closing(sqlite3.connect(path)) as copy:
                self._db.backup(copy)
        except _FAULTS as error:
            raise _fault(error) from error

    def in_memory(self) -> Self:
        """Give a copy that lives only now, and can be written whatever becomes of the file."""
        try:
            copy = type(self)(":memory:", self._version % _RULES, self._masks)
            self._db.backup(copy._db)  # noqa: SLF001  of the same class
        except _FAULTS as error:
            raise _fault(error) from error
        return copy

    def _ask(self, sql: str, values: Iterable[Any] = ()) -> list[Any]:
        try:
            return self._db.execute(sql, tuple(values)).fetchall()
        except _FAULTS as error:
            raise _fault(error) from error

    def _first_then_rest(self, sql: str, values: Iterable[Any], count: int) -> Iterator[list[Any]]:
        """Run a query; give its first ``count`` rows as soon as they are there, then all others.

        Both are of one state of the catalog: it is held until the others are asked for, or nobody
        can ask for them any more, also when the catalog was closed before.
        """
        try:
            cursor = self._db.execute(sql, tuple(values))
            first = cursor.fetchmany(count)
        except _FAULTS as error:
            raise _fault(error) from error
        yield first
        try:
            rest = cursor.fetchall()
        except _FAULTS as error:
            raise _fault(error) from error
        yield rest

    def _among(self, sql: str, values: Iterable[Any]) -> list[Any]:
        """Run a query for many values in bounded steps.

        Args:
            sql: ``{}`` is replaced by question marks, of which several may stand for one value.
            values: one that is given twice counts once.

        """
        rows: list[Any] = []
        left = iter(values)
        while batch := list(islice(left, _MOST_VALUES)):
            # A query of few forms is read by SQLite a few times, not once for each count.
            room = _room_for(len(batch))
            batch += batch[-1:] * (room - len(batch))
            rows += self._ask(sql.format(", ".join("?" * room)), batch)
        return rows

    def data_version(self) -> int:
        """Give a number that changes when another connection changes the file."""
        version: int = self._ask("PRAGMA data_version")[0][0]
        return version

    def state(self) -> tuple[int, int]:
        """Give what differs once anything was changed, by this connection or another."""
        return self.data_version(), self._db.total_changes

    def once(self, name: Hashable, question: Callable[[], _Answer]) -> _Answer:
        """Answer a question, unless it was asked since the last change: then as before.

        Args:
            name: of the question; nothing but the catalog and the name may tell the answer.
            question: answers it. Nobody changes what it gave.

        """
        state = self.state()
        if self._answers_of_state != state or len(self._answers) >= _MOST_KEPT:
            self._answers, self._answers_of_state = {}, state
        if name not in self._answers:
            self._answers[name] = question()
        answer: _Answer = self._answers[name]
        return answer

    def meta(self, key: str) -> str:
        """Read a remembered value, or an empty string."""
        rows = self._ask("SELECT value FROM meta WHERE key = ?", [key])
        return rows[0][0] if rows else ""

    def set_meta(self, key: str, value: str) -> None:
        """Remember a value."""
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Make all changes inside the block at once, or none."""
        try:
            self._db.execute(f"PRAGMA cache_size={_WRITING}")
            try:
                yield from self._transaction()
            finally:
                self._db.execute(f"PRAGMA cache_size={_READING}")
        except _FAULTS as error:
            raise _fault(error) from error

    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._before_commit()
        except BaseException:
            self._db.execute("ROLLBACK")
            self._answers = {}  # to questions about what was taken back; no number tells that
            raise
        self._db.execute("COMMIT")

    def _before_commit(self) -> None:
        """Bring what follows from several files in step."""
