"""The shape of a line of code: what it does, without the names that a project gives its own things.

Two projects that fail in the same way do so in lines that look alike: ``row["id"]`` and
``user["id"]``, but not ``json.loads(text)["id"]``.
"""

import builtins
import keyword
import re
from collections.abc import Collection
from typing import Final

from gitmem.lazy_pattern import lazily

_TOKEN: Final = lazily(
    r"(?P<text>\"(?:[^\"\\]|\\.){0,400}\"|'(?:[^'\\]|\\.){0,400}'|`[^`]{0,400}`)"
    r"|(?P<number>\d[\w.]{0,40})"
    r"|(?P<name>[^\W\d]\w{0,100})"
    r"|(?P<sign>\S)"
)
_OWN_WORDS: Final = frozenset(
    {*keyword.kwlist, *keyword.softkwlist, *dir(builtins)}
    | {"const", "function", "let", "new", "null", "throw", "typeof", "undefined", "var", "void"}
    | {"auto", "bool", "char", "double", "fn", "int", "long", "mut", "static", "string", "struct"}
)
"""Words of languages: everybody's code has them."""


def line_shape(line: str, names: Collection[str] = ()) -> str:
    """Give the shape of a line.

    Args:
        line: of code.
        names: what the failure's message names; these stay.

    """
    tokens: list[str] = []
    for match in _TOKEN.finditer(line):
        before = tokens[-1] if tokens else ""
        tokens.append(_masked(match, before, line[match.end() : match.end() + 1], names))
    return " ".join(tokens)


def _masked(match: re.Match[str], before: str, after: str, names: Collection[str]) -> str:
    token = match[0]
    if match["sign"]:
        return token
    if match["number"]:
        return "0"
    if match["text"]:
        return token[1:-1] if token[1:-1] in names else '""'
    # What is called on something is mostly a library's, or the language's.
    called = after == "(" and before == "."
    return token if called or token in _OWN_WORDS or token in names else "x"
