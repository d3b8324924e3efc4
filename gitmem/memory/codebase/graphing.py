"""``gitmem graph``: what imports what, and what records say about each other and about files."""

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from gitmem.errors import NotFoundError, UsageError
from gitmem.learning.graphs import (
    IMPORTS,
    TYPES,
    Edge,
    Graph,
    Vertex,
    around,
    cycles,
    folded,
    reached,
)
from gitmem.learning.profile import imports_of
from gitmem.memory.codebase.profiling import MOST_FILES, SECONDS, look
from gitmem.records.ids import kind_of
from gitmem.store.listing import is_text

if TYPE_CHECKING:
    from gitmem.catalog.catalog import Catalog
    from gitmem.memory.view import View

MEMORY: Final = "memory"
_MANY: Final = 500
_KINDS: Final = ("error", "fix", "decision")
# What to say where a record names a file in several ways: the first of these.
_ROLES: Final = {
    "patch": "changes", "change": "changes", "location": "showed in", "frame": "showed in",
    "governs": "governs", "anchor": "speaks of",
}  # fmt: skip


def imports(memory: "View", path: str, depth: int, *, folders: bool) -> Graph:
    """Give the graph of imports; see ``Memory.graph``."""
    looked = look(memory, most=MOST_FILES, seconds=SECONDS)
    resolved = imports_of(looked.facts, looked.sources.paths, looked.manifests)
    edges = resolved.edges
    keys = {one.path for one in looked.facts} | {key for edge in edges for key in edge[:2]}
    focus = _path(memory, path, keys) if path else ""
    notes = [*looked.notes]
    if folders:
        edges = folded(edges)
        keys = {key for edge in edges for key in edge[:2]}
        focus = f"{focus.rstrip('/').rpartition('/')[0]}/" if focus else ""
    # A cycle of types is none when the program runs.
    found = cycles([one for one in edges if one.kind != TYPES])
    touched = reached(edges, focus, back=True) if focus else {}
    if focus:
        near = around(edges, focus, depth)
        edges = tuple(one for one in edges if one.source in near and one.target in near)
        keys = near
        found = tuple(one for one in found if focus in one)
    linked = {key for edge in edges for key in edge[:2]}
    vertices = [Vertex(key, key, "folder" if key.endswith("/") else "file")
                for key in sorted(keys) if key in linked or key == focus]  # fmt: skip
    order = dict(sorted(touched.items(), key=lambda one: (one[1], one[0])))
    outside = {} if focus else resolved.libraries()
    return Graph(IMPORTS, tuple(vertices), edges, found, focus, order, outside, tuple(notes))


def _path(memory: "View", typed: str, keys: Iterable[str]) -> str:
    path = memory.path(typed)
    known = set(keys)
    for tried in (path, f"{path.rstrip('/')}/"):
        if tried in known:
            return tried
    if os.path.isdir(os.path.join(memory.site.root, path)):
        raise UsageError(
            f"{typed} is a folder", f"its files' graph by folders: --folders {typed}/…"
        )
    hint = "name a source file that git tracks; see: gitmem graph imports"
    raise NotFoundError(f"{typed} is no source file that was read", hint)


def records(memory: "View", start: str, depth: int, limit: int) -> Graph:
    """Give the graph of records and files; see ``Memory.graph``."""
    focus = memory.find(start).id if kind_of(start.lower()) else ""
    path = memory.path(start) if start and not focus else ""

    def ask() -> Graph:
        catalog = memory.derived.opened if focus else memory.derived.catalog(memory.progress)
        gathering = _Gathering(catalog, limit)
        if path and not (is_text(path) and gathering.is_named(path)):
            raise NotFoundError(f"no record speaks of {start}", "name a record, or a file of one")
        if focus or path:
            gathering.spread(focus or path, depth)
        else:
            gathering.newest()
        return gathering.graph(focus or path)

    return memory.derived.mended(ask)


class _Gathering:
    """Gathers vertices and edges around records, so many vertices at most."""

    def __init__(self, catalog: "Catalog", limit: int) -> None:
        self._catalog = catalog
        self._limit = limit
        self._edges: set[Edge] = set()
        self._keys: dict[str, None] = {}
        self._full = False

    def is_named(self, path: str) -> bool:
        """Tell whether a record speaks of a file."""
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

    def graph(self, focus: str) -> Graph:
        """Put together what was gathered."""
        ids = [key for key in self._keys if kind_of(key)]
        said = {
            str(id_): Vertex(str(id_), str(title), str(kind), str(status))
            for id_, kind, title, status in self._asked(
                "SELECT id, kind, title, status FROM all_records WHERE id IN ({})", ids
            )
        }
        vertices = [said.get(key) or Vertex(key, key, "file" if not kind_of(key) else "missing")
                    for key in self._keys]  # fmt: skip
        edges = tuple(sorted(self._edges))
        notes: tuple[str, ...] = ()
        if self._full:
            hint = "begin at a record or a file, or raise --limit"
            notes = (f"there is more than the {self._limit} shown: {hint}",)
        return Graph(MEMORY, tuple(sorted(vertices)), edges, cycles(edges), focus, notes=notes)

    def _links(self, ids: Sequence[str]) -> list[Edge]:
        rows = self._asked("SELECT id, relation, target FROM record_links WHERE id IN ({})", ids)
        rows += self._asked(
            "SELECT id, relation, target FROM record_links WHERE target IN ({})", ids
        )
        return [Edge(str(id_), str(target), str(relation)) for id_, relation, target in rows]

    def _paths_of(self, ids: Sequence[str]) -> list[Edge]:
        return _named(self._asked("SELECT id, role, path FROM record_paths WHERE id IN ({})", ids))

    def _speaking_of(self, paths: Sequence[str]) -> list[Edge]:
        return _named(
            self._asked("SELECT id, role, path FROM record_paths WHERE path IN ({})", paths)
        )

    def _asked(self, sql: str, values: Sequence[str]) -> list[tuple[object, ...]]:
        found: list[tuple[object, ...]] = []
        for at in range(0, len(values), _MANY):
            some = tuple(values[at : at + _MANY])
            found += self._rows(sql.format(", ".join("?" for _ in some)), some)
        return found

    def _rows(self, sql: str, values: tuple[str | float | None, ...]) -> list[tuple[object, ...]]:
        return [tuple(row) for row in self._catalog.ask(sql, values, -1).rows]


def _named(rows: Iterable[tuple[object, ...]]) -> list[Edge]:
    """Give one edge a record and file, by the most telling of the roles; library files are none."""
    roles: dict[tuple[str, str], set[str]] = {}
    for id_, role, path in rows:
        roles.setdefault((str(id_), str(path)), set()).add(str(role))
    return [
        Edge(id_, path, next(said for role, said in _ROLES.items() if role in some))
        for (id_, path), some in roles.items()
        if not path.startswith(("/", "<", "~")) and not some.isdisjoint(_ROLES)
    ]
