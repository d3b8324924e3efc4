"""The catalog's queries, as commands use them."""

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from gitmem.catalog.conditions import AHEAD, where, without_future
from gitmem.catalog.database import CatalogDamaged, once_each, once_for
from gitmem.catalog.later_records import recorded_again, superseded
from gitmem.catalog.rows import Row, grouped
from gitmem.catalog.upkeep import TABLES, CatalogChange, FileState, Upkeep
from gitmem.query import Filters

if TYPE_CHECKING:
    from gitmem.catalog.followed import FollowedFailures
    from gitmem.catalog.lessons import Lessons
    from gitmem.catalog.sql_query import QueryResult
    from gitmem.catalog.stats_refresh import Follow
    from gitmem.records.problems import Problem

_COLUMNS = ", ".join(Row._fields[: Row._fields.index("feedback")])
_MEMORY = f"SELECT {_COLUMNS} FROM memory"  # noqa: S608  a constant
SORTS = {
    "created": "created DESC, id",
    "oldest": "created, id",
    "title": "title COLLATE NOCASE, id",
    "kind": "kind, created DESC, id",
    "status": "status, created DESC, id",
    "author": "author COLLATE NOCASE, created DESC, id",
}

_NEAR = 256
_PAGE = 250
"""Rows that are read and judged together."""

__all__ = ["SORTS", "Catalog", "CatalogChange", "CatalogDamaged", "FileState"]


def _last(into: dict[str, str], start: str) -> str:
    """Follow what was merged into what to its end, or once round a circle."""
    at, passed = start, {start}
    while (further := into.get(at)) and further not in passed:
        passed.add(further)
        at = further
    return at


