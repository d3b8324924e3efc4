"""Functions, methods and classes of a tree, with measures of each. Pure."""

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from gitmem.syntax.tree import (
    ASYNC,
    BOOLEAN,
    BRANCH,
    CALL,
    CASE,
    CLASS,
    DECORATOR,
    EACH,
    FUNCTION,
    HANDLER,
    HOLDER,
    LITERAL,
    LOOP,
    PASSED_ON,
    STATEMENT,
    TRY,
    WAIT,
    YIELD,
    Node,
    Parsed,
    walk,
    walk_own,
)

What = Literal["function", "method", "class"]
Level = Literal["low", "medium", "high"]
LOW: Final = 5
MEDIUM: Final = 10
"""McCabe's own bound: "a reasonable, but not magical, upper limit"."""
_WAYS: Final = (BRANCH, LOOP, EACH, CASE, HANDLER)
_SORTED: Final = ("sort", "sorted", "toSorted", "orderBy", "order_by")
_MEMOISING: Final = ("lru_cache", "functools.lru_cache", "cache", "functools.cache", "memoize")
_HALVING: Final = {"FloorDiv": "2", "Div": "2", "RShift": "1", "/": "2", ">>": "1", ">>>": "1"}
_BISECTING: Final = ("bisect", "binarysearch", "binary_search")
_TAKING: Final = ("pop", "popleft", "shift", "poll", "pop_front", "pop_back", "heappop", "dequeue")
_PUTTING: Final = (
    "append", "extend", "push", "add", "addall", "offer", "push_back", "push_front", "heappush",
    "enqueue", "unshift", "appendleft",
)  # fmt: skip
_CONDITIONAL: Final = ("While", "while_statement", "while_expression", "do_statement",
                       "for_statement", "loop_expression")  # fmt: skip


class Definition(NamedTuple):
    """A function, a method or a class.

    Attributes:
        what: which of them.
        name: its own name.
        within: names of the classes and functions around it, joined by dots; empty: none.
        node: its tree.
        methods: how many methods a class has.

    """

    what: What
    name: str
    within: str
    node: Node
    methods: int = 0

    @property
    def qualified(self) -> str:
        """The name with those around it."""
        return f"{self.within}.{self.name}" if self.within else self.name


def definitions(parsed: Parsed) -> Iterator[Definition]:
    """Give all named definitions of a text, in its order; inner ones after those around them."""
    outside = _receivers(parsed) if parsed.language in ("go", "rust") else {}
    left: list[tuple[Node, str, bool]] = [(parsed.root, "", False)]
    while left:
        node, within, in_class = left.pop()
        inner, here = in_class, within
        if node.role in (FUNCTION, CLASS) and node.name:
            owner, _, name = node.name.rpartition(".")
            around = ".".join(filter(None, (within, owner)))
            if node.role == CLASS:
                methods = sum(1 for _ in _methods(node)) + outside.get(name, 0)
                yield Definition("class", name, around, node, methods)
            else:
                yield Definition("method" if in_class or owner else "function", name, around, node)
            here, inner = ".".join(filter(None, (around, name))), node.role == CLASS
        elif node.role == HOLDER:
            here, inner = node.name, True
        left.extend((child, here, inner) for child in reversed(node.children))


def _methods(node: Node) -> Iterator[Node]:
    """Give the methods of a class, not those of classes within it."""
    left = list(node.children)
    while left:
        node_left = left.pop()
        if node_left.role == FUNCTION:
            yield node_left
        elif node_left.role != CLASS:
            left.extend(node_left.children)


def _receivers(parsed: Parsed) -> dict[str, int]:
    """Count the methods that are defined outside of their type."""
    counts: dict[str, int] = {}
    for node in walk(parsed.root):
        if node.role == HOLDER:
            counts[node.name] = counts.get(node.name, 0) + sum(1 for _ in _methods(node))
        elif node.role == FUNCTION and "." in node.name:
            owner = node.name.partition(".")[0]
            counts[owner] = counts.get(owner, 0) + 1
    return counts


def complexity(node: Node) -> int:
    """Count the independent ways through a definition; of a class, of its worst method.

    T. J. McCabe, "A Complexity Measure", IEEE Trans. Software Eng. SE-2 (1976) 308-320: one more
    than there are decisions. Decisions are branches, loops, cases but the default, handlers, and
    each ``and`` and ``or``, as McCabe counts compound conditions. Functions within a function
    count for it, as the source that has to be read.
    """
    if node.role == CLASS:
        return max((complexity(method) for method in _methods(node)), default=1)
    return 1 + sum(_ways(node) for node in walk(node))


