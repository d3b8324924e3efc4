"""Connections of a hub to its PostgreSQL: lent to questions, asked again, one to a step of writing.

Several servers (``host=a,b``) are libpq's business: questions go to the primary, or to a standby
while there is none.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeVar

import psycopg

from gitmem.errors import EnvironmentProblem

SCHEMA: Final = "gitmem_hub"
APPLICATION: Final = "gitmem hub"
"""How the server knows these connections."""
_LOCK: Final = 0x6769746D
"""Names the one lock of writers in a database."""
_PATIENCE: Final = 10.0
"""Seconds in which a question is asked again after a server went away."""
_PAUSE: Final = 0.05
_SETTINGS: Final = (
    f"SET search_path = {SCHEMA}",
    # The planner knows nothing of terms in a parameter, and would read every record.
    "SET enable_seqscan = off",
    "SET jit = off",
    # A question takes less than it takes to start a second process for it.
    "SET max_parallel_workers_per_gather = 0",
)
Connection = psycopg.Connection[Any]
_T = TypeVar("_T")


class _Local(threading.local):
    """The connection of the step that this thread is writing, if it is."""

    writer: Connection | None = None


class Connections:
    """Connections to one database. Threads may share one of these.

    Args:
        address: of the database, as libpq takes it.

    Attributes:
        check: called with each new connection, and with that of each step of writing once it has
            the lock; None: nothing is checked.

    """

    def __init__(self, address: str) -> None:
        self.check: Callable[[Connection], None] | None = None
        self._address = address
        self._local = _Local()
        self._idle: list[Connection] = []

    def _connect(self, target: str) -> Connection:
        # No prepared statements: a pooler in between could not keep them.
        connection = psycopg.connect(
            self._address, autocommit=True, prepare_threshold=None,
            target_session_attrs=target, connect_timeout=2, application_name=APPLICATION,
        )  # fmt: skip
        try:
            for setting in _SETTINGS:
                connection.execute(setting)
            if self.check:
                self.check(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def _reader(self) -> Iterator[Connection]:
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

    def ask(self, ask: Callable[[Connection], _T]) -> _T:
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

    def rows(self, question: str, values: Any = None) -> list[tuple[Any, ...]]:  # noqa: ANN401
        """Give the rows that a statement gives."""
        return self.ask(lambda connection: connection.execute(question, values).fetchall())

    def write(self, statement: str, values: Any = None) -> "psycopg.Cursor[Any]":  # noqa: ANN401
        """Do a statement of the step that this thread is writing."""
        return self.step.execute(statement, values)

    @property
    def is_writing(self) -> bool:
        """Whether this thread is in a step of writing."""
        return self._local.writer is not None

    @property
    def step(self) -> Connection:
        """The connection of the step that this thread is writing."""
        writer = self._local.writer
        if writer is None:
            raise RuntimeError("records are changed inside of writing() only")
        return writer

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
                    if self.check:  # others may have moved records while this one waited
                        self.check(connection)
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


def _problem(error: psycopg.Error) -> EnvironmentProblem:
    reason = " ".join(str(error).split()) or type(error).__name__
    return EnvironmentProblem(
        f"the hub's database does not answer: {reason[:300]}", "see: gitmem hub status"
    )
