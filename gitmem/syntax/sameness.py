"""When two pieces of code are the same pattern. Pure.

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
        one.text: None for one in walk(around or node) if one.role == NAME and BINDS in one.flags
    }
    local[node.name.rpartition(".")[2]] = None
    made = blake2b(language.encode(), digest_size=_SIZE)
    count = 0
    left: list[tuple[Node | None, bool]] = [(node, False)]
    while left:
        one, in_class = left.pop()
        if one is None:
            made.update(b")")
            continue
        said = one.kind
        if one.role == NAME and one.text in local:
            if local[one.text] is None:
                local[one.text] = count = count + 1
            said = f"local {local[one.text]}"
        elif one.role in (STRING, LITERAL):
            said = one.role
        elif one.text:
            said = f"{one.kind} {one.text}"
        children = one.children
        if one.role in (FUNCTION, CLASS):
            own = one.name.rpartition(".")[2]
            # A method is known by its name from elsewhere; a function in a function is not.
            said = f"{one.kind} {own}" if in_class and one is not node else one.kind
            children = _without_name(children, own)
        made.update(b"(" + said.encode(errors="replace"))
        left.append((None, False))
        inside = one.role == CLASS or (in_class and one.role != FUNCTION)
        left.extend((child, inside) for child in reversed(children))
    return made.hexdigest()


def _without_name(children: list[Node], name: str) -> list[Node]:
    """Leave the name of a definition out: it is said once, and numbered where it is called."""
    for at, child in enumerate(children):
        if child.text == name and not child.children:
            return children[:at] + children[at + 1 :]
    return children
