"""Asks ast-grep, as a process of its own: the only user of that library.

Rules come with clones. One that never ends, takes all memory or brings the library down does so
here: each has a bound, and the answers to those before it are out.
"""

import json
import re
import sys
from collections.abc import Iterator
from typing import Any, Final

from ast_grep_py import SgNode, SgRoot

from gitmem.system import bound_memory, bound_next

_MOST_BYTES: Final = 2 << 30
_LONGEST_PROBLEM: Final = 200
_MOST_GROWN: Final = 200
_LONGEST_PATTERN: Final = 300
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_OPEN: Final = ("argument", "binary", "comparison", "assignment", "boolean", "return", "declarator")
"""Parts of the kinds of nodes whose children can be anything."""
_LISTS: Final = frozenset({"argument_list", "arguments"})
_NAMED: Final = ("keyword", "named", "pair")
"""Parts of the kinds of nodes that begin with a name of their own: ``timeout=5``."""
_VALUES: Final = (
    "string", "number", "integer", "float", "template", "none", "nil", "null", "true", "false",
)  # fmt: skip
_WORD: Final = re.compile(r"(?<!\$)\b(?:[^\W\d_]{2}|\d)")


def main() -> None:
    """Answer the request on standard input, a line of JSON for each rule or pattern."""
    request = json.load(sys.stdin.buffer)
    bound_memory(_MOST_BYTES)
    if grow := request.get("grow"):
        for pattern in _grown(SgRoot(grow["text"], grow["grammar"]).root(), grow):
            _tell(pattern)
        return
    roots: dict[tuple[int, str], SgRoot] = {}
    for rule in request["rules"]:
        bound_next(request["each"])
        try:
            matches: list[tuple[int, int, int, str]] = []
            for number, grammar in rule["in"]:
                if (number, grammar) not in roots:
                    roots[number, grammar] = SgRoot(request["texts"][number], grammar)
                matches += _matches(roots[number, grammar], rule, number, request["most"])
            _tell({"matches": matches})
        except BaseException as error:  # noqa: BLE001  a panic of Rust is no Exception
            _tell({"problem": _in_a_line(str(error))})


def _tell(answer: object) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def _matches(
    root: SgRoot, rule: dict[str, Any], number: int, most: int
) -> list[tuple[int, int, int, str]]:
    nodes = root.root().find_all(rule["matcher"])
    if len(nodes) > most:
        raise ValueError(f"it matches more than {most} places of one file")
    return [
        (number, node.range().start.line + 1, node.range().end.line + 1, node.text())
        for node in nodes
    ]


def _in_a_line(error: str) -> str:
    """Say what the library says, without the places of its own code that it lists."""
    causes = error.partition("Stack backtrace")[0].strip().splitlines() or ["it is no rule"]
    last = next((line for line in reversed(causes) if line.strip()[:1].isdigit()), causes[0])
    last = causes[-1] if last.endswith(":") else last
    return " ".join(last.strip().lstrip("0123456789: ").split())[:_LONGEST_PROBLEM]


def _grown(root: SgNode, grow: dict[str, Any]) -> list[str]:
    """Give the patterns of whole pieces of code in some lines: with holes before those without."""
    lines = {number - 1 for number in grow["lines"]}
    patterns: dict[str, int] = {}
    for node in _inside(root, lines):
        code = node.text()
        if len(code) > _LONGEST_PATTERN or "\n" in code.strip():
            continue
        for rank, values in enumerate((True, False)):
            pattern = _with_holes(node, frozenset(grow["words"]), values=values)
            if pattern != code:
                patterns.setdefault(pattern, rank)
        patterns.setdefault(code, 2)
        if len(patterns) > _MOST_GROWN:
            break
    telling = [pattern for pattern in patterns if _WORD.search(pattern)]
    return sorted(telling, key=lambda pattern: (patterns[pattern], len(pattern)))


def _inside(node: SgNode, lines: set[int]) -> Iterator[SgNode]:
    """Give the pieces of code that lie in some lines, the outer ones first."""
    span = node.range()
    if lines.isdisjoint(range(span.start.line, span.end.line + 1)):
        return
    inside = {span.start.line, span.end.line} <= lines
    if inside and node.is_named() and not node.is_leaf() and "comment" not in node.kind():
        yield node
    for child in node.children():
        yield from _inside(child, lines)


def _with_holes(node: SgNode, words: frozenset[str], *, values: bool) -> str:
    """Write code with a hole for each part of it that could be another.

    Args:
        node: the code.
        words: names that stay: what the fix took out.
        values: also for texts and numbers.

    """
    code, start = node.text(), node.range().start.index
    letters: dict[str, str] = {}
    text, at = "", 0
    for part in _parts(node, words, values=values):
        if len(letters) == len(_LETTERS):
            break
        letter = letters.setdefault(part.text(), _LETTERS[len(letters)])
        span = part.range()
        text += code[at : span.start.index - start] + f"${letter}"
        at = span.end.index - start
    return text + code[at:]


def _parts(node: SgNode, words: frozenset[str], *, values: bool) -> Iterator[SgNode]:
    """Give the outermost parts of a piece of code that could be others, in their order."""
    is_open = any(kind in node.kind() for kind in _OPEN)
    is_named = any(kind in node.kind() for kind in _NAMED)
    for child in node.children()[is_named:]:
        kind = child.kind()
        value = any(name in kind for name in _VALUES)
        could_be_other = values if value else words.isdisjoint(_names(child))
        if is_open and child.is_named() and kind not in _LISTS and could_be_other:
            yield child
        elif not value and not child.is_leaf():
            yield from _parts(child, words, values=values)


def _names(node: SgNode) -> set[str]:
    if node.is_leaf():
        return {node.text()}
    return {name for child in node.children() for name in _names(child)}


if __name__ == "__main__":
    main()
