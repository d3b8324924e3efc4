"""Dependency graphs: parts of them, cycles, and what a change reaches. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

IMPORTS: Final = "imports"
TYPES: Final = "imports types of"
"""Only for a checker of types: when the program runs, nothing is imported."""


class Vertex(NamedTuple):
    """A thing in a graph.

    Attributes:
        key: tells it from others: a path, or a record's id.
        label: what it is called; anybody's text.
        kind: file, package, person, error, fix, decision and so on.
        state: a record's status; else empty.

    """

    key: str
    label: str
    kind: str
    state: str = ""


class Edge(NamedTuple):
    """From one thing to another, by their keys; ``kind`` says how: imports, fixes and so on."""

    source: str
    target: str
    kind: str


class Graph(NamedTuple):
    """Things and what is between them.

    Attributes:
        which: ``imports`` or ``memory``.
        vertices: by their keys.
        edges: in the same order for the same input.
        cycles: keys that reach each other, each cycle beginning with its smallest.
        focus: the key that was asked about; empty: all.
        reached: of a graph of imports with a focus, how many steps away each file is that
            depends on it: what a change of it may break, nearest first.
        outside: how many files import each library.
        notes: what the user should know, a line each.

    """

    which: str
    vertices: tuple[Vertex, ...]
    edges: tuple[Edge, ...]
    cycles: tuple[tuple[str, ...], ...] = ()
    focus: str = ""
    reached: Mapping[str, int] = {}
    outside: Mapping[str, int] = {}
    notes: tuple[str, ...] = ()


def _neighbours(edges: Iterable[Edge], *, back: bool = False) -> dict[str, list[str]]:
    neighbours: dict[str, list[str]] = {}
    for edge in edges:
        source, target = (edge.target, edge.source) if back else (edge.source, edge.target)
        neighbours.setdefault(source, []).append(target)
    return {key: sorted(set(targets)) for key, targets in neighbours.items()}


def reached(
    edges: Iterable[Edge], start: str, depth: int = -1, *, back: bool = False
) -> dict[str, int]:
    """Give what can be reached from a key, with the number of steps; the key itself is not in it.

    Args:
        edges: all of them.
        start: the key.
        depth: so many steps at most; -1: all.
        back: against the edges: what depends on the key.

    """
    following = _neighbours(edges, back=back)
    steps = {start: 0}
    frontier = [start]
    while frontier and (depth < 0 or steps[frontier[0]] < depth):
        after = sorted({target for key in frontier for target in following.get(key, ())})
        frontier = [target for target in after if target not in steps]
        steps |= dict.fromkeys(frontier, max(steps.values()) + 1)
    del steps[start]
    return steps


def around(edges: Sequence[Edge], start: str, depth: int) -> set[str]:
    """Give the keys within so many steps, with and against the edges, and the key itself."""
    return {start, *reached(edges, start, depth), *reached(edges, start, depth, back=True)}


def cycles(edges: Sequence[Edge]) -> tuple[tuple[str, ...], ...]:
    """Find what depends on itself: the strongly connected parts of more than one key.

    R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1 (1972) 146-160;
    without recursion. Each is given as one shortest way round from its smallest key, which need
    not come by all of them.
    """
    following = _neighbours(edges)
    components = [part for part in _connected(following) if len(part) > 1]
    loops: list[tuple[str, ...]] = [(key,) for key, targets in following.items() if key in targets]
    return tuple(sorted([_round(following, part) for part in components] + loops))


def _connected(following: Mapping[str, Sequence[str]]) -> list[set[str]]:
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    components: list[set[str]] = []
    for root in sorted(following):
        if root in number:
            continue
        work = [(root, 0)]
        while work:
            key, at = work.pop()
            if at == 0:
                number[key] = low[key] = len(number)
                stack.append(key)
                on_stack.add(key)
            targets = following.get(key, ())
            for position in range(at, len(targets)):
                other = targets[position]
                if other not in number:
                    work += [(key, position + 1), (other, 0)]
                    break
                if other in on_stack:
                    low[key] = min(low[key], number[other])
            else:
                if low[key] == number[key]:
                    part: set[str] = set()
                    while not part or key not in part:
                        part.add(taken := stack.pop())
                        on_stack.discard(taken)
                    components.append(part)
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[key])
    return components


def _round(following: Mapping[str, Sequence[str]], part: set[str]) -> tuple[str, ...]:
    """Give one shortest way from the smallest key of a part back to itself."""
    start = min(part)
    came: dict[str, str] = {}
    wave = [start]
    while start not in came:
        after = []
        for key in wave:
            for other in following.get(key, ()):
                if other in part and other not in came and other != key:
                    came[other] = key
                    after.append(other)
        wave = after
    way = [start]
    while (way[-1] != start or len(way) == 1) and came[way[-1]] != start:
        way.append(came[way[-1]])
    return (start, *reversed(way[1:]))


def folded(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """Fold files into their folders; what a folder imports of itself is left out."""
    folder_edges = {Edge(_folder(edge.source), _folder(edge.target), edge.kind) for edge in edges}
    real = {edge[:2] for edge in folder_edges if edge.kind != TYPES}
    return tuple(
        sorted(
            edge
            for edge in folder_edges
            if edge.source != edge.target and (edge.kind != TYPES or edge[:2] not in real)
        )
    )


def _folder(key: str) -> str:
    return key if key.endswith("/") else f"{key.rpartition('/')[0]}/"
