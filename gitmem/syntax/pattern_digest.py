"""A digest that is equal for two pieces of code of the same pattern. Pure.

The digest is of the syntax tree, normalised: without comments, documentation and layout; names
that are given a value within it are numbered in the order in which they appear, and so is its
own name; strings and numbers are told by their sort only. Attributes, names from elsewhere
(functions that are called, types, modules), operators and keywords stay. Two that differ only in
these are clones of type 2 with consistent renaming: B. S. Baker, "On finding duplication and
near-duplication in large software systems", WCRE 1995; C. K. Roy and J. R. Cordy, "A survey on
software clone detection research", 2007.
"""

from hashlib import blake2b

from gitmem.syntax.tree import BINDS, CLASS, FUNCTION, LITERAL, NAME, STRING, Node, walk

_SIZE = 16


def digest(node: Node, language: str, around: Node | None = None) -> str:
    """Give what is equal for two pieces of code that are the same pattern: 32 hex digits.

    Args:
        node: the piece.
        language: its language.
        around: the definition that it is a part of: its local names are local here, too.

    """
    local: dict[str, int | None] = {
        inner.text: None
        for inner in walk(around or node)
        if inner.role == NAME and BINDS in inner.flags
    }
    local[node.name.rpartition(".")[2]] = None
    hasher = blake2b(language.encode(), digest_size=_SIZE)
    count = 0
    left: list[tuple[Node | None, bool]] = [(node, False)]
    while left:
        current, in_class = left.pop()
        if current is None:
            hasher.update(b")")
            continue
        part = current.kind
        if current.role == NAME and current.text in local:
            if local[current.text] is None:
                local[current.text] = count = count + 1
            part = f"local {local[current.text]}"
        elif current.role in (STRING, LITERAL):
            part = current.role
        elif current.text:
            part = f"{current.kind} {current.text}"
        children = current.children
        if current.role in (FUNCTION, CLASS):
            own = current.name.rpartition(".")[2]
            # A method is known by its name from elsewhere; a function in a function is not.
            part = f"{current.kind} {own}" if in_class and current is not node else current.kind
            children = _without_name(children, own)
        hasher.update(b"(" + part.encode(errors="replace"))
        left.append((None, False))
        inside = current.role == CLASS or (in_class and current.role != FUNCTION)
        left.extend((child, inside) for child in reversed(children))
    return hasher.hexdigest()


def _without_name(children: list[Node], name: str) -> list[Node]:
    """Leave out the name of a definition; where it is called, it is numbered."""
    for at, child in enumerate(children):
        if child.text == name and not child.children:
            return children[:at] + children[at + 1 :]
    return children
