"""Style facts of one source file: names, lengths, indentation, tests. Pure."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gitmem.syntax.definitions import Definition, definitions
from gitmem.syntax.languages import language_of
from gitmem.syntax.tree import (
    ANNOTATED,
    BRANCH,
    CALL,
    DOCUMENTED,
    DOUBLE,
    IMPORT,
    LITERAL,
    NAME,
    SINGLE,
    STRING,
    TEST,
    Node,
    Parsed,
    walk,
)

_TEST_FILE: Final = re.compile(
    r"test_[^/]*\.py|[^/]*_test\.(?:py|go)|[^/]*\.(?:test|spec)\.[^./]+"
    r"|(?:Test[^/]*|[^/]*Tests?)\.java"
)
_TEST_FOLDERS: Final = frozenset({"test", "tests", "__tests__", "spec", "specs", "testing"})
_ENDED: Final = re.compile(r"[\w)\]}'\"`];?$")
_STARTS: Final = {"python": "test", "go": "Test"}
_CALLED_TESTS: Final = ("it", "test", "describe", "it.each", "test.each")


class SourceFacts(NamedTuple):
    """What a file shows.

    Attributes:
        path, language: the file.
        lines: how many it has.
        functions, methods, classes, constants: names that it defines.
        lengths: lines of each function and method.
        annotated: functions and methods with types for all parameters and the result.
        documented: public definitions with documentation, and how many there are.
        imports: what it imports, as ``Node.name`` gives it.
        typed: what of that is only imported for the checker of types.
        quotes: plain strings in single and in double quotes.
        indent: ``tabs``, or blanks of one step; empty: nothing is indented.
        longest: characters of its longest line.
        semicolons: lines that end a statement with one, and without (JavaScript, TypeScript).
        crlf: its lines end as on Windows.
        tests: test functions by style.
        is_test: it holds tests, by its name or folder.
        parsed: its tree was read; else only its text counts.

    """

    path: str
    language: str
    lines: int
    functions: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()
    lengths: tuple[int, ...] = ()
    annotated: int = 0
    documented: tuple[int, int] = (0, 0)
    imports: tuple[str, ...] = ()
    typed: tuple[str, ...] = ()
    quotes: tuple[int, int] = (0, 0)
    indent: str = ""
    longest: int = 0
    semicolons: tuple[int, int] = (0, 0)
    crlf: bool = False
    tests: tuple[tuple[str, int], ...] = ()
    is_test: bool = False
    parsed: bool = False


def is_test_file(path: str) -> bool:
    """Tell a file of tests by its name, or by the folder that it is in."""
    *folders, name = path.split("/")
    return bool(_TEST_FILE.fullmatch(name)) or (
        not _TEST_FOLDERS.isdisjoint(folders) and bool(language_of(path))
    )


def facts(path: str, language: str, text: str, parsed: Parsed | None) -> SourceFacts:
    """Gather what a file shows.

    Args:
        path: the file.
        language: its language.
        text: what it holds, with its line ends.
        parsed: its tree; None: it can't be read here.

    """
    lines = text.replace("\r\n", "\n").split("\n")
    source = SourceFacts(
        path,
        language,
        len(lines) - (not lines[-1]),
        indent=_indent(lines),
        longest=max(map(len, lines)),
        semicolons=_semicolons(lines) if language in ("javascript", "typescript") else (0, 0),
        crlf="\r\n" in text,
        is_test=is_test_file(path),
    )
    return _with_tree(source, parsed) if parsed else source


def _with_tree(source: SourceFacts, parsed: Parsed) -> SourceFacts:
    defined = list(definitions(parsed))
    functions = [definition for definition in defined if definition.what == "function"]
    methods = [definition for definition in defined if definition.what == "method"]
    public = [
        definition
        for definition in defined
        if not definition.name.startswith("_")
        and TEST not in definition.node.flags
        and not source.is_test
        and "." not in definition.within
    ]
    nodes = list(walk(parsed.root))
    flags = Counter(flag for node in nodes if node.role == STRING for flag in node.flags)
    both = [*functions, *methods]
    return source._replace(
        functions=tuple(function.name for function in functions),
        methods=tuple(method.name for method in methods),
        classes=tuple(definition.name for definition in defined if definition.what == "class"),
        constants=tuple(_constants(parsed)),
        lengths=tuple(definition.node.last - definition.node.first + 1 for definition in both),
        annotated=sum(ANNOTATED in definition.node.flags for definition in both),
        documented=(sum(DOCUMENTED in definition.node.flags for definition in public), len(public)),
        imports=tuple(
            dict.fromkeys(node.name for node in nodes if node.role == IMPORT and node.name)
        ),
        quotes=(flags[SINGLE], flags[DOUBLE]),
        typed=tuple(_only_typed(nodes)),
        tests=tuple(sorted(_tests(source, parsed, nodes, defined).items())),
        parsed=True,
    )


def _tests(
    source: SourceFacts, parsed: Parsed, nodes: Sequence[Node], definitions_: Sequence[Definition]
) -> Counter[str]:
    counts: Counter[str] = Counter()
    start = _STARTS.get(parsed.language) if source.is_test else None
    for defined in definitions_:
        named = start is not None and defined.name.startswith(start)
        if defined.what != "class" and (named or TEST in defined.node.flags):
            where = "functions" if defined.what == "function" else "methods of classes"
            counts[where] += 1
    if source.is_test and parsed.language in ("javascript", "typescript"):
        for node in nodes:
            if node.role == CALL and node.name in _CALLED_TESTS and node.name != "describe":
                counts[f"calls of {node.name.partition('.')[0]}()"] += 1
    return counts


def _only_typed(nodes: Sequence[Node]) -> Iterator[str]:
    """Give what is imported below ``if TYPE_CHECKING``, or by ``import type``, and never else."""
    inside = {
        id(inner)
        for node in nodes
        if node.role == BRANCH and _asks_checker(node)
        for inner in walk(node)
    }
    typed: dict[str, None] = {}
    real: set[str] = set()
    for node in nodes:
        if node.role == IMPORT and node.name:
            if id(node) in inside or any(child.text == "type" for child in node.children):
                typed[node.name] = None
            else:
                real.add(node.name)
    yield from (name for name in typed if name not in real)


def _asks_checker(branch: Node) -> bool:
    test = branch.children[0] if branch.children else branch
    return "TYPE_CHECKING" in {test.text, *(child.text for child in test.children)}


def _constants(parsed: Parsed) -> Iterator[str]:
    """Give the names of plain values at the top: what each language calls a constant."""
    if parsed.language in ("go", "rust", "java"):
        for node in walk(parsed.root):
            if node.kind in ("const_spec", "const_item", "static_item"):
                yield from (child.text for child in node.children[:4] if child.role == NAME)
            elif node.kind == "field_declaration" and _is_fixed(node):
                yield from (
                    child.children[0].text
                    for child in node.children
                    if child.kind == "variable_declarator" and child.children
                )
        return
    for node in parsed.root.children:
        inside = node.children if node.kind == "export_statement" else (node,)
        for statement in inside:
            yield from _of_statement(statement)


def _is_fixed(field: Node) -> bool:
    """Tell a field of Java that is static and final."""
    words = {
        leaf.text
        for child in field.children
        if child.kind == "modifiers"
        for leaf in child.children
    }
    return {"static", "final"} <= words


def _of_statement(node: Node) -> Iterator[str]:
    """Give the constant that a statement of Python, or several that one of a script, defines."""
    if node.kind in ("Assign", "AnnAssign") and node.children:
        name = node.children[0]
        if name.role == NAME and not name.text.startswith("__") and _is_plain(node.children[-1]):
            yield name.text
    elif node.kind == "lexical_declaration" and any(
        child.text == "const" for child in node.children
    ):
        for child in node.children:
            if child.kind == "variable_declarator" and child.children:
                name, value = child.children[0], child.children[-1]
                if name.text and value.role in (STRING, LITERAL):
                    yield name.text


def _is_plain(value: Node) -> bool:
    """Tell a value that is written out: text, numbers, and lists of them."""
    return (
        value.role not in (NAME, CALL)
        and value.kind != "Name"
        and all(
            part.role in (STRING, LITERAL)
            or part.kind in ("Tuple", "List", "Dict", "Set", "UnaryOp", "USub", "Constant")
            for part in walk(value)
        )
    )


def _indent(lines: Sequence[str]) -> str:
    """Give the commonest step by which a line is indented more than the one before."""
    steps: Counter[str] = Counter()
    before = 0
    for line in lines:
        bare = line.lstrip(" \t")
        if not bare or bare.startswith("*"):
            continue
        space = line[: len(line) - len(bare)]
        if "\t" in space:
            steps["tabs"] += 1
            before = 0
            continue
        depth = len(space)
        if before < depth <= before + 8 and depth - before > 1:
            steps[str(depth - before)] += 1
        before = depth
    return max(steps, key=lambda step: (steps[step], step), default="")


def _semicolons(lines: Sequence[str]) -> tuple[int, int]:
    """Count lines that end a simple statement with and without a semicolon."""
    begins = ("const ", "let ", "return ", "import ", "throw ")
    ends = [line.strip() for line in lines]
    statements = [line for line in ends if line.startswith(begins) and _ENDED.search(line)]
    having = sum(line.endswith(";") for line in statements)
    return having, len(statements) - having