class Catalog(Upkeep):
    """One open catalog. Any damage raises CatalogDamaged."""

    # What commands ask

    def rows(
        self, filters: Filters, sort: str = "created", limit: int = -1, offset: int = 0
    ) -> list[Row]:
        """List records that meet the filters."""
        pages = self.pages(filters, sort, limit, offset)
        return [row for page in pages for row in page]

    def pages(
        self, filters: Filters, sort: str = "created", limit: int = -1, offset: int = 0
    ) -> Iterator[list[Row]]:
        """List records that meet the filters, in pages of one state of the catalog.

        The first page is read alone, so that it is there at once. All others are read together
        after it: a caller who takes his time does not hold that state for others.
        """
        condition, values = where(filters)
        order = without_future(SORTS[sort]) if self._ask(AHEAD)[0][0] else SORTS[sort]
        sql = f"{_MEMORY} WHERE {condition} ORDER BY {order} LIMIT ? OFFSET ?"
        tuples = self._first_then_rest(sql, [*values, limit, offset], _PAGE)
        for rows in tuples:
            for start in range(0, len(rows), _PAGE):
                yield [Row(*row) for row in rows[start : start + _PAGE]]

    def count(self, filters: Filters) -> int:
        """Count records that meet the filters."""
        condition, values = where(filters)
        return int(self._ask(f"SELECT count(*) FROM memory WHERE {condition}", values)[0][0])  # noqa: S608  names of ours

    def size(self) -> int:
        """Count all records, also those that another one with the same id hides."""
        return self.once("size", lambda: int(self._ask("SELECT count(*) FROM records")[0][0]))

    def files_matching(self, filters: Filters) -> set[int]:
        """Give the file numbers of the records that meet the filters. Nobody changes the set."""
        if filters.kinds and filters == Filters(kinds=filters.kinds):
            # Of kinds there are few, and contexts ask for the same ones again and again.
            return self.once(("of kinds", filters.kinds), lambda: self._of_kinds(filters.kinds))
        condition, values = where(filters)
        return {row[0] for row in self._ask(f"SELECT file FROM memory WHERE {condition}", values)}  # noqa: S608  names of ours

    def _of_kinds(self, kinds: Collection[str]) -> set[int]:
        """Give the file numbers of the records of some kinds, from the index of kinds alone."""
        sql = "SELECT file FROM records WHERE kind IN ({}) AND NOT shadowed"
        return {row[0] for row in self._among(sql, (kind.lower() for kind in kinds))}

    def with_rule(self, languages: Iterable[str]) -> dict[int, Row]:
        """Give the fixes that are kept as a rule for one of some languages, by file number."""
        sql = "SELECT file FROM traits WHERE role = 'guard' AND value IN ({})"
        return self.by_file([row[0] for row in self._among(sql, languages)])

    @once_each
    def by_file(self, files: Iterable[int]) -> dict[int, Row]:
        """Look up rows by file number; unknown and shadowed ones are left out."""
        return {row[0]: Row(*row) for row in self._among(f"{_MEMORY} WHERE file IN ({{}})", files)}

    def by_prefix(self, prefix: str, limit: int = 20, kind: str | None = None) -> list[Row]:
        """Look up records whose id, or its part after the dash, starts with ``prefix``."""
        column = "id" if "-" in prefix else "substr(id, instr(id, '-') + 1)"
        wanted = f"{column} >= ? AND {column} < ? AND kind = coalesce(?, kind)"
        sql = f"{_MEMORY} WHERE {wanted} ORDER BY id LIMIT ?"
        return [Row(*row) for row in self._ask(sql, [prefix, prefix + "\x7f", kind, limit])]

    @once_each
    def by_id(self, ids: Iterable[str]) -> dict[str, Row]:
        """Look up rows by their whole ids; unknown ones are left out."""
        return {row[1]: Row(*row) for row in self._among(f"{_MEMORY} WHERE id IN ({{}})", ids)}

    def same_as(self, ids: Iterable[str]) -> set[str]:
        """Give the errors that are merged with any of these, and these themselves."""
        wanted = set(ids)
        sql = "SELECT b.id FROM alike a JOIN alike b ON b.leader = a.leader WHERE a.id IN ({})"
        return wanted | {row[0] for row in self._among(sql, sorted(wanted))}

    def digests(self) -> dict[str, bytes]:
        """Give the digest of every file's content, by path."""
        return dict(self._ask("SELECT path, digest FROM files"))

    def path_of(self, file: int) -> str:
        """Give the path of a file number, or an empty string."""
        rows = self._ask("SELECT path FROM files WHERE file = ?", [file])
        return rows[0][0] if rows else ""

    def paths_near(self, file: int) -> dict[int, str]:
        """Give the path of a file number and those of others about it: cheaper than one by one."""
        start = file - file % _NEAR
        ends = [start, start + _NEAR]
        return dict(self._ask("SELECT file, path FROM files WHERE file >= ? AND file < ?", ends))

    def folders(self) -> set[str]:
        """Name the folders that files lie in."""
        # SQLite alone would take eight times as long.
        return {path.rpartition("/")[0] for (path,) in self._ask("SELECT path FROM files")}

    def record_paths(self) -> dict[int, str]:
        """Give number and path of every file that holds a record."""
        return dict(
            self._ask("SELECT f.file, f.path FROM files f JOIN records r ON r.file = f.file")
        )

    def reused(self, fixes: Iterable[str]) -> dict[str, int]:
        """Give for each fix how often it was applied again and helped, less how often it did not.

        Fixes that nobody applied again are left out.
        """
        sql = (
            "SELECT l.target, sum(CASE m.verdict WHEN 'worked' THEN 1 WHEN 'failed' THEN -1 ELSE 0"
            " END) FROM links l JOIN memory m ON m.file = l.file"
            " WHERE l.relation = 'reuses' AND l.target IN ({}) GROUP BY l.target"
        )
        return dict(self._among(sql, fixes))

    def links_from(self, file: int) -> list[tuple[str, str]]:
        """Give (relation, target id) of a record's links."""
        return self._ask("SELECT relation, target FROM links WHERE file = ? ORDER BY 1, 2", [file])

    @once_for
    def errors_with(self, level: str, value: str) -> list[Row]:
        """Give the errors with a fingerprint (``site 2``: of another case), oldest first."""
        wanted = "(SELECT file FROM prints WHERE value = ? AND (level = ? OR level GLOB ?))"
        sql = f"{_MEMORY} WHERE file IN {wanted} ORDER BY created, id"
        rows = [Row(*row) for row in self._ask(sql, [value, level, f"{level} *"])]
        merged = self.merged_into({row.id for row in rows} if rows else ())
        if not merged:
            return rows
        there = {row.id for row in rows}
        others = self.by_id(stays for stays in merged.values() if stays not in there)
        rows = [others.get(merged.get(row.id, ""), row) for row in rows]
        return list({row.id: row for row in rows}.values())

    def errors_of_tests(self, names: Collection[str], error_type: str | None = None) -> list[Row]:
        """Give the errors of a type, or of any, that one of some tests showed, oldest first."""
        marks = ", ".join("?" * len(names))
        tested = "SELECT 1 FROM traits t WHERE t.file = memory.file AND t.role = 'test'"
        # Where there is a type, its index is the shorter way; SQLite takes that of kinds unless
        # the plus keeps it from that.
        typed = "+kind = 'error' AND error_type <> ''" if error_type else "kind = 'error'"
        of_type = "" if error_type is None else " AND error_type = ?"
        sql = (
            f"{_MEMORY} WHERE {typed}{of_type}"
            f" AND EXISTS ({tested} AND t.value IN ({marks})) ORDER BY created, id"
        )
        return [
            Row(*row)
            for row in self._ask(sql, [*([] if error_type is None else [error_type]), *names])
        ]

    def merged_into(self, ids: Collection[str]) -> dict[str, str]:
        """Give for each error that was merged into another the id of that one.

        Args:
            ids: of records.

        """
        sql = (
            "SELECT l.target, r.id FROM links l JOIN records r ON r.file = l.file"
            # The plus keeps SQLite from walking all errors.
            " WHERE l.relation = 'supersedes' AND +r.kind = 'error' AND NOT r.shadowed"
            " AND l.target IN ({})"
        )
        into: dict[str, str] = {}
        followed: set[str] = set()
        while wanted := (set(into.values()) | set(ids)) - followed:
            into |= dict(self._among(sql, sorted(wanted)))
            followed |= wanted
        return {gone: _last(into, gone) for gone in into if gone in ids}

    def followed(self, errors: Iterable[str]) -> "FollowedFailures":
        """Give all records of the failures that errors belong to; see ``catalog.followed``."""
        from gitmem.catalog.followed import followed

        return followed(self._among, errors)

    def attempts_on(self, errors: Iterable[str]) -> dict[str, list[Row]]:
        """Give the fix attempts on the failure of each error, whichever record of it they name."""
        from gitmem.catalog.followed import attempts_on

        return attempts_on(self.followed(errors), self.by_file)

    def recorded_again(self, fixes: Iterable[str]) -> set[str]:
        """Give those of some fixes whose error was recorded after them; see ``later_records``."""
        return recorded_again(self._among, fixes)

    def superseded(self, fixes: Iterable[str]) -> set[str]:
        """Give those of some fixes that another one replaces, which worked."""
        return superseded(self._among, fixes)

    def fixed_prints(self, fixes: Iterable[str]) -> dict[str, list[dict[str, str]]]:
        """Give for fixes the fingerprints of the errors that they name, by level."""
        from gitmem.catalog.fixed_prints import fixed_prints  # noqa: PLC0415  start-up

        return fixed_prints(self._among, fixes)

    @once_each
    def paths_of(self, files: Iterable[int]) -> dict[int, list[tuple[str, str]]]:
        """Give (role, path) of the code that records speak of, by file number."""
        sql = "SELECT file, role, path FROM paths WHERE file IN ({})"
        return grouped(self._among(sql, files), lambda role, path: (role, path))

    def speaking_of(self, path: str, kind: str | None = None) -> list[int]:
        """Give the file numbers of records that name a path; see ``catalog.mentioned``."""
        from gitmem.catalog.mentioned import speaking_of

        return speaking_of(self._ask, self.once, path, kind)

    def naming(self, role: str) -> list[Row]:
        """Give the records that name code in one role, such as ``anchor``, newest first."""
        sql = f"{_MEMORY} WHERE file IN (SELECT file FROM paths WHERE role = ?)"  # noqa: S608  names of ours
        return [Row(*row) for row in self._ask(f"{sql} ORDER BY created DESC, id DESC", [role])]

    def written_in(self, session: str) -> list[Row]:
        """Give the records that were written in a session, by its whole id, oldest first."""
        sql = f"{_MEMORY} WHERE session = ? ORDER BY {SORTS['oldest']}"
        return [Row(*row) for row in self._ask(sql, [session])]

    @once_each
    def branches_of(self, files: Iterable[int]) -> dict[int, list[str]]:
        """Give the branches of the sessions in which records were written, by file number."""
        sql = (
            "SELECT file, branch FROM (SELECT r.file AS file, p.path AS branch FROM records r"
            " JOIN records s ON s.id = r.session JOIN paths p ON p.file = s.file"
            " WHERE p.role = 'branch') WHERE file IN ({})"
        )
        return grouped(self._among(sql, files), str)

    def paths_in(self, role: str, limit: int) -> list[str]:
        """Give paths that have a role, such as ``anchor``, those of the newest records first."""
        sql = "SELECT DISTINCT path FROM paths WHERE role = ? ORDER BY file DESC LIMIT ?"
        return [row[0] for row in self._ask(sql, [role, limit])]

    def patched_paths(self, limit: int) -> list[str]:
        """Give names of files that fixes change; an index of these alone is read."""
        sql = "SELECT DISTINCT path FROM paths WHERE role = 'patch' LIMIT ?"
        return [row[0] for row in self._ask(sql, [limit])]

    @once_each
    def fixed_by(self, files: Iterable[int]) -> dict[int, list[Row]]:
        """Give what each of some fixes is said to fix, by the number of its file."""
        # Each error once: its status depends on all of its fixes, which may be thousands.
        sql = "SELECT file, target FROM links WHERE relation = 'fixes' AND file IN ({})"
        links = sorted(self._among(sql, files), key=lambda link: link[1])
        rows = self.by_id({target for _, target in links})
        return grouped(((file, rows[to]) for file, to in links if to in rows), lambda row: row)

    def linking_to(self, record_id: str) -> list[tuple[str, Row]]:
        """Give (relation, row) of the records that link to ``record_id``, oldest first."""
        sql = (
            f"SELECT l.relation, {_COLUMNS.replace('file', 'm.file', 1)} FROM ("  # noqa: S608  names of ours
            "SELECT file, relation FROM links WHERE target = ?"
            # What fixes an error that was merged into this one fixes this one. Without the
            # plus, SQLite would go through all errors.
            " UNION SELECT l.file, l.relation FROM records r"
            " JOIN links k ON k.file = r.file AND k.relation = 'supersedes'"
            " JOIN links l ON l.target = k.target AND l.relation = 'fixes'"
            " WHERE r.id = ? AND +r.kind = 'error'"
            ") l JOIN memory m ON m.file = l.file ORDER BY m.created, m.id"
        )
        return [(row[0], Row(*row[1:])) for row in self._ask(sql, [record_id, record_id])]

    @once_each
    def fixes_of(self, errors: Iterable[str]) -> dict[str, dict[str, Row]]:
        """Give the fix attempts of errors by their ids, oldest first, as ``linking_to`` would."""
        sql = (
            f"SELECT w.error, {_COLUMNS.replace('file', 'm.file', 1)} FROM ("  # noqa: S608  names of ours
            "WITH wanted AS MATERIALIZED (SELECT DISTINCT id FROM records WHERE id IN ({}))"
            " SELECT wanted.id AS error, l.file FROM wanted CROSS JOIN links l"
            " ON l.target = wanted.id AND l.relation = 'fixes'"
            " UNION SELECT r.id, l.file FROM wanted CROSS JOIN records r ON r.id = wanted.id"
            " JOIN links k ON k.file = r.file AND k.relation = 'supersedes'"
            " JOIN links l ON l.target = k.target AND l.relation = 'fixes' WHERE +r.kind = 'error'"
            ") w JOIN memory m ON m.file = w.file WHERE +m.kind = 'fix' ORDER BY m.created, m.id"
        )
        fixes: dict[str, dict[str, Row]] = {}
        for error, *row in self._among(sql, errors):
            fixes.setdefault(error, {})[row[1]] = Row(*row)
        return fixes

    def paths_linking_to(self, ids: Iterable[str]) -> set[str]:
        """Give the paths of the files that link to any of these records."""
        sql = "SELECT path FROM links l JOIN files f ON f.file = l.file WHERE l.target IN ({})"
        return {row[0] for row in self._among(sql, ids)}

    def paths_holding(self, ids: Iterable[str]) -> set[str]:
        """Give the paths of the files that hold these records."""
        sql = "SELECT path FROM records JOIN files ON files.file = records.file WHERE id IN ({})"
        return {row[0] for row in self._among(sql, ids)}

    def counts(self) -> list[tuple[str, str, str, int]]:
        """Count records by kind, status and verdict."""
        return self._ask("SELECT kind, status, verdict, count(*) FROM memory GROUP BY 1, 2, 3")

    def ask(self, sql: str, values: Iterable[Any], limit: int) -> "QueryResult":
        """Answer a SELECT that somebody typed; see ``catalog.asking``."""
        from gitmem.catalog.sql_query import ask

        return ask(self._db, sql, tuple(values), limit)

    def views(self) -> "QueryResult":
        """List the views that ``ask`` may read, with their columns."""
        from gitmem.catalog.sql_query import QueryResult
        from gitmem.catalog.views import NAMES

        sql = "SELECT group_concat(name, ' ') FROM pragma_table_info(?)"
        rows = [(name, self._ask(sql, [name])[0][0]) for name in NAMES]
        return QueryResult(("view", "columns"), rows, more=False)

    def refresh_stats(self, follow: "Follow") -> None:
        """Bring what statistics count in step with the records; ``follow`` follows one failure.

        Raises:
            OSError: the catalog can't be written now.

        """
        from gitmem.catalog.stats_refresh import StatsRefresh

        with self.writing():
            StatsRefresh(self._ask, self._db.executemany).refresh(follow)

    def stats_outdated(self) -> bool:
        """Tell whether something changed since ``refresh_stats``."""
        return bool(self._ask("SELECT 1 FROM unsettled LIMIT 1"))

    def lessons(self) -> "Lessons":
        """Give the questions that statistics ask; ``refresh_stats`` what changed before."""
        from gitmem.catalog.lessons import Lessons

        return Lessons(self._ask, self.once)

    def dump(self) -> dict[str, list[Any]]:
        """Give everything that follows from the files, in a fixed order, to be compared."""
        by_path = {
            table: self._ask(
                f"SELECT f.path, t.* FROM {table} t JOIN files f ON f.file = t.file"  # noqa: S608  names of ours
            )
            for table in TABLES
        }
        return {name: sorted((r[0], *r[2:]) for r in rows) for name, rows in by_path.items()} | {
            "files": self._ask("SELECT path, digest FROM files ORDER BY path"),
            "status": self._ask("SELECT id, status FROM memory ORDER BY id"),
        }

    def holds_secrets(self, path: str) -> bool:
        """Tell whether a file holds what looks like a secret: what it says is not to be shown."""
        sql = (
            "SELECT 1 FROM problems p JOIN files f ON f.file = p.file"
            " WHERE f.path = ? AND p.code = 'secret' LIMIT 1"
        )
        return bool(self._ask(sql, (path,)))

    def problems(self) -> "list[Problem]":
        """Everything that is wrong: in single files, and between them."""
        from gitmem.catalog.faults import between
        from gitmem.records.problems import Problem  # noqa: PLC0415  start-up

        sql = (
            "SELECT f.path, p.code, p.message, p.hint, p.line, p.col, p.field, p.severity"
            " FROM problems p JOIN files f ON f.file = p.file"
        )
        problems = [Problem(*row) for row in self._ask(sql)]
        return sorted([*problems, *between(self._ask)])

    def tags(self, start: str = "", limit: int = -1) -> list[tuple[str, int]]:
        """Give the tags that start so and how many records have each, the most used first."""
        sql = (
            "SELECT tag, count(*) FROM tags WHERE tag >= ? AND tag < ?"
            " GROUP BY tag ORDER BY 2 DESC, 1 LIMIT ?"
        )
        return self._ask(sql, [start, start + "\U0010ffff", limit])

    def attachments(self) -> list[tuple[str, str]]:
        """Give (path of the record, name of the attachment)."""
        sql = "SELECT f.path, a.name FROM attachments a JOIN files f USING (file) ORDER BY 1, 2"
        return self._ask(sql)
