"""The languages of the extra ``code``, read by tree-sitter: its only user.

Every grammar is a wheel of its own, made by the project that keeps the grammar; nothing is
loaded or fetched at run time. A text that is not in order is read as far as it is.
"""

import importlib
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import EnvironmentProblem, install
from gitmem.syntax.grammars import GRAMMARS, Grammar
from gitmem.syntax.tree import (
    ASYNC,
    BINDS,
    BOOLEAN,
    BROKEN,
    CALL,
    CASE,
    CLASS,
    COMMENT,
    DECORATOR,
    DOCUMENTED,
    DOUBLE,
    FUNCTION,
    HOLDER,
    IMPORT,
    LITERAL,
    NAME,
    SINGLE,
    STRING,
    TEST,
    TRY,
    Node,
    Parsed,
    walk,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    import tree_sitter

_PACKAGES: Final = {
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_tsx"),
    "plain typescript": ("tree_sitter_typescript", "language_typescript"),
    "go": ("tree_sitter_go", "language"),
    "rust": ("tree_sitter_rust", "language"),
    "java": ("tree_sitter_java", "language"),
}
_LONGEST_NAME: Final = 200
# Layout, or the same with and without.
_PUNCTUATION: Final = frozenset(",;(){}[]:")
_SPLICED: Final = frozenset({"formal_parameters", "parenthesized_expression"})
_BOOLEANS: Final = ("&&", "||", "??")
_DOCUMENTS: Final = {
    "go": ("//", "/*"), "rust": ("///", "/**"), "java": ("/**",), "javascript": ("/**",),
    "typescript": ("/**",),
}  # fmt: skip
_DECLARING: Final = (
    "export_statement", "lexical_declaration", "variable_declaration", "type_declaration",
)  # fmt: skip
_NAMING: Final = (
    "variable_declarator", "pair", "public_field_definition", "field_definition",
    "assignment_expression",
)  # fmt: skip
_MOST_NODES: Final = 400_000


class ExtraMissingError(EnvironmentProblem):
    """The extra ``code`` is not installed."""

    def __init__(self, language: str) -> None:
        super().__init__(
            f"{language} can't be read: the extra code is not installed",
            install("code"),
        )


@cache
def _parser(name: str) -> "tree_sitter.Parser":
    package, function = _PACKAGES[name]
    try:
        import tree_sitter

        module: Any = importlib.import_module(package)
    except ImportError:
        raise ExtraMissingError(name.removeprefix("plain ")) from None
    return tree_sitter.Parser(tree_sitter.Language(getattr(module, function)()))


def parse_with_grammar(text: str, language: str, path: str = "") -> Parsed:
    """Read source in any language but Python.

    Args:
        text: the source.
        language: javascript, typescript, go, rust or java.
        path: the file's, as TypeScript is read otherwise where it holds no markup.

    Raises:
        ExtraMissingError: the extra is not installed.

    """
    markup = language != "typescript" or path.endswith("x") or not path
    data = text.encode(errors="replace")
    tree = _parser(language if markup else f"plain {language}").parse(data)
    if not markup or path or language != "typescript" or not tree.root_node.has_error:
        return _parsed(tree, text, language)
    plain = _parser(f"plain {language}").parse(data)  # a text of no file: it may be either
    return _parsed(tree if plain.root_node.has_error else plain, text, language)


def _parsed(tree: "tree_sitter.Tree", text: str, language: str) -> Parsed:
    lines = text.replace("\r\n", "\n").split("\n")
    root = _Converting(GRAMMARS[language], language).run(tree)
    return Parsed(language, root, lines, damaged=tree.root_node.has_error)


class _Converting:
    """Turns one tree into ours, without recursion.

    Args:
        grammar: what its nodes are for.
        language: its name.

    """

    def __init__(self, grammar: Grammar, language: str) -> None:
        self._grammar = grammar
        self._kinds_with_fields = {
            kind for kind, field in grammar.binders | grammar.values if field
        }
        self._documents = _DOCUMENTS[language]
        self._language = language

    def run(self, tree: "tree_sitter.Tree") -> Node:
        """Convert a whole tree, or as much of it as ``_MOST_NODES`` nodes hold."""
        top = tree.root_node
        root = Node(top.type, "", 1, top.end_point.row + 1)
        left: list[tuple[Any, Node, bool]] = [(top, root, False)]
        count = 0
        while left and count < _MOST_NODES:
            source, target, binding = left.pop()
            inner = self._below(source, target, binding=binding)
            count += len(target.children)
            left += inner
            if source.type in _DECLARING:
                # What documents the statement documents what it declares.
                for child in target.children:
                    child.flags |= target.flags & {DOCUMENTED}
        for node in walk(root):
            _name_function(node)
            if self._language == "go" and _is_go_check(node):
                node.flags |= {TRY}
        return root

    def _below(
        self,
        source: Any,  # noqa: ANN401  tree_sitter's
        target: Node,
        *,
        binding: bool,
    ) -> list[tuple[Any, Node, bool]]:
        """Convert what a node holds; give those of it that hold something themselves."""
        inner: list[tuple[Any, Node, bool]] = []
        comment, tested, row = "", False, -1
        for child, binds in self._held(source, binding=binding):
            role = self._grammar.roles.get(child.type, "")
            if role == COMMENT:
                if child.start_point.row != row:  # else it speaks of what is before it
                    comment = _text(child)
                continue
            row = child.end_point.row
            child_node = self._node(child, role, binds=binds)
            target.children.append(child_node)
            if child.child_count and role not in (STRING, LITERAL):
                inner.append((child, child_node, binds))
            if role == DECORATOR:
                tested = tested or "test" in _text(child).lower()
                continue
            if comment.startswith(self._documents):
                child_node.flags |= {DOCUMENTED}
            if role == FUNCTION and (tested or "Test" in _field_of_kind(child, "modifiers")):
                child_node.flags |= {TEST}
            comment, tested = "", False
        return inner

    def _held(self, source: Any, *, binding: bool) -> "Iterator[tuple[Any, bool]]":  # noqa: ANN401
        """Give what a node holds, without punctuation, and whether names are bound in it.

        What is only there for its brackets is replaced by what it holds.
        """
        left = [(source, child, number) for number, child in enumerate(source.children)][::-1]
        while left:
            above, child, number = left.pop()
            if not child.is_named and child.type in _PUNCTUATION and not child.is_missing:
                continue
            if child.type in _SPLICED:
                left += [(child, inner, at) for at, inner in enumerate(child.children)][::-1]
                continue
            # Asking for it takes the longer the more children there are before.
            has_field = above.type in self._kinds_with_fields
            field = (above.field_name_for_child(number) or "") if has_field else ""
            yield child, self._binds(above.type, field, binding=binding)

    def _binds(self, kind: str, field: str, *, binding: bool) -> bool:
        grammar = self._grammar
        if (kind, field) in grammar.binders:
            return True
        return (
            binding
            and (kind, field) not in grammar.values
            and (kind in grammar.patterns or (kind, "") in grammar.binders)
        )

    def _node(self, source: Any, role: str, *, binds: bool) -> Node:  # noqa: ANN401  tree_sitter's
        first, last = source.start_point.row + 1, source.end_point.row + 1
        broken = source.is_error or source.is_missing
        node = Node(BROKEN if broken else source.type, role, first, max(first, last))
        if role == STRING:
            node.flags = _quotes(_text(source))
        elif role == LITERAL:
            node.text = _text(source) if source.end_byte - source.start_byte == 1 else ""
        elif not source.child_count:
            node.text = _text(source)
            if role == NAME and binds:
                node.flags = frozenset({BINDS})
        elif source.type == "binary_expression" and _field(source, "operator") in _BOOLEANS:
            node.role = BOOLEAN
        if role in (FUNCTION, CLASS, HOLDER, CASE, CALL, IMPORT):
            self._name(source, node)
        return node

    def _name(self, source: Any, node: Node) -> None:  # noqa: ANN401  tree_sitter's
        """Fill in what is defined, called or imported."""
        if node.role in (FUNCTION, CLASS):
            node.name = _field(source, "name")
            if any(
                child.type in ("async", "function_modifiers") and "async" in _text(child)
                for child in source.children
            ):
                node.flags |= {ASYNC}
            if self._language == "go":
                self._go(source, node)
        elif node.role == HOLDER:
            node.name = _field(source, "type").partition("<")[0]
        elif node.role == CASE:
            if _text(source).startswith(("default", "_ =>")):
                node.role = ""  # what is left: no further way through
        elif node.role == IMPORT:
            node.name = self._imported(source)
        else:
            node.name = self._called(source)
            if node.name in ("require", "import"):
                node.role, node.name = IMPORT, _first_string(source)

    def _go(self, source: Any, node: Node) -> None:  # noqa: ANN401  tree_sitter's
        """Put the receiver before a method's name; types that are no struct are no classes."""
        if source.type == "method_declaration":
            receiver = _field(source, "receiver").strip("()").split("[")[0].split()
            node.name = f"{receiver[-1].lstrip('*') if receiver else ''}.{node.name}"
        elif source.type == "type_spec":
            of = source.child_by_field_name("type")
            if of is None or of.type not in ("struct_type", "interface_type"):
                node.role = ""

    def _called(self, source: Any) -> str:  # noqa: ANN401  tree_sitter's
        if source.type == "method_invocation":
            object_ = _field(source, "object")
            return f"{object_}.{_field(source, 'name')}".lstrip(".")
        for name in ("function", "constructor", "macro", "type"):
            if called := _field(source, name):
                return "".join(called.split())
        return ""

    def _imported(self, source: Any) -> str:  # noqa: ANN401  tree_sitter's
        """Give what is imported as it is written; of a module in place, nothing."""
        if source.type in ("import_statement", "export_statement"):
            return _field(source, "source").strip("\"'`")
        if source.type == "import_spec":
            return _field(source, "path").strip('"`')
        if source.type == "use_declaration":
            return "".join(_field(source, "argument").split())
        if source.type == "mod_item":
            return "" if source.child_by_field_name("body") else f"mod {_field(source, 'name')}"
        if source.type == "extern_crate_declaration":
            return _field(source, "name")
        words = _text(source).rstrip("; ").split()
        return words[-1] if words else ""


def _is_go_check(node: Node) -> bool:
    """Tell Go's way to handle an error, which is an ordinary branch."""
    if node.kind != "if_statement":
        return False
    test = next((child for child in node.children if child.kind == "binary_expression"), None)
    words = [child.text for child in test.children] if test else []
    return words[:1] == ["err"] and words[-1] == "nil"


def _name_function(node: Node) -> None:
    """Give a function that is a value the name that it is bound to, and the lines of that."""
    if node.kind not in _NAMING or not node.children:
        return
    named, value = node.children[0], node.children[-1]
    if value.role in (FUNCTION, CLASS) and not value.name:
        value.name = named.text
        value.first = node.first
        value.flags |= node.flags & {DOCUMENTED}


def _text(source: Any) -> str:  # noqa: ANN401  tree_sitter's
    data = source.text
    return "" if data is None else data[: 4 * _LONGEST_NAME].decode(errors="replace")


def _field(source: Any, name: str) -> str:  # noqa: ANN401  tree_sitter's
    child = source.child_by_field_name(name)
    return "" if child is None else _text(child)[:_LONGEST_NAME]


def _field_of_kind(source: Any, kind: str) -> str:  # noqa: ANN401  tree_sitter's
    return next((_text(child) for child in source.children if child.type == kind), "")


def _first_string(call: Any) -> str:  # noqa: ANN401  tree_sitter's
    given = call.child_by_field_name("arguments")
    first = given.named_child(0) if given is not None and given.named_child_count else None
    literal = _text(first) if first is not None and first.type == "string" else ""
    return literal[1:-1]


def _quotes(literal: str) -> frozenset[str]:
    inner = literal[1:-1]
    if "'" in inner or '"' in inner:
        return frozenset()
    return frozenset({DOUBLE} if literal[:1] == '"' else {SINGLE} if literal[:1] == "'" else ())
