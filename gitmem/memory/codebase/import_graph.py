"""The graph of imports between files."""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from gitmem.errors import NotFoundError, UsageError
from gitmem.learning.graphs import IMPORTS, TYPES, Graph, Vertex, around, cycles, folded, reached
from gitmem.learning.profile import imports_of
from gitmem.memory.codebase.code_profile import MOST_FILES, SECONDS, look

if TYPE_CHECKING:
    from gitmem.memory.core.workspace import Workspace


def import_graph(
    workspace: "Workspace", path: str, depth: int, *, folders: bool, seconds: float = SECONDS
) -> Graph:
    """Give the graph of imports; see ``memory.code.graph``."""
    looked = look(workspace, most=MOST_FILES, seconds=seconds)
    resolved = imports_of(looked.facts, looked.sources.paths, looked.manifests)
    edges = resolved.edges
    keys = {file.path for file in looked.facts} | {key for edge in edges for key in edge[:2]}
    focus = _path(workspace, path, keys) if path else ""
    notes = [*looked.notes]
    if folders:
        edges = folded(edges)
        keys = {key for edge in edges for key in edge[:2]}
        focus = f"{focus.rstrip('/').rpartition('/')[0]}/" if focus else ""
    # A cycle of types is none when the program runs.
    circles = cycles([edge for edge in edges if edge.kind != TYPES])
    touched = reached(edges, focus, back=True) if focus else {}
    if focus:
        near = around(edges, focus, depth)
        edges = tuple(edge for edge in edges if edge.source in near and edge.target in near)
        keys = near
        circles = tuple(circle for circle in circles if focus in circle)
    linked = {key for edge in edges for key in edge[:2]}
    vertices = [
        Vertex(key, key, "folder" if key.endswith("/") else "file")
        for key in sorted(keys)
        if key in linked or key == focus
    ]
    order = dict(sorted(touched.items(), key=lambda item: (item[1], item[0])))
    outside = {} if focus else resolved.libraries()
    return Graph(IMPORTS, tuple(vertices), edges, circles, focus, order, outside, tuple(notes))


def _path(workspace: "Workspace", typed: str, keys: Iterable[str]) -> str:
    path = workspace.path(typed)
    vertices = set(keys)
    for name in (path, f"{path.rstrip('/')}/"):
        if name in vertices:
            return name
    if os.path.isdir(os.path.join(workspace.site.root, path)):
        raise UsageError(
            f"{typed} is a folder", f"its files' graph by folders: --folders {typed}/…"
        )
    hint = "name a source file in git; see: gitmem code graph imports"
    raise NotFoundError(f"{typed} is not one of the source files read", hint)
