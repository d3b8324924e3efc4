"""Reusable pieces of code: found in source, chosen from a change, compared with known ones. Pure.

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
from gitmem.syntax.pattern_digest import digest
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
        digest: equal for two that are the same pattern; see ``gitmem.syntax.pattern_digest``.
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
        if any(trait in self.traits for trait in _ALGORITHMS):
            return "algorithm"
        return next((trait for trait in (HANDLING, "async") if trait in self.traits), self.what)

    @property
    def lines(self) -> range:
        """Its lines."""
        return range(self.first, self.last + 1)


def patterns(parsed: Parsed) -> list[CodePattern]:
    """Find all definitions and all ``try`` statements of a text, in its order."""
    code_patterns = [_of_definition(definition, parsed) for definition in definitions(parsed)]
    code_patterns += [_of_try(*statement, parsed) for statement in _tries(parsed)]
    return sorted(
        code_patterns,
        key=lambda pattern: (pattern.first, -pattern.last, pattern.what, pattern.name),
    )


def _of_definition(definition: Definition, parsed: Parsed) -> CodePattern:
    return _pattern(
        definition.qualified,
        definition.what,
        definition.node,
        parsed,
        definition.methods,
        traits(definition),
        is_test=TEST in definition.node.flags or definition.name.startswith(("test_", "Test")),
    )


def _pattern(
    name: str,
    what: str,
    node: Node,
    parsed: Parsed,
    methods: int,
    traits_found: tuple[str, ...],
    *,
    is_test: bool = False,
) -> CodePattern:
    return CodePattern(
        name,
        what,
        parsed.language,
        _text(parsed.lines[node.first - 1 : node.last]),
        node.first,
        node.last,
        complexity(node),
        methods,
        statements(node),
        traits_found,
        digest(node, parsed.language),
        is_test,
        any(inner.kind == BROKEN for inner in walk(node)),
    )


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
    handled = dict.fromkeys(name for child in node.children for name in _handled(child))
    name = f"handling {', '.join(handled) or 'errors'}" + (f" in {within}" if within else "")
    traits_found = traits(Definition("function", "", "", node))
    pattern = _pattern(name, HANDLING, node, parsed, 0, traits_found)
    return pattern._replace(digest=digest(node, parsed.language, around))


def _handled(node: Node) -> Iterator[str]:
    """Name what a handler takes; nothing if it takes anything."""
    if node.role != HANDLER:
        return
    left = [child for child in node.children if child.kind in _TAKEN][:1]
    while left:
        child = left.pop(0)
        if child.kind in ("Name", "type_identifier"):
            yield child.text
        elif child.kind == "Attribute":
            yield child.children[-1].text
        elif child.kind in _TAKEN:
            left += child.children


def outermost(code_patterns: Iterable[CodePattern]) -> list[CodePattern]:
    """Keep those that lie in no other one."""
    outer: list[CodePattern] = []
    for pattern in sorted(code_patterns, key=lambda pattern: (pattern.first, -pattern.last)):
        if not outer or pattern.last > outer[-1].last or pattern.first < outer[-1].first:
            outer.append(pattern)
    return outer


def changed(
    code_patterns: Sequence[CodePattern], added: AbstractSet[int], lines: Sequence[str]
) -> list[CodePattern]:
    """Choose what a change is an example of.

    What is new as a whole is taken as a whole. Of what was there before, the innermost function
    around the change is taken if it is short, else a ``try`` that came with the change.

    Args:
        code_patterns: the patterns of the text after the change.
        added: numbers of the lines that are new.
        lines: that text.

    """
    written = {number for number in added if number <= len(lines) and lines[number - 1].strip()}

    def is_new(pattern: CodePattern) -> bool:
        return all(number in written or not lines[number - 1].strip() for number in pattern.lines)

    new = outermost(
        pattern for pattern in code_patterns if is_new(pattern) and pattern.what != HANDLING
    )
    left = written.difference(*(pattern.lines for pattern in new)) if new else written
    around = [
        pattern
        for pattern in code_patterns
        if pattern.what in ("function", "method")
        and pattern not in new
        and len(pattern.lines) <= _SHORT
    ]
    touched: dict[CodePattern, None] = {}
    for number in sorted(left):
        holding = [pattern for pattern in around if number in pattern.lines]
        if holding:
            touched[min(holding, key=lambda pattern: (len(pattern.lines), pattern.first))] = None
    tries = [
        pattern
        for pattern in code_patterns
        if pattern.what == HANDLING
        and is_new(pattern)
        and not any(pattern.first in other.lines for other in (*new, *touched))
    ]
    return sorted(
        [*new, *touched, *outermost(tries)], key=lambda pattern: (pattern.first, -pattern.last)
    )


def is_worth_keeping(pattern: CodePattern) -> bool:
    """Tell whether a piece can teach anything: no test, whole, neither trivial nor endless."""
    if pattern.is_test or pattern.broken or len(pattern.lines) > _MOST_LINES:
        return False
    if pattern.what == "class":
        return pattern.methods > 0  # else it holds data, and does nothing
    return pattern.statements >= _FEW or bool(pattern.traits)


def fresh(
    code_patterns: Iterable[CodePattern], known_digests: AbstractSet[str]
) -> list[CodePattern]:
    """Keep those whose digest is not known, each once."""
    new: dict[str, CodePattern] = {}
    for pattern in code_patterns:
        if pattern.digest not in known_digests:
            new.setdefault(pattern.digest, pattern)
    return list(new.values())
