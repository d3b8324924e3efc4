"""Python, read by CPython's own parser: the same tree with and without the extra ``code``. Pure.

What the running Python can't parse as a whole (a fragment, a newer or an older Python) is read
definition by definition, and the rest of it is passed over.
"""

import ast
import warnings
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final

from gitmem.syntax.grammars import PYTHON
from gitmem.syntax.tree import (
    ANNOTATED,
    ASYNC,
    BINDS,
    BOOLEAN,
    DOCUMENTED,
    DOUBLE,
    LITERAL,
    NAME,
    SINGLE,
    STRING,
    Node,
    Parsed,
)

_LONGEST_NAME: Final = 200
_DEFINES: Final = ("def ", "class ", "async def ", "@")
_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_TELLING: Final = frozenset({
    "Call", "Import", "ImportFrom", "FunctionDef", "AsyncFunctionDef", "ClassDef",
    "comprehension", "match_case",
})  # fmt: skip
_ROLES: Final = {**PYTHON.roles, "Name": NAME, "JoinedStr": STRING, "BoolOp": BOOLEAN}
_UNSAID: Final = ("ctx", "type_comment", "type_ignores", "kind", "is_async", "level", "conversion")
_LEAVES: Final = frozenset({ast.Name, ast.Constant})


def parse_python(text: str) -> Parsed:
    """Read Python source; what can't be read is left out, and ``damaged`` says so."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    tree = _tree("\n".join(lines))
    if tree is not None:
        return Parsed("python", _converted(tree, lines, 0), lines)
    root = Node("Module", "", 1, len(lines))
    for first, block in _blocks(lines):
        if part := _tree("\n".join(block)):
            root.children += _converted(part, block, first).children
    return Parsed("python", root, lines, damaged=True)


def _tree(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about escapes: they are not ours to mend
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Cut out definitions, each without its indentation, with the lines before it counted.

    Those that end where the text ends may have been cut off, but nobody can tell.
    """
    at = 0
    while at < len(lines):
        line = lines[at]
        bare = line.lstrip()
        if not bare.startswith(_DEFINES):
            at += 1
            continue
        depth = len(line) - len(bare)
        end, inside = at + 1, not bare.startswith("@")
        while end < len(lines):
            below = lines[end]
            text = below.lstrip()
            if text and len(below) - len(text) <= depth:
                # A decorator goes on to its definition, a header of several lines to its end.
                if inside and not text.startswith((")", "]", "}")):
                    break
                inside = inside or text.startswith(_DEFINES[:3])
            end += 1
        block = [line.lstrip() if line[:depth].strip() else line[depth:] for line in lines[at:end]]
        while block and not block[-1].strip():
            block.pop()
        if _tree("\n".join(block)) is None:
            at += 1  # something within it may be whole
            continue
        yield at, block
        at = end


def _converted(tree: ast.AST, lines: Sequence[str], before: int) -> Node:
    """Turn a tree of ``ast`` into ours; without recursion."""
    root = Node(type(tree).__name__, "", 1 + before, len(lines) + before)
    left: list[tuple[ast.AST, Node]] = [(tree, root)]
    while left:
        source, target = left.pop()
        add = target.children.append
        for child in _children(source):
            if isinstance(child, str):
                add(_word(source, child, target.first))
                continue
            child_node = _node(child, target, lines, before)
            add(child_node)
            if type(child) not in _LEAVES:
                left.append((child, child_node))
    return root


def _word(source: ast.AST, word: str, line: int) -> Node:
    """Make a leaf of a name that is no node: local only where it is given a value."""
    if isinstance(source, _BINDING):
        return Node("name", NAME, line, line, word, flags=_BINDS)
    role = NAME if isinstance(source, ast.Global | ast.Nonlocal) else ""
    return Node("name", role, line, line, word)


_BINDS: Final = frozenset({BINDS})
_BINDING: Final = (ast.arg, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)


def _children(source: ast.AST) -> Iterator[ast.AST | str]:
    """Give what a node holds, in the order of the text; names that are no nodes as text."""
    if isinstance(source, ast.JoinedStr):
        # How its plain text is cut into pieces is another matter in each version of Python.
        yield from (value for value in source.values if not isinstance(value, ast.Constant))
        return
    for name in _fields(type(source).__name__):
        value: Any = getattr(source, name, None)
        if isinstance(value, list):
            if name == "body" and _says(source, value):
                value = value[1:]
            yield from (item for item in value if isinstance(item, ast.AST | str))
        elif isinstance(value, ast.AST) or (isinstance(value, str) and name in _NAMING):
            yield value
    if isinstance(source, ast.ImportFrom) and source.level:
        yield "." * source.level