def _ways(node: Node) -> int:
    if node.role == BOOLEAN:
        return len(node.children) - 2 if node.kind == "BoolOp" else 1
    ways = int(node.role in _WAYS)
    if node.kind == "comprehension":  # each condition of it stands for a branch
        ways += max(0, len(node.children) - 2)
    return ways


def level(ways: int) -> Level:
    """Say how complex that is: low up to 5, medium up to 10, else high."""
    return "low" if ways <= LOW else "medium" if ways <= MEDIUM else "high"


def statements(node: Node) -> int:
    """Count the statements in a definition, simple and compound, without documentation."""
    counted = (STATEMENT, BRANCH, LOOP, TRY, WAIT, YIELD)
    return sum(1 for node in walk(node) if node.role in counted)


def traits(definition: Definition) -> tuple[str, ...]:
    """Name what can be recognised of how something is done, by its shape alone.

    A shape is no proof: ``binary search`` is a loop on a condition in which something is halved,
    or a call that says so.
    """
    node = definition.node
    owns = list(walk(node))
    calls = [node.name for node in owns if node.role == CALL]
    found_traits = {
        "async": ASYNC in node.flags
        or any(node.role == WAIT or ASYNC in node.flags for node in owns),
        "error handling": any(node.role in (TRY, PASSED_ON) or TRY in node.flags for node in owns),
        "generator": any(node.role == YIELD for node in walk_own(node)),
        "recursion": definition.what != "class" and _calls_itself(definition, calls),
        "sorting": any(_sorts(call) for call in calls),
        "binary search": _searches(owns) or any(_bisects(call) for call in calls),
        "memoised": any(
            node.name in _MEMOISING or node.text in _MEMOISING for node in _above(node)
        ),
        **_loops(owns),
    }
    return tuple(trait for trait, there in found_traits.items() if there)


def _above(node: Node) -> list[Node]:
    """Give the decorators; in Python's tree they are plain expressions."""
    return [
        near
        for child in node.children[:8]
        for near in (child, *child.children[:2])
        if child.role in (DECORATOR, CALL, "name") or child.kind == "Attribute"
    ]


def _calls_itself(definition: Definition, calls: list[str]) -> bool:
    own = definition.name
    if definition.what == "function":
        return own in calls
    return any(
        call in (f"self.{own}", f"this.{own}", f"cls.{own}", f"Self::{own}") for call in calls
    )


def _last(call: str) -> str:
    return call.replace("::", ".").rpartition(".")[2]


def _sorts(call: str) -> bool:
    last = _last(call)
    return (
        last in _SORTED
        or last.startswith(("sort_", "sortBy"))
        or (call.startswith(("sort.", "slices.Sort")))
    )


def _bisects(call: str) -> bool:
    return _last(call).lower().startswith(_BISECTING)


def _searches(owns: list[Node]) -> bool:
    return any(_halves(inner) for loop in owns if loop.kind in _CONDITIONAL for inner in walk(loop))


def _halves(node: Node) -> bool:
    if len(node.children) < 3 or node.children[-1].role != LITERAL:  # noqa: PLR2004  a sum has three
        return False
    middle = node.children[-2]
    if node.children[0].kind not in ("BinOp", "binary_expression"):
        return False  # half of a sum or a difference is a middle
    return _HALVING.get(middle.text or middle.kind) == node.children[-1].text


def _loops(owns: list[Node]) -> dict[str, bool]:
    loop_traits = {"nested loops": False, "retry": False, "work list": False}
    for loop in owns:
        if loop.role != LOOP:
            continue
        inside = list(walk(loop))[1:]
        loop_traits["nested loops"] |= any(node.role == LOOP for node in inside)
        loop_traits["retry"] |= any(node.role == TRY or TRY in node.flags for node in inside)
        called = {_last(node.name).lower() for node in inside if node.role == CALL}
        loop_traits["work list"] |= (
            loop.kind in _CONDITIONAL
            and not called.isdisjoint(_TAKING)
            and not called.isdisjoint(_PUTTING)
        )
    return loop_traits
