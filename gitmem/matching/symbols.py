"""The function or class that lines of source belong to. Pure.

Python is parsed. Of other languages only the common forms of a definition are known, and what is
inside one by its indentation; where that says nothing, nothing is said.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Final

_PYTHON: Final = (".py", ".pyi")
_MOST_LINES: Final = 20_000
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


def _depth(line: str) -> int:
    return len(line.expandtabs(8)) - len(line.expandtabs(8).lstrip())


def _name(named: re.Match[str]) -> str:
    return named["name"] or named["go"] or named["arrow"] or ""
