"""What sync reads from the catalog and writes into it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from gitmem.catalog.conditions import CLAIMED
from gitmem.catalog.vector_rows import Embedded

if TYPE_CHECKING:
    from gitmem.catalog.entries import CatalogEntry
    from gitmem.records.problems import Problem

_BEHIND: Final = "index_behind"
_INSERT_FILE: Final = (
    "INSERT INTO files (file, path, size, mtime_ns, ctime_ns, inode, read_ns, digest)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
TWINS: Final = "twins"
"""What the order of files with one id follows from; nothing where no two have the same."""
_UNSETTLE: Final = "INSERT OR IGNORE INTO unsettled VALUES (?)"
_STATES: Final = "SELECT path, file, size, mtime_ns, ctime_ns, inode, read_ns, digest FROM files"
_SITES_OF_ERRORS: Final = "SELECT value FROM prints WHERE level = 'site' AND file IN ({})"
_SITES_OF_FIXES: Final = """
SELECT p.value FROM links k JOIN records e ON e.id = k.target
JOIN prints p ON p.file = e.file AND p.level = 'site'
WHERE k.relation = 'fixes' AND k.file IN ({})
"""
_FIXED_SITES: Final = f"""
INSERT INTO fixed_sites
SELECT p.value, max(x.created),
    max(CASE WHEN coalesce({CLAIMED.format(fix="x")}, 0) THEN '' ELSE x.created END)
FROM prints p CROSS JOIN records e ON e.file = p.file
CROSS JOIN links k ON k.target = e.id AND k.relation = 'fixes'
CROSS JOIN records x ON x.file = k.file
WHERE p.level = 'site' AND p.value IN ({{}}) AND NOT e.shadowed
AND x.kind = 'fix' AND x.stated = 'worked' AND NOT x.shadowed
GROUP BY p.value
"""  # noqa: S608  constants
_SHARED: Final = (
    "SELECT id FROM records WHERE id IN ({}) GROUP BY id HAVING count(*) > 1 OR shadowed"
)
_TWINS: Final = """
SELECT r.id, f.path, r.file, r.shadowed FROM records r JOIN files f ON f.file = r.file
WHERE r.id IN ({})
"""
_LAST: Final = 1 << 60
Values = tuple[Any, ...]
TABLES: Final = (
    "records", "links", "tags", "paths", "problems", "attachments", "prints", "efforts", "traits",
)  # fmt: skip
"""What is read from files; each row starts with the file's number."""


class FirstCome(Protocol):
    """Tells which of several files came first."""

    def tip(self) -> str:
        """Give what that follows from; empty: nobody knows."""

    def places(self, paths: Collection[str]) -> Mapping[str, int]:
        """Give a number for each file of which it is known, smaller for what came sooner."""


class FileState(NamedTuple):
    """What is known of one file: its number, its stamp, when it was read, and what was in it."""

    file: int
    stamp: tuple[int, int, int, int]
    read_ns: int
    digest: bytes


class CatalogChange(NamedTuple):
    """A file to write into the catalog: its state and what was read from it."""

    path: str
    stamp: tuple[int, int, int, int]
    read_ns: int
    digest: bytes
    entry: "CatalogEntry | None"
    problems: "list[Problem]"


def _by_path(rows: list[Values]) -> dict[str, FileState]:
    return {row[0]: FileState(row[1], row[2:6], row[6], row[7]) for row in rows}


def _by_file(rows: Iterable[Values]) -> dict[int, list[Values]]:
    rows_by_file: dict[int, list[Values]] = {}
    for row in rows:
        rows_by_file.setdefault(row[0], []).append(row)
    return rows_by_file


def _tables(changes: Iterable[tuple[int, CatalogChange]]) -> dict[str, list[Values]]:
    """Give the rows of each table that follow from what was read."""
    tables: dict[str, list[Values]] = {table: [] for table in TABLES}
    for file, change in changes:
        tables["problems"] += (
            (file, p.line, p.column, p.field, p.code, p.message, p.hint, p.severity)
            for p in change.problems
        )
        if entry := change.entry:
            tables["records"].append((file, *entry.columns, 0))
            tables["links"] += ((file, *link) for link in entry.links)
            tables["tags"] += ((file, tag) for tag in entry.tags)
            tables["paths"] += ((file, *path) for path in entry.paths)
            tables["prints"] += ((file, *fingerprint) for fingerprint in entry.prints)
            tables["efforts"] += ((file, *effort) for effort in entry.efforts)
            tables["traits"] += ((file, *trait) for trait in entry.traits)
            tables["attachments"] += ((file, name) for name in entry.attachments)
    return tables


