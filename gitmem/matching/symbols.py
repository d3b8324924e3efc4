"""The function or class that lines of source belong to. Pure.

Python is parsed. Of other languages only the common forms of a definition are known, and what is
inside one by its indentation; where that says nothing, nothing is said.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

_PYTHON: Final = (".py", ".pyi")
_MOST_LINES: Final = 20_000
_MARKS: Final = ("@", "#[")
_BRACKETS: Final = "(){}[]"
_WORDS: Final = (
    r"(?:export\s+|default\s+|public\s+|private\s+|protected\s+|internal\s+|static\s+|final\s+|"
    r"abstract\s+|async\s+|unsafe\s+|pub(?:\([^)]*\))?\s+|const\s+(?=fn))*"
)
_DEFINITION: Final = re.compile(
    rf"(?P<indent>\s*){_WORDS}(?:"
    r"(?:function\*?|def|fn|class|interface|struct|enum|trait|module|namespace|impl|sub|proc)"
    r"\s+(?P<name>[A-Za-z_$][\w$.:]*)"
    r"|func\s+(?:\([^)]*\)\s*)?(?P<go>[A-Za-z_]\w*)"
    r"|(?:const|let|var)\s+(?P<arrow>[A-Za-z_$][\w$]*)\s*=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*=>)"
    r")"
)


class DefinitionLines(NamedTuple):
    """Lines of a function or class, from 1: the first may be a decorator's; which one names it."""

    first: int
    named: int
    last: int


def symbol_at(path: str, lines: Sequence[str], first: int, last: int) -> str:
    """Name the innermost function or class that holds some lines; empty: none, or not known.

    Args:
        path: the file's, whose ending tells the language.
        lines: all lines of the file.
        first: number of the first of these lines, from 1.
        last: number of the last.

    Returns:
        Such as ``Card.charge``: with the classes and functions around it, where they are known.

    """
    if not 1 <= first <= last <= len(lines) <= _MOST_LINES:
        return ""
    if path.endswith(_PYTHON):
        return _python(lines, first, last)
    return _by_indentation(lines, first)


def _python(lines: Sequence[str], first: int, last: int) -> str:
    try:
        tree = ast.parse("\n".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    return ".".join(_around(tree, first, last))


def _around(tree: ast.AST, first: int, last: int) -> Iterator[str]:
    """Walk down to the innermost definition around lines; without recursion."""
    here: ast.AST | None = tree
    while here is not None:
        inner = None
        for node in ast.iter_child_nodes(here):
            start, end = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
            if start is None or end is None:
                continue
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                start = min([start, *(decorator.lineno for decorator in node.decorator_list)])
            if start <= first and last <= end:
                inner = node
                break
        if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield inner.name
        here = inner


def _by_indentation(lines: Sequence[str], first: int) -> str:
    """Look up from a line to the definition that is indented less than all between."""
    at = first - 1
    if named := _DEFINITION.match(lines[at]):
        return _name(named)
    depth = _depth(lines[at])
    for line in reversed(lines[:at]):
        if not line.strip() or _depth(line) >= depth:
            continue
        if named := _DEFINITION.match(line):
            return _name(named)
        depth = _depth(line)
        if not depth and line.strip() not in ("{", ")", ") {"):
            return ""
    return ""


def definition_of(path: str, lines: Sequence[str], symbol: str) -> DefinitionLines | None:
    """Find the one definition of a function or class by its text; it may be half typed.

    Args:
        path: the file's, whose ending tells the language.
        lines: all lines of the file.
        symbol: as ``symbol_at`` names it.

    Returns:
        Where it is; None: it is not there, or more than once.

    """
    if not symbol or len(lines) > _MOST_LINES:
        return None
    there = [
        at
        for at, line in enumerate(lines)
        if (named := _DEFINITION.match(line)) and _is_called(path, lines, at, _name(named), symbol)
    ]
    if len(there) != 1:
        return None
    (at,) = there
    depth, first, last = _depth(lines[at]), at, at
    while (
        first and _depth(lines[first - 1]) == depth and lines[first - 1].strip().startswith(_MARKS)
    ):
        first -= 1
    for number, line in enumerate(lines[at + 1 :], at + 1):
        if not line.strip():
            continue
        if _depth(line) <= depth and line.strip()[0] not in _BRACKETS and line.strip() != "end":
            break
        last = number
    return DefinitionLines(first + 1, at + 1, last + 1)


def defines(line: str, symbol: str) -> bool:
    """Tell whether a line, by its text, is where a function or class is defined."""
    named = _DEFINITION.match(line)
    return named is not None and _name(named) == symbol.rpartition(".")[2]


def _is_called(path: str, lines: Sequence[str], at: int, name: str, symbol: str) -> bool:
    """Tell whether the definition in a line has a name that counts what is around it in Python."""
    if not path.endswith(_PYTHON) or name != symbol.rpartition(".")[2]:
        return name == symbol
    names, depth = [name], _depth(lines[at])
    for line in reversed(lines[:at]):
        if line.strip() and _depth(line) < depth:
            depth = _depth(line)
            if named := _DEFINITION.match(line):
                names.append(_name(named))
    return ".".join(reversed(names)) == symbol


def _depth(line: str) -> int:
    return len(line.expandtabs(8)) - len(line.expandtabs(8).lstrip())


def _name(named: re.Match[str]) -> str:
    return (named["name"] or named["go"] or named["arrow"] or "").rstrip(":.")
