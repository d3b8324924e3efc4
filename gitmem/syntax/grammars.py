"""The role of each node kind, for each grammar. Pure.

Kinds are those of CPython's ``ast`` for Python and of the tree-sitter grammars for the others.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from gitmem.syntax.tree import (
    BRANCH,
    CALL,
    CASE,
    CLASS,
    COMMENT,
    DECORATOR,
    EACH,
    FUNCTION,
    HANDLER,
    HOLDER,
    IMPORT,
    LAMBDA,
    LITERAL,
    LOOP,
    NAME,
    PASSED_ON,
    STATEMENT,
    STRING,
    TRY,
    WAIT,
    YIELD,
)


class Grammar(NamedTuple):
    """How to read the trees of a language.

    Attributes:
        roles: of kinds.
        binders: (kind, field) below which names are given a value.
        patterns: kinds that hand this on to what they hold.
        values: (kind, field) in them that does not bind, such as a default.

    """

    roles: Mapping[str, str]
    binders: frozenset[tuple[str, str]] = frozenset()
    patterns: frozenset[str] = frozenset()
    values: frozenset[tuple[str, str]] = frozenset()


def _roles(**kinds: str) -> dict[str, str]:
    return {kind: role for role, named in kinds.items() for kind in named.split()}


def _named(roles: Mapping[str, str]) -> dict[str, str]:
    """Turn the words that keywords can be into roles."""
    words = {
        "function": FUNCTION, "class_": CLASS, "holder": HOLDER, "lambda_": LAMBDA,
        "branch": BRANCH, "loop": LOOP, "each": EACH, "case": CASE, "handler": HANDLER,
        "try_": TRY, "passed_on": PASSED_ON, "call": CALL, "wait": WAIT, "yield_": YIELD,
        "import_": IMPORT, "name": NAME, "string": STRING, "literal": LITERAL,
        "comment": COMMENT, "decorator": DECORATOR, "statement": STATEMENT,
    }  # fmt: skip
    return {kind: words[role] for kind, role in roles.items()}


PYTHON: Final = Grammar(
    _named(
        _roles(
            function="FunctionDef AsyncFunctionDef",
            class_="ClassDef",
            lambda_="Lambda",
            branch="If IfExp",
            loop="For AsyncFor While",
            each="comprehension",
            case="match_case",
            handler="ExceptHandler",
            try_="Try TryStar",
            call="Call",
            wait="Await AsyncWith",
            yield_="Yield YieldFrom",
            import_="Import ImportFrom",
            statement=(
                "Return Delete Assign AugAssign AnnAssign Raise Assert Expr With Global Nonlocal"
                " Match Pass Break Continue TypeAlias"
            ),
        )
    )
)

_SCRIPT_ROLES: Final = _named(
    _roles(
        function=(
            "function_declaration generator_function_declaration method_definition"
            " function_expression generator_function arrow_function"
        ),
        class_=(
            "class_declaration class abstract_class_declaration interface_declaration"
            " enum_declaration"
        ),
        branch="if_statement ternary_expression",
        loop="for_statement for_in_statement while_statement do_statement",
        case="switch_case",
        handler="catch_clause",
        try_="try_statement",
        call="call_expression new_expression",
        wait="await_expression",
        yield_="yield_expression",
        import_="import_statement export_statement",
        name=("identifier shorthand_property_identifier shorthand_property_identifier_pattern"),
        string="string",
        literal="number regex",
        comment="comment",
        decorator="decorator",
        statement=(
            "expression_statement lexical_declaration variable_declaration return_statement"
            " throw_statement break_statement continue_statement"
        ),
    )
)
SCRIPT: Final = Grammar(
    _SCRIPT_ROLES,
    binders=frozenset({
        ("formal_parameters", ""), ("required_parameter", "pattern"),
        ("optional_parameter", "pattern"), ("arrow_function", "parameter"),
        ("variable_declarator", "name"), ("catch_clause", "parameter"),
        ("for_in_statement", "left"),
    }),
    patterns=frozenset({
        "object_pattern", "array_pattern", "rest_pattern", "pair_pattern", "assignment_pattern",
        "object_assignment_pattern",
    }),
    values=frozenset({
        ("assignment_pattern", "right"), ("object_assignment_pattern", "right"),
        ("pair_pattern", "key"),
    }),
)  # fmt: skip

GO: Final = Grammar(
    _named(
        _roles(
            function="function_declaration method_declaration",
            class_="type_spec",
            lambda_="func_literal",
            branch="if_statement",
            loop="for_statement",
            case="expression_case type_case communication_case",
            call="call_expression",
            wait="go_statement",
            import_="import_spec",
            name="identifier",
            string="interpreted_string_literal raw_string_literal rune_literal",
            literal="int_literal float_literal imaginary_literal",
            comment="comment",
            statement=(
                "expression_statement assignment_statement short_var_declaration return_statement"
                " var_declaration const_declaration inc_statement dec_statement defer_statement"
                " send_statement break_statement continue_statement"
            ),
        )
    ),
    binders=frozenset({
        ("parameter_declaration", "name"), ("variadic_parameter_declaration", "name"),
        ("short_var_declaration", "left"), ("var_spec", "name"), ("range_clause", "left"),
    }),
    patterns=frozenset({"expression_list"}),
)  # fmt: skip

RUST: Final = Grammar(
    _named(
        _roles(
            function="function_item function_signature_item",
            class_="struct_item enum_item trait_item union_item",
            holder="impl_item",
            lambda_="closure_expression",
            branch="if_expression",
            loop="for_expression while_expression loop_expression",
            case="match_arm",
            passed_on="try_expression",
            call="call_expression macro_invocation",
            wait="await_expression",
            import_="use_declaration mod_item extern_crate_declaration",
            name="identifier",
            string="string_literal raw_string_literal char_literal",
            literal="integer_literal float_literal",
            comment="line_comment block_comment",
            decorator="attribute_item",
            statement="expression_statement let_declaration",
        )
    ),
    binders=frozenset({
        ("parameter", "pattern"), ("let_declaration", "pattern"), ("for_expression", "pattern"),
        ("closure_parameters", ""), ("let_condition", "pattern"),
    }),
    patterns=frozenset({
        "tuple_pattern", "mut_pattern", "ref_pattern", "reference_pattern", "slice_pattern",
        "tuple_struct_pattern",
    }),
    values=frozenset({("tuple_struct_pattern", "type")}),
)  # fmt: skip

JAVA: Final = Grammar(
    _named(
        _roles(
            function="method_declaration constructor_declaration compact_constructor_declaration",
            class_="class_declaration interface_declaration enum_declaration record_declaration",
            lambda_="lambda_expression",
            branch="if_statement ternary_expression",
            loop="for_statement enhanced_for_statement while_statement do_statement",
            case="switch_block_statement_group switch_rule",
            handler="catch_clause",
            try_="try_statement try_with_resources_statement",
            call="method_invocation object_creation_expression",
            import_="import_declaration",
            name="identifier",
            string="string_literal character_literal text_block",
            literal=(
                "decimal_integer_literal hex_integer_literal octal_integer_literal"
                " binary_integer_literal decimal_floating_point_literal"
            ),
            comment="line_comment block_comment",
            decorator="marker_annotation annotation",
            statement=(
                "expression_statement local_variable_declaration return_statement throw_statement"
                " break_statement continue_statement yield_statement field_declaration"
            ),
        )
    ),
    binders=frozenset({
        ("formal_parameter", "name"), ("variable_declarator", "name"),
        ("catch_formal_parameter", "name"), ("enhanced_for_statement", "name"),
        ("resource", "name"), ("lambda_expression", "parameters"), ("inferred_parameters", ""),
    }),
    patterns=frozenset({"inferred_parameters"}),
)  # fmt: skip

GRAMMARS: Final = {
    "python": PYTHON, "javascript": SCRIPT, "typescript": SCRIPT, "go": GO, "rust": RUST,
    "java": JAVA,
}  # fmt: skip