@cache
def _fields(kind: str) -> tuple[str, ...]:
    """Name the fields that are looked at: not those that say what the place says, too."""
    node: type[ast.AST] = getattr(ast, kind)
    names = [name for name in node._fields if name not in _UNSAID]
    if issubclass(node, _DEFINITIONS):  # the name of a definition is kept beside what it holds
        names = [
            "decorator_list",
            *(name for name in names if name not in ("decorator_list", "name")),
        ]
    return tuple(names)


_NAMING: Final = ("attr", "arg", "module", "names", "name", "asname", "kwd_attrs", "rest")


def _says(source: ast.AST, body: list[Any]) -> bool:
    """Tell whether a definition or a file begins with its documentation."""
    if not isinstance(source, (*_DEFINITIONS, ast.Module)):
        return False
    first = body[0] if body else None
    value = first.value if isinstance(first, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _node(source: ast.AST, above: Node, lines: Sequence[str], before: int) -> Node:
    kind = type(source).__name__
    first = getattr(source, "lineno", None)
    first = above.first if first is None else first + before
    last = getattr(source, "end_lineno", None)
    last = first if last is None else last + before
    node = Node(kind, _ROLES.get(kind, ""), first, last)
    if isinstance(source, ast.Name):
        node.text = source.id
        if not isinstance(source.ctx, ast.Load):
            node.flags = _BINDS
    elif isinstance(source, ast.Constant):
        _constant(node, source, lines)
    elif kind in _TELLING:
        _fill_in(source, node, before)
    return node


def _fill_in(source: ast.AST, node: Node, before: int) -> None:
    """Fill in what is defined, called or imported."""
    if isinstance(source, ast.Call):
        node.name = _dotted(source.func)
    elif isinstance(source, ast.Import):
        node.name = "\n".join(alias.name for alias in source.names)
    elif isinstance(source, ast.ImportFrom):
        base = "." * source.level + (source.module or "")
        named = (f"{base}{'' if base.endswith('.') else '.'}{alias.name}" for alias in source.names)
        node.name = "\n".join(named)
    elif isinstance(source, _DEFINITIONS):
        node.name = source.name
        node.first = min(
            [node.first, *(decorator.lineno + before for decorator in source.decorator_list)]
        )
        node.flags = frozenset(_facts(source))
    elif isinstance(source, ast.comprehension) and source.is_async:
        node.flags = frozenset({ASYNC})
    elif isinstance(source, ast.match_case) and _takes_all(source):
        node.role = ""


def _constant(node: Node, source: ast.Constant, lines: Sequence[str]) -> None:
    value = source.value
    if isinstance(value, str | bytes):
        node.role = STRING
        node.flags = _quotes(source, lines)
    elif value is None or value is ... or isinstance(value, bool):
        node.text = str(value)
    else:
        # Halves and steps tell what a loop does; other numbers are as good as any.
        node.role, node.text = LITERAL, str(value) if value in (1, 2) else ""


def _quotes(source: ast.Constant, lines: Sequence[str]) -> frozenset[str]:
    """Tell the quotes of a string; nothing where they were no matter of taste."""
    at = source.lineno - 1
    if at >= len(lines) or source.end_lineno != source.lineno:
        return frozenset()
    # Columns count bytes, which are characters only in a line of ASCII.
    line = lines[at]
    literal = line[source.col_offset :] if line.isascii() else ""
    bare = literal.lstrip("rRbBuUfF")
    value = source.value if isinstance(source.value, str) else ""
    if not bare or bare[:3] in ('"""', "'''") or "'" in value or '"' in value:
        return frozenset()
    return frozenset({DOUBLE} if bare[0] == '"' else {SINGLE} if bare[0] == "'" else ())


def _takes_all(source: ast.match_case) -> bool:
    """Tell whether a case is what is left: no further way through."""
    pattern = source.pattern
    return source.guard is None and isinstance(pattern, ast.MatchAs) and pattern.pattern is None


def _dotted(source: ast.AST) -> str:
    """Write the called name as in the source, as far as it is names and dots."""
    parts: list[str] = []
    while isinstance(source, ast.Attribute) and len(parts) < _LONGEST_NAME:
        parts.append(source.attr)
        source = source.value
    if isinstance(source, ast.Name):
        parts.append(source.id)
    elif parts:
        parts.append("")
    return ".".join(reversed(parts))[:_LONGEST_NAME]


def _facts(source: "ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef") -> Iterator[str]:
    if _says(source, source.body):
        yield DOCUMENTED
    if isinstance(source, ast.ClassDef):
        return
    if isinstance(source, ast.AsyncFunctionDef):
        yield ASYNC
    given = source.args
    named = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    if named and named[0].arg in ("self", "cls"):
        named = named[1:]
    named += [argument for argument in (given.vararg, given.kwarg) if argument]
    if source.returns is not None and all(argument.annotation is not None for argument in named):
        yield ANNOTATED
