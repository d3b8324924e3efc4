"""The graph of records, files and people: drawn, to be moved about in, and as a list."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import Response

from gitmem.learning.graphs import Graph, Vertex
from gitmem.memory import Memory
from gitmem.render.text import cut, one_line
from gitmem.serve import view
from gitmem.serve.pages.asking import ask
from gitmem.serve.pages.numbers import number_of

_MOST: Final = 400
_USUAL: Final = 120
_DEEPEST: Final = 4
_LABEL: Final = 28
"""Columns of a label in the drawing; the whole text stands in its tooltip and in the list."""
_GAP: Final = 34
_COLUMN: Final = 420
_COLUMNS: Final = ("person", "record", "file")


class GraphNode(NamedTuple):
    """A thing in the drawing.

    Attributes:
        number: its place in the list of nodes.
        vertex: the thing.
        label: what is written beside it.
        address: where a click leads, below the repository's; empty: nowhere.
        x, y: where it stands until the script spreads the drawing out.

    """

    number: int
    vertex: Vertex
    label: str
    address: str
    x: float
    y: float


class GraphLine(NamedTuple):
    """A line of the drawing, from one node to another, and what it says."""

    source: GraphNode
    target: GraphNode
    kind: str


class GraphDrawing(NamedTuple):
    """A graph with places for its nodes.

    Attributes:
        nodes: in the order of their numbers.
        lines: between them.
        outgoing: the lines from each node, by its number.
        kinds: of the nodes, each once.
        box: what is seen of it: x, y, width, height.

    """

    nodes: list[GraphNode]
    lines: list[GraphLine]
    outgoing: list[list[GraphLine]]
    kinds: list[str]
    box: tuple[float, float, float, float]


async def page(request: Request) -> Response:
    """Show the newest records with their files and authors, or what is around one thing."""
    query = request.query_params
    start = query.get("start", "").strip()
    depth = number_of(query.get("depth"), 2, _DEEPEST)
    limit = number_of(query.get("limit"), _USUAL, _MOST)
    people = "people" in query  # who wrote all of it would stand in the midst of all of it

    def question(memory: Memory) -> Graph:
        return memory.code.graph("memory", start, depth=depth, limit=limit, people=people)

    graph = await ask(request, question)
    if not start:
        graph = _linked(graph)
    values: dict[str, Any] = {
        "start": start, "depth": depth, "limit": limit, "people": people, "deepest": _DEEPEST,
        "graph": graph, "drawing": drawn(graph),
    }  # fmt: skip
    return view.page(request, "graph.html", values)


def _linked(graph: Graph) -> Graph:
    """Leave out what has no line, unless nothing has one: the list of records has it, too."""
    ends = {key for edge in graph.edges for key in (edge.source, edge.target)}
    linked = tuple(vertex for vertex in graph.vertices if vertex.key in ends)
    return graph._replace(vertices=linked or graph.vertices)


def drawn(graph: Graph) -> GraphDrawing:
    """Place things in three columns: who wrote, what was written, what it is about."""
    columns: dict[str, list[Vertex]] = {name: [] for name in _COLUMNS}
    for vertex in graph.vertices:
        columns[vertex.kind if vertex.kind in _COLUMNS else "record"].append(vertex)
    nodes: dict[str, GraphNode] = {}
    for at, column in enumerate(columns.values()):
        for place, vertex in zip(_spread(at, len(column)), column, strict=True):
            label = cut(one_line(vertex.label), _LABEL)
            nodes[vertex.key] = GraphNode(len(nodes), vertex, label, _address(vertex), *place)
    lines = [
        GraphLine(nodes[edge.source], nodes[edge.target], edge.kind)
        for edge in graph.edges
        if edge.source in nodes and edge.target in nodes
    ]
    outgoing: list[list[GraphLine]] = [[] for _ in nodes]
    for line in lines:
        outgoing[line.source.number].append(line)
    kinds = sorted({vertex.kind for vertex in graph.vertices})
    return GraphDrawing(list(nodes.values()), lines, outgoing, kinds, _box(nodes.values()))


def _spread(column: int, many: int) -> Sequence[tuple[float, float]]:
    """Give places below each other; of many things, in several rows beside each other."""
    deep = max(1, math.ceil(math.sqrt(many) * 2))
    return [
        (column * _COLUMN + (number // deep) * _COLUMN / 2, number % deep * _GAP)
        for number in range(many)
    ]


def _box(nodes: Iterable[GraphNode]) -> tuple[float, float, float, float]:
    places = [(node.x, node.y) for node in nodes] or [(0.0, 0.0)]
    right, low = max(x for x, _ in places), max(y for _, y in places)
    return (-_GAP, -_GAP, right + _COLUMN, low + 2 * _GAP)


def _address(vertex: Vertex) -> str:
    if vertex.kind == "file":
        return f"/file?{urlencode({'path': vertex.key})}"
    if vertex.kind == "person":
        # A name may hold anything; what stands before a quote is enough to find it by.
        name = vertex.label.partition('"')[0].strip()
        question = f'author:"{name}"'
        return f"/search?{urlencode({'q': question})}" if name else ""
    return "" if vertex.kind == "missing" else f"/record/{quote(vertex.key)}"
