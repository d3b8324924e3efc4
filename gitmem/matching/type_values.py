"""The types that a message compares: two messages of one wording with other types are two.

What a checker expects and what it got is what has to be mended, so a message keeps these values
where it loses all other names: ``Type 'string' is not assignable to type 'number'`` is another
message than the reverse.
"""

import re
from typing import Final

_QUOTED: Final = (
    r"(?:'[^'\n]{1,200}'|\"[^\"\n]{1,200}\"|`[^`'\n]{1,200}[`']|\u2018[^\u2019\n]{1,200}\u2019)"
)
_BUILT_IN: Final = (
    r"(?:'|\")(?:str|int|float|complex|bool|bytes|bytearray|list|tuple|dict|set|frozenset|function"
    r"|method|module|type|object|range|generator|coroutine|NoneType|builtin_function_or_method"
    r"|dict_keys|dict_values|dict_items|map|filter|zip|slice|ellipsis|array)(?:'|\")"
)
# What stands before a type in TypeScript, mypy, pyright, ty, pyrefly, gcc, clang and rustc.
_BEFORE: Final = (
    r"types?|type\(s\) for [^:\n]{1,20}:|types? for \S{1,3} \(|assignable to(?: declared)?"
    r"|expected|found|got|incompatible with|for class|convert|conversion from"
)
_POSITION: Final = (
    rf"\b(?i:{_BEFORE}) \(?(?P<before>{_QUOTED})(?: (?:to|and) (?P<also>{_QUOTED}))?"
    rf"|(?P<after>{_QUOTED}) (?:is not assignable|is incompatible)"
    rf"(?: (?:to|with)(?: \w{{1,12}}){{0,3}} (?P<to>{_QUOTED}))?"
    rf"|\bfrom (?P<given>{_QUOTED}) to (?P<wanted>{_QUOTED})"
    rf"|(?P<object>{_BUILT_IN}) (?:object\b|and (?P<second>{_BUILT_IN}))|\(not (?P<not>{_QUOTED})\)"
)
_MODULE: Final = r"\b(?:builtins|typing|std|java\.lang)(?:\.|::)(?=\w)"
_TEXT: Final = r"u?(?:'[^']*'|\"[^\"]*\")"
_LITERAL: Final = (
    (r"\bLiteral\[b(?:'[^']*'|\"[^\"]*\")\]", "bytes"),
    (rf"\bLiteral\[{_TEXT}(?:, {_TEXT}){{0,60}}\]", "str"),
    (r"\bLiteral\[(?:True|False)\]", "bool"),
    (r"\bLiteral\[-?\d+\]", "int"),
)
_SCRIPT_LITERAL: Final = (
    (r'"[^"]*"', "string"), (r"-?\d+(?:\.\d+)?", "number"), (r"true|false", "boolean")
)  # fmt: skip
"""Literals as TypeScript names them, which before 4.9 stand where newer versions name the type."""
_OLD_NAME: Final = r"\b(?:Dict|FrozenSet|List|Set|Tuple|Type)(?=\[)"
"""What mypy called built-in types before 0.990, with what they hold."""
_QUOTES: Final = "'\"`\u2018"
_WORDS: Final = (
    "type", "Type", "assignable", "expected", "got", "incompatible", "class", "conver", "object",
    "and", "not",
)  # fmt: skip
"""One of them stands in every such message: of others no pattern is compiled."""


def type_values(message: str) -> tuple[str, ...]:
    """Give the types that a message names where types stand, in order; none where it names none.

    Modules that everybody leaves out are left out, and a literal counts as its type.
    """
    if not any(sign in message for sign in _QUOTES) or not any(word in message for word in _WORDS):
        return ()
    text = without_literals(message)
    return tuple(
        _in_order(_named(value[1:-1]))
        for position in re.finditer(_POSITION, text)
        for value in position.groups()
        if value
    )


def _named(name: str) -> str:
    """Give a type under the name that newer versions of its tool give it."""
    for pattern, instead in _SCRIPT_LITERAL:
        if re.fullmatch(pattern, name):
            return instead
    return re.sub(_OLD_NAME, _lower, re.sub(_MODULE, "", name))


def _lower(match: re.Match[str]) -> str:
    return match[0].lower()


def _in_order(name: str) -> str:
    """Write the members of a union in one order: checkers write them in different ones."""
    if " | " not in name:
        return name
    members, depth, start = [], 0, 0
    for at, sign in enumerate(name):
        depth += (sign in "[(") - (sign in "])")
        if not depth and name.startswith(" | ", at):
            members.append(name[start:at])
            start = at + 3
    return " | ".join(sorted([*members, name[start:]]))


def without_literals(text: str) -> str:
    """Write the types of literals instead of the literals: ``str`` for ``Literal['x']``."""
    if "Literal[" in text:
        for pattern, instead in _LITERAL:
            text = re.sub(pattern, instead, text)
    return text
