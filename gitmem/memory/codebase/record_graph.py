"""The graph of links between records, and from records to files."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from gitmem.errors import NotFoundError
from gitmem.learning.graphs import Edge, Graph, Vertex, cycles
from gitmem.records.layout import kind_of
from gitmem.store.listing import is_text

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.memory.core.derived_state import Snapshot
    from gitmem.memory.reading.reader import Reader

MEMORY: Final = "memory"
PERSON: Final = "person"
_MANY: Final = 500
_KINDS: Final = ("error", "fix", "decision")
# What to say where a record names a file in several ways: the first of these.
_ROLES: Final = {
    "patch": "changes", "change": "changes", "location": "showed in", "frame": "showed in",
    "governs": "governs", "anchor": "is about",
}  # fmt: skip


def record_graph(
    reader: "Reader", start: str, depth: int, limit: int, *, people: bool = False
) -> Graph:
    """Give the graph of records and files; see ``memory.code.graph``."""
    focus = reader.find(start).id if kind_of(start.lower()) else ""
    path = reader.workspace.path(start) if start and not focus else ""

    def question(now: "Snapshot") -> Graph:
        gathering = _Gathering(now.catalog, limit)
        if path and not (is_text(path) and gathering.is_named(path)):
            raise NotFoundError(f"no record is about {start}", "name a record, or a file of one")
        if focus or path:
            gathering.spread(focus or path, depth)
        else:
            gathering.newest()
        return gathering.graph(focus or path, people=people)

    return reader.workspace.ask(question)


class _Gathering:
    """Gathers vertices and edges around records, so many vertices at most."""

    def __init__(self, catalog: "Catalog", limit: int) -> None:
        self._catalog = catalog
        self._limit = limit
        self._edges: set[Edge] = set()
        self._keys: dict[str, None] = {}
        self._full = False

    def is_named(self, path: str) -> bool:
        """Tell whether a record is about a file."""
        return bool(self._rows("SELECT 1 FROM record_paths WHERE path = ? LIMIT 1", (path,)))

    def newest(self) -> None:
        """Take the newest errors, fixes and decisions, and the files they speak of."""
        marks = ", ".join("?" for _ in _KINDS)
        rows = self._rows(
            f"SELECT id FROM all_records WHERE kind IN ({marks})"  # noqa: S608  only marks
            " ORDER BY created DESC, id LIMIT ?",
            (*_KINDS, self._limit + 1),
        )
        ids = [str(id_) for (id_,) in rows]
        self._full = len(ids) > self._limit
        for id_ in ids[: self._limit]:
            self._keys[id_] = None
        for edge in self._links(ids):
            if edge.source in self._keys and edge.target in self._keys:
                self._edges.add(edge)
        self._add(self._paths_of(ids))

    def spread(self, start: str, depth: int) -> None:
        """Go so many steps from a record or a file, along links and the files named."""
        self._keys[start] = None
        wave = [start]
        for _ in range(depth):
            before = set(self._keys)
            ids = [key for key in wave if kind_of(key)]
            paths = [key for key in wave if not kind_of(key)]
            self._add(self._links(ids))
            self._add(self._paths_of(ids))
            self._add(self._speaking_of(paths))
            wave = [key for key in self._keys if key not in before]
            if not wave:
                return

    def _add(self, edges: Iterable[Edge]) -> None:
        for edge in sorted(edges):
            new = [key for key in edge[:2] if key not in self._keys]
            if len(self._keys) + len(new) > self._limit:
                self._full = True
                continue
            self._edges.add(edge)
            self._keys |= dict.fromkeys(new)

    def graph(self, focus: str, *, people: bool) -> Graph:
        """Put together what was gathered; with who wrote the records, if that is wanted."""
        ids = [key for key in self._keys if kind_of(key)]
        rows = self._rows_of(
            "SELECT id, kind, title, status, author FROM all_records WHERE id IN ({})", ids
        )
        records = {
            str(id_): Vertex(str(id_), str(title), str(kind), str(status))
            for id_, kind, title, status, _ in rows
        }
        vertices = [
            records.get(key) or Vertex(key, key, "file" if not kind_of(key) else "missing")
            for key in self._keys
        ]
        if people:
            wrote = {str(id_): str(author) for id_, *_, author in rows}
            vertices += [Vertex(f"{PERSON}:{name}", name, PERSON) for name in set(wrote.values())]
            self._edges |= {Edge(id_, f"{PERSON}:{name}", "by") for id_, name in wrote.items()}
        edges = tuple(sorted(self._edges))
        notes: tuple[str, ...] = ()
        if self._full:
            hint = "start at a record or a file, or ask for a higher limit"
            notes = (f"there is more than the {self._limit} shown: {hint}",)
        return Graph(MEMORY, tuple(sorted(vertices)), edges, cycles(edges), focus, notes=notes)

    def _links(self, ids: Sequence[str]) -> list[Edge]:
        rows = self._rows_of("SELECT id, relation, target FROM record_links WHERE id IN ({})", ids)
        rows += self._rows_of(
            "SELECT id, relation, target FROM record_links WHERE target IN ({})", ids
        )
        return [Edge(str(id_), str(target), str(relation)) for id_, relation, target in rows]

    def _paths_of(self, ids: Sequence[str]) -> list[Edge]:
        return _named(
            self._rows_of("SELECT id, role, path FROM record_paths WHERE id IN ({})", ids)
        )

    def _speaking_of(self, paths: Sequence[str]) -> list[Edge]:
        return _named(
            self._rows_of("SELECT id, role, path FROM record_paths WHERE path IN ({})", paths)
        )

    def _rows_of(self, sql: str, values: Sequence[str]) -> list[tuple[object, ...]]:
        rows: list[tuple[object, ...]] = []
        for at in range(0, len(values), _MANY):
            batch = tuple(values[at : at + _MANY])
            rows += self._rows(sql.format(", ".join("?" for _ in batch)), batch)
        return rows

    def _rows(self, sql: str, values: tuple[str | float | None, ...]) -> list[tuple[object, ...]]:
        return [tuple(row) for row in self._catalog.ask(sql, values, -1).rows]


def _named(rows: Iterable[tuple[object, ...]]) -> list[Edge]:
    """Give one edge a record and file, by the most telling of the roles; library files are none."""
    roles: dict[tuple[str, str], set[str]] = {}
    for id_, role, path in rows:
        roles.setdefault((str(id_), str(path)), set()).add(str(role))
    return [
        Edge(id_, path, next(text for role, text in _ROLES.items() if role in roles_of_link))
        for (id_, path), roles_of_link in roles.items()
        if not path.startswith(("/", "<", "~")) and not roles_of_link.isdisjoint(_ROLES)
    ]
