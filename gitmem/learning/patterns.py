"""Reusable pieces of code: found in source, chosen from a change, told apart from known ones. Pure.

A piece is a whole definition, or a whole ``try`` with its handlers. What is recognised of it is
its shape, as ``gitmem.syntax.definitions`` says.
"""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from gitmem.syntax.definitions import (
    Definition,
    Level,
    complexity,
    definitions,
    level,
    statements,
    traits,
)
from gitmem.syntax.sameness import digest
from gitmem.syntax.tree import BROKEN, CLASS, FUNCTION, HANDLER, TEST, TRY, Node, Parsed, walk

HANDLING: Final = "error handling"
_ALGORITHMS: Final = ("recursion", "binary search", "memoised", "work list",
                      "nested loops")  # fmt: skip
_TAKEN: Final = ("Name", "Attribute", "Tuple", "catch_formal_parameter", "catch_type")
_FEW: Final = 2
_MOST_LINES: Final = 200
_SHORT: Final = 60
"""Lines of a function that is shown whole where only a part of it changed."""


class CodePattern(NamedTuple):
    """A piece of code that can be used again.

    Attributes:
        name: of the definition, with those around it; of a ``try``, what it handles and where.
        what: ``function``, ``method``, ``class`` or ``error handling`` (a ``try``).
        language: its language.
        code: its text, without the indentation around it.
        first, last: its lines in that source, from 1.
        ways: McCabe's cyclomatic complexity; of a class, of its most complex method.
        methods: how many methods a class has.
        statements: how many statements it has.
        traits: what is recognised of how it works.
        digest: equal for two that are the same pattern; see ``gitmem.syntax.sameness``.
        is_test: it is a test.
        broken: a part of it could not be read.

    """

    name: str
    what: str
    language: str
    code: str
    first: int
    last: int
    ways: int
    methods: int
    statements: int
    traits: tuple[str, ...]
    digest: str
    is_test: bool = False
    broken: bool = False

    @property
    def level(self) -> Level:
        """Complexity in a word: low up to 5, medium up to 10, else high."""
        return level(self.ways)

    @property
    def category(self) -> str:
        """What it shows best: class, algorithm, error handling, async, method or function."""
        if self.what in ("class", HANDLING):
            return self.what
        if any(one in self.traits for one in _ALGORITHMS):
            return "algorithm"
        return next((one for one in (HANDLING, "async") if one in self.traits), self.what)

    @property
    def lines(self) -> range:
        """Its lines."""
        return range(self.first, self.last + 1)


def patterns(parsed: Parsed) -> list[CodePattern]:
    """Find all definitions and all ``try`` statements of a text, in its order."""
    found = [_of_definition(one, parsed) for one in definitions(parsed)]
    found += [_of_try(*one, parsed) for one in _tries(parsed)]
    return sorted(found, key=lambda one: (one.first, -one.last, one.what, one.name))


def _of_definition(one: Definition, parsed: Parsed) -> CodePattern:
    return _made(
        one.qualified, one.what, one.node, parsed, one.methods, traits(one),
        is_test=TEST in one.node.flags or one.name.startswith(("test_", "Test")),
    )  # fmt: skip


def _made(
    name: str,
    what: str,
    node: Node,
    parsed: Parsed,
    methods: int,
    found: tuple[str, ...],
    *,
    is_test: bool = False,
) -> CodePattern:
    return CodePattern(
        name, what, parsed.language, _text(parsed.lines[node.first - 1 : node.last]),
        node.first, node.last, complexity(node), methods, statements(node), found,
        digest(node, parsed.language), is_test, any(one.kind == BROKEN for one in walk(node)),
    )  # fmt: skip


def _text(lines: Sequence[str]) -> str:
    depth = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(line[depth:].rstrip() for line in lines)


def _tries(parsed: Parsed) -> Iterator[tuple[Node, str, Node]]:
    """Give the ``try`` statements, each with the definition around it, its name first."""
    left: list[tuple[Node, str, Node]] = [(parsed.root, "", parsed.root)]
    while left:
        node, within, around = left.pop()
        if node.role in (FUNCTION, CLASS) and node.name:
            within, around = f"{within}.{node.name}".lstrip("."), node
        if node.role == TRY:
            yield node, within, around
        left.extend((child, within, around) for child in reversed(node.children))


def _of_try(node: Node, within: str, around: Node, parsed: Parsed) -> CodePattern:
    handled = dict.fromkeys(name for one in node.children for name in _handled(one))
    name = f"handling {', '.join(handled) or 'errors'}" + (f" in {within}" if within else "")
    found = traits(Definition("function", "", "", node))
    made = _made(name, HANDLING, node, parsed, 0, found)
    return made._replace(digest=digest(node, parsed.language, around))


def _handled(node: Node) -> Iterator[str]:
    """Name what a handler takes; nothing if it takes anything."""
    if node.role != HANDLER:
        return
    left = [one for one in node.children if one.kind in _TAKEN][:1]
    while left:
        one = left.pop(0)
        if one.kind in ("Name", "type_identifier"):
            yield one.text
        elif one.kind == "Attribute":
            yield one.children[-1].text
        elif one.kind in _TAKEN:
            left += one.children


def outermost(found: Iterable[CodePattern]) -> list[CodePattern]:
    """Keep those that lie in no other one."""
    kept: list[CodePattern] = []
    for one in sorted(found, key=lambda one: (one.first, -one.last)):
        if not kept or one.last > kept[-1].last or one.first < kept[-1].first:
            kept.append(one)
    return kept


def changed(
    found: Sequence[CodePattern], added: AbstractSet[int], lines: Sequence[str]
) -> list[CodePattern]:
    """Choose what a change is an example of.

    What is new as a whole is taken as a whole. Of what was there before, the innermost function
    around the change is taken if it is short, else a ``try`` that came with the change.

    Args:
        found: the patterns of the text after the change.
        added: numbers of the lines that are new.
        lines: that text.

    """
    written = {number for number in added if number <= len(lines) and lines[number - 1].strip()}

    def is_new(one: CodePattern) -> bool:
        return all(number in written or not lines[number - 1].strip() for number in one.lines)

    new = outermost(one for one in found if is_new(one) and one.what != HANDLING)
    left = written.difference(*(one.lines for one in new)) if new else written
    around = [one for one in found if one.what in ("function", "method") and one not in new
              and len(one.lines) <= _SHORT]  # fmt: skip
    touched: dict[CodePattern, None] = {}
    for number in sorted(left):
        holding = [one for one in around if number in one.lines]
        if holding:
            touched[min(holding, key=lambda one: (len(one.lines), one.first))] = None
    tries = [one for one in found if one.what == HANDLING and is_new(one)
             and not any(one.first in other.lines for other in (*new, *touched))]  # fmt: skip
    return sorted([*new, *touched, *outermost(tries)], key=lambda one: (one.first, -one.last))


def worth(one: CodePattern) -> bool:
    """Tell whether a piece can teach anything: no test, whole, neither trivial nor endless."""
    if one.is_test or one.broken or len(one.lines) > _MOST_LINES:
        return False
    if one.what == "class":
        return one.methods > 0  # else it holds data, and does nothing
    return one.statements >= _FEW or bool(one.traits)


def fresh(found: Iterable[CodePattern], known: AbstractSet[str]) -> list[CodePattern]:
    """Keep those whose digest is not known, each once."""
    kept: dict[str, CodePattern] = {}
    for one in found:
        if one.digest not in known:
            kept.setdefault(one.digest, one)
    return list(kept.values())
