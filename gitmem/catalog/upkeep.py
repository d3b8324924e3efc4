"""What sync asks of the catalog and writes into it."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final, NamedTuple

from gitmem.catalog.embedded import Embedded
from gitmem.catalog.rows import Entry
from gitmem.records.problems import Problem

MOST_VALUES: Final = 10_000
"""In one question; SQLite takes at least 32,766."""
_BEHIND: Final = "index_behind"
_INSERT_FILE: Final = (
    "INSERT INTO files (file, path, size, mtime_ns, ctime_ns, inode, read_ns, digest)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
_INSERT_PROBLEM: Final = "INSERT INTO problems VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


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


def _problem(file: int, found: Problem) -> tuple[int | str, ...]:
    return (
        file, found.line, found.column, found.field, found.code, found.message, found.hint,
        found.severity,
    )  # fmt: skip


class Upkeep(Embedded):
    """The side of the catalog that follows the files."""

    _alike_changed = False

    def states(self) -> dict[str, FileState]:
        """Give the state of every known file, by path."""
        return self._states("")

    def states_of(self, paths: Iterable[str]) -> dict[str, FileState]:
        """Give the states of some files; unknown ones are left out."""
        found: dict[str, FileState] = {}
        left = iter(paths)
        while wanted := tuple(islice(left, MOST_VALUES)):
            found |= self._states(f"WHERE path IN ({', '.join('?' * len(wanted))})", wanted)
        return found

    def states_in(self, folder: str) -> dict[str, FileState]:
        """Give the states of the files right inside a folder."""
        start = f"{folder}/"
        # The slash is followed by the zero: every path below lies between.
        found = self._states("WHERE path > ? AND path < ?", (start, f"{folder}0"))
        return {path: state for path, state in found.items() if "/" not in path[len(start) :]}

    def states_after(self, number: int) -> dict[str, FileState]:
        """Give the states of the files that have a higher number."""
        return self._states("WHERE file > ?", (number,))

    def _states(self, where: str, values: Iterable[str | int] = ()) -> dict[str, FileState]:
        sql = f"SELECT path, file, size, mtime_ns, ctime_ns, inode, read_ns, digest FROM files {where}"  # noqa: E501, S608
        rows = self._ask(sql, values)
        return {row[0]: FileState(row[1], row[2:6], row[6], row[7]) for row in rows}

    def last(self) -> int:
        """Give the highest number that a file ever had."""
        rows = self._ask("SELECT seq FROM sqlite_sequence WHERE name = 'files'")
        return rows[0][0] if rows else 0

    def version(self) -> int:
        """Give a number that is another one as soon as somebody else wrote."""
        number: int = self._ask("PRAGMA data_version")[0][0]
        return number

    def note(self, key: str, value: str, version: int) -> None:
        """Remember what spares work later, unless others wrote since ``version``, or write now.

        Where nothing can be written, nothing is noted.
        """
        try:
            self._db.execute("PRAGMA busy_timeout=0")
            with self.writing():
                if self.version() == version:
                    self.set_meta(key, value)
        except OSError:
            return
        finally:
            self._db.execute("PRAGMA busy_timeout=10000")

    def restamp(self, file: int, stamp: tuple[int, int, int, int], read_ns: int) -> None:
        """Note that a file was compared by content and is the same."""
        sql = "UPDATE files SET size=?, mtime_ns=?, ctime_ns=?, inode=?, read_ns=? WHERE file=?"
        self._db.execute(sql, (*stamp, read_ns, file))

    def remove(self, file: int) -> None:
        """Forget a file and everything read from it."""
        ids = self._ids(file)
        self._clear(file)
        self._db.execute("DELETE FROM files WHERE file = ?", (file,))
        self._db.execute("DELETE FROM embedded WHERE file = ?", (file,))
        self._settle(ids)

    def put(self, change: Change, number: int | None = None) -> int:
        """Write one file's state and content; give its number.

        Args:
            change: what was read.
            number: the number that a new file gets, one that was never used; None: the next.

        """
        rows = self._ask("SELECT file FROM files WHERE path = ?", [change.path])
        touched: set[str] = set()
        if rows:
            file: int = rows[0][0]
            touched = self._ids(file)
            self._clear(file)
            self.restamp(file, change.stamp, change.read_ns)
            self._db.execute("UPDATE files SET digest = ? WHERE file = ?", (change.digest, file))
        else:
            values = (number, change.path, *change.stamp, change.read_ns, change.digest)
            file = self._db.execute(_INSERT_FILE, values).lastrowid or 0
        if change.entry:
            self._put_entry(file, change.entry)
            touched.add(change.entry.columns[0])
        self._db.executemany(_INSERT_PROBLEM, [_problem(file, p) for p in change.problems])
        self._settle(touched)
        return file

    def put_new(self, changes: Sequence[tuple[int, Change]]) -> None:
        """Write files that the catalog does not know, a statement a table instead of a row.

        Args:
            changes: a number that was never used, and what was read; each path once.

        """
        many = self._db.executemany
        rows = [(file, c.path, *c.stamp, c.read_ns, c.digest) for file, c in changes]
        many(_INSERT_FILE, rows)
        many(_INSERT_PROBLEM, [_problem(file, p) for file, c in changes for p in c.problems])
        made = [(file, c.entry) for file, c in changes if c.entry]
        if not made:
            return
        marks = ", ".join("?" * len(made[0][1].columns))
        records = [(file, *entry.columns) for file, entry in made]
        many(f"INSERT INTO records VALUES (?, {marks}, 0)", records)  # noqa: S608
        links = [(file, *link) for file, entry in made for link in entry.links]
        many("INSERT INTO links VALUES (?, ?, ?)", links)
        tags = [(file, tag) for file, entry in made for tag in entry.tags]
        many("INSERT INTO tags VALUES (?, ?)", tags)
        paths = [(file, *path) for file, entry in made for path in entry.paths]
        many("INSERT INTO paths VALUES (?, ?, ?)", paths)
        prints = [(file, *one) for file, entry in made for one in entry.prints]
        many("INSERT INTO prints VALUES (?, ?, ?)", prints)
        attached = [(file, name) for file, entry in made for name in entry.attachments]
        many("INSERT INTO attachments VALUES (?, ?)", attached)
        self._settle(self._unsettled([entry.columns[0] for _, entry in made]))
        self._alike_changed |= any(relation == "duplicates" for _, relation, _ in links)

    def _unsettled(self, ids: Sequence[str]) -> list[str]:
        """Give those of new records' ids that other files have, too, or that are duplicated."""
        marks = ", ".join("?" * len(ids))
        sql = (
            f"SELECT id FROM records WHERE id IN ({marks}) GROUP BY id HAVING count(*) > 1"  # noqa: S608
            f" UNION SELECT target FROM links WHERE target IN ({marks})"
            " AND relation = 'duplicates'"
        )
        return [row[0] for row in self._ask(sql, [*ids, *ids])]

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
        self._alike_changed = self._alike_changed or self._any_duplicates("file = ?", file)
        for table in ("records", "links", "tags", "paths", "problems", "attachments", "prints"):
            self._db.execute(f"DELETE FROM {table} WHERE file = ?", (file,))  # noqa: S608

    def _any_duplicates(self, where: str, value: int | str) -> bool:
        sql = f"SELECT 1 FROM links WHERE {where} AND relation = 'duplicates' LIMIT 1"  # noqa: S608
        return bool(self._ask(sql, [value]))

    def _before_commit(self) -> None:
        if self._alike_changed:
            self._group()
            self._alike_changed = False

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
                "SELECT r.file, r.shadowed FROM records r JOIN files f ON f.file = r.file"
                " WHERE r.id = ? ORDER BY f.path"
            )
            for place, (file, shadowed) in enumerate(self._ask(sql, [record_id])):
                if shadowed != (place > 0):
                    self._db.execute(
                        "UPDATE records SET shadowed = ? WHERE file = ?", (place > 0, file)
                    )
                self._alike_changed = self._alike_changed or self._any_duplicates("file = ?", file)
            self._alike_changed = self._alike_changed or self._any_duplicates(
                "target = ?", record_id
            )

    def index_in_step(self, generation: str) -> bool:
        """Tell whether an index of this generation holds what the catalog knows."""
        return self.meta("index_generation") == generation and not self.meta(_BEHIND)

    def fall_behind(self) -> None:
        """Note that the catalog takes in something that the index does not."""
        self.set_meta(_BEHIND, "1")

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

    def catch_up_index(self) -> None:
        """Note that the backlog was taken in."""
        self.set_meta(_BEHIND, "")

    def clear_indexed(self) -> None:
        """Note that the index is empty."""
        self._db.execute("DELETE FROM indexed")
        self.set_meta("index_generation", "")
        self.fall_behind()