class Upkeep(Embedded):
    """The side of the catalog that follows the files."""

    first_come: FirstCome | None = None
    """Tells which of several files with one id came first; None: the first path did."""
    _alike_changed = False
    _sites_changed: frozenset[str] = frozenset()

    def states(self) -> dict[str, FileState]:
        """Give the state of every known file, by path."""
        return _by_path(self._ask(_STATES))

    def states_of(self, paths: Iterable[str]) -> dict[str, FileState]:
        """Give the states of some files; unknown ones are left out."""
        return _by_path(self._among(f"{_STATES} WHERE path IN ({{}})", paths))

    def states_in(self, folder: str) -> dict[str, FileState]:
        """Give the states of the files right inside a folder."""
        start = f"{folder}/"
        # The slash is followed by the zero: every path below lies between.
        states = _by_path(
            self._ask(f"{_STATES} WHERE path > ? AND path < ?", (start, f"{folder}0"))
        )
        return {path: state for path, state in states.items() if "/" not in path[len(start) :]}

    def states_after(self, number: int) -> dict[str, FileState]:
        """Give the states of the files that have a higher number."""
        return _by_path(self._ask(f"{_STATES} WHERE file > ?", (number,)))

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

    def restamp(self, changes: Iterable[tuple[int, CatalogChange]]) -> None:
        """Note that files, by their numbers, were compared by content and are the same."""
        sql = "UPDATE files SET size=?, mtime_ns=?, ctime_ns=?, inode=?, read_ns=? WHERE file=?"
        self._db.executemany(sql, [(*c.stamp, c.read_ns, file) for file, c in changes])

    def remove(self, files: Collection[int]) -> None:
        """Forget files and everything read from them."""
        self._touch_sites(files)
        ids = self._clear(files)
        for table in ("files", "embedded"):
            self._among(f"DELETE FROM {table} WHERE file IN ({{}})", files)  # noqa: S608  names of ours
        self._unsettle(files)
        self._settle(ids)

    def put(self, changes: Sequence[tuple[int, CatalogChange]]) -> None:
        """Write files' states and contents: a statement a table, and no row that is there.

        Most edits leave links, paths and fingerprints as they are.

        Args:
            changes: each file's number, for a new file one that was never used, and what was
                read; each file once.

        """
        many = self._db.executemany
        numbers = [file for file, _ in changes]
        rows = self._among("SELECT file FROM files WHERE file IN ({})", numbers)
        existing = {row[0] for row in rows}
        again = [(file, change) for file, change in changes if file in existing]
        self.restamp(again)
        many("UPDATE files SET digest = ? WHERE file = ?", [(c.digest, file) for file, c in again])
        new = [(file, change) for file, change in changes if file not in existing]
        many(_INSERT_FILE, [(n, c.path, *c.stamp, c.read_ns, c.digest) for n, c in new])
        self._touch_sites(existing)
        tables = _tables(changes).items()
        written = {table: self._replace(table, rows, existing) for table, rows in tables}
        files, ids = written["records"]
        _, relations = written["links"]
        self._alike_changed = (
            self._alike_changed or "duplicates" in relations or self._duplicates(files)
        )
        self._touch_sites(numbers)
        self._unsettle(numbers)
        self._settle(ids)

    def _replace(
        self, table: str, put_rows: Iterable[Values], existing: Collection[int]
    ) -> tuple[set[int], set[str]]:
        """Write the rows of files, but for those of known files that have the very same.

        Returns:
            The files whose rows were written or removed, and what the first column of those
            rows holds.

        """
        old = _by_file(self._among(f"SELECT * FROM {table} WHERE file IN ({{}})", existing))  # noqa: S608  names of ours
        new = _by_file(put_rows)
        stale = {
            file for file in existing if sorted(old.get(file, ())) != sorted(new.get(file, ()))
        }
        self._among(f"DELETE FROM {table} WHERE file IN ({{}})", stale)  # noqa: S608  names of ours
        files = stale | (new.keys() - existing)
        rows = [row for file in sorted(files) for row in new.get(file, ())]
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            self._db.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608  names of ours
        gone = (row for file in stale for row in old.get(file, ()))
        return files, {row[1] for row in (*rows, *gone)}

    def _clear(self, files: Collection[int]) -> set[str]:
        """Forget what was read from files; give the ids of the records in them."""
        ids = {row[0] for row in self._among("SELECT id FROM records WHERE file IN ({})", files)}
        self._alike_changed = self._alike_changed or self._duplicates(files)
        for table in TABLES:
            self._among(f"DELETE FROM {table} WHERE file IN ({{}})", files)  # noqa: S608  names of ours
        return ids

    def _unsettle(self, files: Iterable[int]) -> None:
        """Note for statistics that what files hold, or whether it counts, is another."""
        self._db.executemany(_UNSETTLE, [(file,) for file in files])

    def _duplicates(self, files: Iterable[int]) -> bool:
        """Tell whether one of these files says that its error is a duplicate."""
        sql = "SELECT 1 FROM links WHERE relation = 'duplicates' AND file IN ({}) LIMIT 1"
        return bool(self._among(sql, files))

    def _before_commit(self) -> None:
        if self._alike_changed:
            self._group()
            self._alike_changed = False
        if self._sites_changed:
            self._note_fixed_sites()
            self._sites_changed = frozenset()
        if self._ask("SELECT 1 FROM alike LIMIT 1") or self._ask("SELECT 1 FROM groups LIMIT 1"):
            from gitmem.catalog.schema import NOTE_GROUPS

            for sql in NOTE_GROUPS:
                self._db.execute(sql)

    def _touch_sites(self, files: Collection[int]) -> None:
        """Note the failures that the errors in files are of, and those that fixes in them fix."""
        sites = [*self._among(_SITES_OF_ERRORS, files), *self._among(_SITES_OF_FIXES, files)]
        self._sites_changed |= {site for (site,) in sites}

    def _note_fixed_sites(self) -> None:
        sites = sorted(self._sites_changed)
        self._among("DELETE FROM fixed_sites WHERE site IN ({})", sites)
        self._among(_FIXED_SITES, sites)

    def _group(self) -> None:
        """Group errors that are marked as the same; the oldest of each group leads."""
        sql = (
            "SELECT r.id, l.target FROM links l JOIN records r ON r.file = l.file"
            " JOIN records t ON t.id = l.target WHERE l.relation = 'duplicates'"
            " AND +r.kind = 'error' AND +t.kind = 'error' AND NOT r.shadowed AND NOT t.shadowed"
        )
        above: dict[str, str] = {}

        def top(error: str) -> str:
            above.setdefault(error, error)
            while above[error] != error:
                above[error] = error = above[above[error]]
            return error

        for error, other in self._ask(sql):
            above[top(error)] = top(other)
        created = dict(
            self._among(
                "SELECT id, created FROM records WHERE id IN ({}) AND NOT shadowed", sorted(above)
            )
        )
        self._db.execute("DELETE FROM alike")
        leaders: dict[str, str] = {}
        members = sorted(above, key=lambda error: (created[error], error))
        rows = [(error, leaders.setdefault(top(error), error)) for error in members]
        self._db.executemany("INSERT INTO alike VALUES (?, ?)", rows)

    def _settle(self, ids: Collection[str]) -> None:
        """Of several files with one id, the one that came first speaks; others are shadowed."""
        target = "SELECT 1 FROM links WHERE relation = 'duplicates' AND target IN ({}) LIMIT 1"
        self._alike_changed = self._alike_changed or bool(self._among(target, ids))
        shared = [row[0] for row in self._among(_SHARED, ids)]
        twins: dict[str, list[Values]] = {record: [] for record in shared}
        for record, *twin in self._among(_TWINS, shared):
            twins[record].append((*twin,))
        paths = [path for of_one in twins.values() for path, _, _ in of_one]
        places = self.first_come.places(paths) if self.first_come and paths else {}
        for of_one in twins.values():
            of_one.sort(key=lambda twin: (places.get(twin[0], _LAST), twin[0]))
            for position, (_, file, shadowed) in enumerate(of_one):
                if shadowed != (position > 0):
                    self._db.execute(
                        "UPDATE records SET shadowed = ? WHERE file = ?", (position > 0, file)
                    )
                    self._unsettle([file])
                    self._touch_sites([file])
                self._alike_changed = self._alike_changed or self._duplicates([file])
        if shared:
            left = self._ask("SELECT 1 FROM records WHERE shadowed LIMIT 1")
            self.set_meta(TWINS, self._tip() if left else "")

    def _tip(self) -> str:
        return (self.first_come.tip() if self.first_come else "") or "none"

    def twins_moved(self) -> bool:
        """Tell whether files with one id were put in order at another commit than is here now."""
        at = self.meta(TWINS)
        return bool(at) and at != self._tip()

    def keep_twins_in_order(self) -> None:
        """Put files with one id in order once more, where another commit came meanwhile."""
        if self.twins_moved():
            with self.writing():
                self._settle([row[0] for row in self._ask("SELECT id FROM records WHERE shadowed")])

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
