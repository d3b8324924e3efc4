"""The tree that all languages are converted to; readers need not know the grammar. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

# What a node is for, the same in every language; other nodes have no role.
FUNCTION: Final = "function"
CLASS: Final = "class"
HOLDER: Final = "holder"
"""Holds methods of a class that stands elsewhere (Rust's impl)."""
LAMBDA: Final = "lambda"
BRANCH: Final = "branch"
LOOP: Final = "loop"
EACH: Final = "each"
"""The loop of a comprehension."""
CASE: Final = "case"
HANDLER: Final = "handler"
BOOLEAN: Final = "boolean"
"""``and``, ``or``: each operator is one more way through."""
TRY: Final = "try"
PASSED_ON: Final = "passed on"
"""An error is handed to the caller (Rust's ``?``)."""
CALL: Final = "call"
WAIT: Final = "wait"
YIELD: Final = "yield"
IMPORT: Final = "import"
NAME: Final = "name"
STRING: Final = "string"
LITERAL: Final = "literal"
COMMENT: Final = "comment"
DECORATOR: Final = "decorator"
STATEMENT: Final = "statement"

BROKEN: Final = "broken"
"""The kind of what could not be read."""

# What else is known of a node.
ASYNC: Final = "async"
DOCUMENTED: Final = "documented"
ANNOTATED: Final = "annotated"
"""All parameters and the result have types."""
BINDS: Final = "binds"
"""A name that is given a value here, so it is a local one."""
DOUBLE: Final = "double"
SINGLE: Final = "single"
"""The quotes of a plain string in which either would do."""
TEST: Final = "test"


@dataclass(slots=True)
class Node:
    """A piece of source.

    Attributes:
        kind: as the grammar calls it.
        role: what it is for; empty: nothing that matters here.
        first, last: lines, from 1.
        text: of a leaf, what stands there; of a string, nothing.
        name: of a definition or a call, what is defined or called; of an import, what is imported.
        flags: what else is known.
        children: in the order of the text; comments and documentation are left out.

    """

    kind: str
    role: str
    first: int
    last: int
    text: str = ""
    name: str = ""
    flags: frozenset[str] = frozenset()
    children: list["Node"] = field(default_factory=list)


@dataclass(slots=True)
class Parsed:
    """A text that was read.

    Attributes:
        language: its name.
        root: the whole of it.
        lines: the text, line by line.
        damaged: parts of it could not be read.

    """

    language: str
    root: Node
    lines: Sequence[str]
    damaged: bool = False


def walk(root: Node) -> Iterator[Node]:
    """Give a node and all below it, in the order of the text; without recursion."""
    left = [root]
    while left:
        node = left.pop()
        yield node
        left.extend(reversed(node.children))


def walk_own(root: Node) -> Iterator[Node]:
    """Give a node and what is below it, but not what belongs to definitions within it."""
    left = [root]
    while left:
        node = left.pop()
        yield node
        if node is root or node.role not in (FUNCTION, CLASS, HOLDER):
            left.extend(reversed(node.children))
