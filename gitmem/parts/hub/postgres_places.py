"""Which of a hub's databases one is, and how a repository moves from one to another."""

from typing import Final, NamedTuple

from gitmem.errors import EnvironmentProblem
from gitmem.parts.hub.postgres_connections import Connection
from gitmem.parts.hub.protocol import Head


class Place(NamedTuple):
    """Which database of a hub one is.

    Attributes:
        number: counted from 1, in the order of the address.
        databases: how many the hub has; below 0 while records move: as many as it had before.

    """

    number: int
    databases: int

    def __str__(self) -> str:
        """Say it in a message."""
        return f"database {self.number} of {self.databases}"


ALONE: Final = Place(1, 1)
_HEAD: Final = ", ".join(Head._fields)
_OF_ONE: Final = f"SELECT repo, {_HEAD} FROM repository WHERE name = %s"  # noqa: S608  ours
_VALUES: Final = ", ".join(["%s"] * (1 + len(Head._fields)))
_NEW: Final = f"INSERT INTO repository (name, {_HEAD}) VALUES ({_VALUES}) RETURNING repo"  # noqa: S608
_RECORD: Final = "id, path, blob, commit, kind, created, terms, prints, relations, targets, body"


def note(connection: Connection, place: Place) -> None:
    """Write down which database this is, in a transaction of the caller."""
    connection.execute("DELETE FROM place")
    connection.execute("INSERT INTO place VALUES (%s, %s)", place)


def begin_moving(connection: Connection) -> None:
    """Write down that records move from now on, in a transaction of the caller."""
    connection.execute("UPDATE place SET databases = -abs(databases)")


def check(connection: Connection, place: Place) -> None:
    """See that it is the database that it should be.

    Raises:
        EnvironmentProblem: it is another one.

    """
    there = _there(connection)
    if there == place:
        return
    if there.databases < 0:
        raise EnvironmentProblem(
            "the hub's records are being moved between databases",
            "wait for that; if it was stopped: gitmem hub spread",
        )
    what = f"the address names {place} of a hub, and there is {there}"
    if there.number == place.number and there.databases < place.databases:
        raise EnvironmentProblem(what, "to move records to new ones: gitmem hub spread")
    raise EnvironmentProblem(what, "name them all, in the order in which they came to the hub")


def check_growing(connection: Connection, place: Place) -> None:
    """See that records may be moved so that it becomes the database that it should be.

    Raises:
        EnvironmentProblem: it has records of another one, or the hub had more databases.

    """
    there = _there(connection)
    same = there.number == place.number and abs(there.databases) <= place.databases
    if not same and names(connection):
        check(connection, place)


def _there(connection: Connection) -> Place:
    return Place(*connection.execute("SELECT number, databases FROM place").fetchall()[0])


def names(connection: Connection) -> list[str]:
    """Give the repositories of which a database has anything."""
    rows = connection.execute("SELECT name FROM repository UNION SELECT name FROM forgotten")
    return sorted(name for (name,) in rows)


def copy(source: Connection, target: Connection, name: str) -> None:
    """Copy all of a repository to a database that has none of it; the caller counts its terms."""
    for number, *head in source.execute(_OF_ONE, [name]).fetchall():
        ((new,),) = target.execute(_NEW, [name, *head]).fetchall()
        for table, columns in (("record", _RECORD), ("held", "path, blob, why")):
            chosen = f"SELECT {new}, {columns} FROM {table} WHERE repo = {number}"  # noqa: S608  ours
            with (
                source.cursor().copy(f"COPY ({chosen}) TO STDOUT") as rows,
                target.cursor().copy(f"COPY {table} (repo, {columns}) FROM STDIN") as copied,
            ):
                for data in rows:
                    copied.write(data)
    forgotten = source.execute("SELECT name, id FROM forgotten WHERE name = %s", [name]).fetchall()
    target.cursor().executemany(
        "INSERT INTO forgotten VALUES (%s, %s) ON CONFLICT DO NOTHING", forgotten
    )


def end_others(connection: Connection, application: str) -> None:
    """End the other connections of an application, so that they look again where they are."""
    connection.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        " AND datname = current_database() AND usename = current_user AND application_name = %s",
        [application],
    )
