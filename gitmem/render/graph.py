"""Graphs as text, Mermaid, DOT and plain data. Labels are data: nothing in them is markup."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from gitmem.learning.graphs import IMPORTS, TYPES
from gitmem.plurals import counted
from gitmem.render.text import cut, one_line, table

if TYPE_CHECKING:
    from gitmem.learning.graphs import Graph, Vertex
    from gitmem.render.text import Painter

_IMPORTING: Final = (IMPORTS, TYPES)
_LONGEST: Final = 80
_MOST: Final = 15
_MOST_EDGES: Final = 500
"""Mermaid refuses to draw more, unless a page raises its ``maxEdges``."""
# Everything else could be an end of the label, an entity, a directive or Markdown to Mermaid; and
# what stands behind a colon it takes for a colour where "style" is before it.
_PLAIN: Final = re.compile(r"[^\w .,/()\-]")
_SHAPES: Final = {
    "error": ('{{"', '"}}'), "fix": ('("', '")'), "decision": ('>"', '"]'),
    "session": ('(["', '"])'), "pattern": ('[["', '"]]'),
}  # fmt: skip
_DOT_SHAPES: Final = {
    "error": "hexagon", "fix": "oval", "decision": "house", "session": "ellipse",
    "pattern": "component", "note": "note", "folder": "folder",
}  # fmt: skip


def mermaid(graph: "Graph") -> Iterator[str]:
    """Write a flowchart for Mermaid."""
    yield "flowchart LR"
    names = _names(graph)
    for vertex in graph.vertices:
        opens, closes = _SHAPES.get(vertex.kind, ('["', '"]'))
        yield f"  {names[vertex.key]}{opens}{_in_mermaid(_label(vertex))}{closes}"
    for edge in graph.edges:
        edge_label = "" if edge.kind in _IMPORTING else f'|"{_in_mermaid(edge.kind)}"|'
        arrow = "-.->" if edge.kind == TYPES else "-->"
        yield f"  {names[edge.source]} {arrow}{edge_label} {names[edge.target]}"
    circle = {key for cycle in graph.cycles for key in cycle}
    marked = [names[key] for key in names if key in circle]
    if marked:
        yield "  classDef cycle stroke:#d33,stroke-width:3px"
        yield f"  class {','.join(marked)} cycle"
    if graph.focus in names:
        yield f"  style {names[graph.focus]} stroke-width:4px"


def _in_mermaid(text: str) -> str:
    return _PLAIN.sub(lambda match: f"#{ord(match[0])};", text)


def dot(graph: "Graph") -> Iterator[str]:
    """Write a digraph for Graphviz."""
    yield "digraph gitmem {"
    yield "  rankdir=LR;"
    yield "  node [shape=box];"
    names = _names(graph)
    circle = {key for cycle in graph.cycles for key in cycle}
    for vertex in graph.vertices:
        more = f", shape={_DOT_SHAPES[vertex.kind]}" if vertex.kind in _DOT_SHAPES else ""
        more += ", color=red" if vertex.key in circle else ""
        more += ", penwidth=3" if vertex.key == graph.focus else ""
        yield f"  {names[vertex.key]} [label={_in_dot(_label(vertex))}{more}];"
    for edge in graph.edges:
        attributes = "" if edge.kind in _IMPORTING else f" [label={_in_dot(edge.kind)}]"
        attributes = " [style=dashed]" if edge.kind == TYPES else attributes
        yield f"  {names[edge.source]} -> {names[edge.target]}{attributes};"
    yield "}"


def _in_dot(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _names(graph: "Graph") -> dict[str, str]:
    return {vertex.key: f"n{number}" for number, vertex in enumerate(graph.vertices)}


def _label(vertex: "Vertex") -> str:
    if vertex.kind in ("file", "folder"):
        return cut(one_line(vertex.label), _LONGEST)
    state = f" ({one_line(vertex.state)})" if vertex.state else ""
    return f"{one_line(vertex.key)}{state}: {cut(one_line(vertex.label), _LONGEST)}"


def as_data(graph: "Graph") -> dict[str, Any]:
    """Give a graph as plain data; vertices and edges are identified by their keys."""
    return {
        "which": graph.which,
        "focus": graph.focus or None,
        "vertices": [vertex._asdict() for vertex in graph.vertices],
        "edges": [edge._asdict() for edge in graph.edges],
        "cycles": [list(cycle) for cycle in graph.cycles],
        "reached": dict(graph.reached),
        "outside": dict(graph.outside),
        "notes": list(graph.notes),
    }


def plain(graph: "Graph", painter: "Painter") -> Iterator[str]:
    """Sum a graph up for a terminal; with a focus, what it depends on and what on it."""
    count = (
        counted(len(graph.vertices), "file", grouped=True)
        if graph.which == "imports"
        else counted(len(graph.vertices), "record or file", "records and files", grouped=True)
    )
    yield painter.paint(f"{count}, {counted(len(graph.edges), 'edge', grouped=True)}", "bold")
    if graph.which == "memory":
        yield from _relations(graph, painter)
    elif graph.focus:
        yield from _impact(graph, painter)
    else:
        counts = Counter(edge.target for edge in graph.edges)
        most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_MOST]
        lines = table([(f"{count:,}", one_line(key)) for key, count in most])
        yield from _section("Most imported", painter, lines)
        outside = list(graph.outside.items())[:_MOST]
        lines = table([(f"{count:,}", one_line(name)) for name, count in outside])
        yield from _section("Libraries, by files that import them", painter, lines)
    cycles = [" -> ".join(map(one_line, (*cycle, cycle[0]))) for cycle in graph.cycles]
    yield from _section("Cycles", painter, cycles[:_MOST])
    if len(cycles) > _MOST:
        yield f"  and {len(cycles) - _MOST} more"
    if not cycles and graph.which == "imports":
        yield ""
        yield "no cycles"


def _section(title: str, painter: "Painter", lines: Iterable[str]) -> Iterator[str]:
    section_lines = list(lines)
    if section_lines:
        yield ""
        yield painter.paint(title, "bold")
        yield from (f"  {line}" for line in section_lines)


def _impact(graph: "Graph", painter: "Painter") -> Iterator[str]:
    """Tell what a change of the focus may reach: what imports it, nearest first."""
    needs = [edge.target for edge in graph.edges if edge.source == graph.focus]
    yield from _section(f"{one_line(graph.focus)} imports", painter, map(one_line, needs))
    steps = Counter(graph.reached.values())
    near = steps.get(1, 0)
    reached = counted(len(graph.reached), "file", grouped=True)
    title = f"A change to it can affect {reached}, {near:,} of them directly"
    some = list(graph.reached.items())
    lines = table([(f"{count}", one_line(key)) for key, count in some[:_MOST]])
    if len(some) > _MOST:
        lines.append(f"and {len(some) - _MOST:,} more")
    yield from _section(title, painter, lines or ["nothing imports it"])


def _relations(graph: "Graph", painter: "Painter") -> Iterator[str]:
    """Write every edge as a line under the thing that it goes out from."""
    vertices = {vertex.key: vertex for vertex in graph.vertices}
    source = ""
    for edge in graph.edges:
        if edge.source != source:
            source = edge.source
            yield ""
            yield painter.line(0, [(_label(vertices[source]), ("bold",))])
        yield painter.line(
            2, [(one_line(edge.kind), ("cyan",)), (_label(vertices[edge.target]), ())]
        )
    linked = {key for edge in graph.edges for key in edge[:2]}
    alone = [_label(vertex) for vertex in graph.vertices if vertex.key not in linked]
    yield from _section("Without connections", painter, alone[:_MOST])


def written(graph: "Graph", form: str, painter: "Painter") -> Iterator[str]:
    """Write a graph as text, mermaid or dot, a line at a time."""
    forms: Mapping[str, Callable[[Graph], Iterator[str]]] = {"mermaid": mermaid, "dot": dot}
    return forms[form](graph) if form in forms else plain(graph, painter)


def warnings(graph: "Graph", form: str) -> Iterator[str]:
    """Say what the reader should know beside the graph, a line each."""
    yield from graph.notes
    if form == "mermaid" and len(graph.edges) > _MOST_EDGES:
        yield (
            f"Mermaid draws {_MOST_EDGES} edges and this has {len(graph.edges):,}: name a file,"
            " lower --depth, or use --folders"
        )
