"""Regular expressions as JavaScript and .NET write them, in Python's words.

Both are near to Python's; where a sign means something else, or nothing, it is written anew. What
can't be is refused with its reason.
"""

import re
import warnings
from importlib import import_module
from typing import Any, Final, NamedTuple

from gitmem.tools.matchers.steps import SlowPattern, is_anchored, longest_line

MOST_CHARACTERS: Final = 1_000
_KNOWN: Final = frozenset("dDwWsSbBnrtfvux")
"""Letters that mean the same behind a backslash."""
_OTHERWISE: Final = {"e": r"\x1b", "A": r"\A", "Z": r"\Z", "z": r"\Z"}
_SETS: Final = "dDwWsS"
_REFUSED: Final = {
    "k": "refers back to a group",
    "p": "names a class of Unicode",
    "P": "names a class of Unicode",
    "c": "names a control character",
    "G": "goes on where another match ended",
}
_PLAIN_GROUPS: Final = ("(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>")
_GROUP_NAME: Final = re.compile(r"\(\?(?:<(\w{1,60})>|'(\w{1,60})')")
_QUANTITY: Final = re.compile(r"\{(\d{1,6})(?:(,)(\d{0,6}))?\}")

_parser: Final[Any] = import_module("re._parser")


class RefusedPattern(Exception):  # noqa: N818  a reason, not a fault
    """A pattern is not used; says why."""


class LinePattern(NamedTuple):
    """A pattern that may be asked about lines.

    Attributes:
        compiled: the pattern.
        tree: as Python parsed it.
        anchored: nothing can be found further right than from a line's beginning.
        longest: characters of a line up to which it is asked.

    """

    compiled: re.Pattern[str]
    tree: Any
    anchored: bool
    longest: int

    def of(self, line: str) -> re.Match[str] | None:
        """Match a line."""
        if len(line) > self.longest or "\x1b" in line:  # the estimate takes it that none is there
            return None
        return self.compiled.match(line) if self.anchored else self.compiled.search(line)


def line_pattern(text: object) -> LinePattern:
    """Make a pattern of its text.

    Raises:
        RefusedPattern: if it is none, or one that may take long.

    """
    if not isinstance(text, str) or not text:
        raise RefusedPattern("is missing")
    if len(text) > MOST_CHARACTERS:
        raise RefusedPattern(f"is longer than {MOST_CHARACTERS:,} characters")
    written = in_pythons_words(text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = _parser.parse(written)
            longest = longest_line(tree)
            compiled = re.compile(written)
    except SlowPattern as slow:
        raise RefusedPattern(str(slow)) from None
    except (re.error, OverflowError, RecursionError) as error:
        raise RefusedPattern(f"is not understood: {str(error)[:100]}") from None
    return LinePattern(compiled, tree, is_anchored(list(tree)), longest)


def in_pythons_words(text: str) -> str:
    """Write a pattern anew for Python; names of groups go, as they are only counted."""
    written: list[str] = []
    at = 0
    while at < len(text):
        sign = text[at]
        if sign == "\\":
            piece, at = _escaped(text, at, inside=False)
        elif sign == "[":
            piece, at = _set(text, at)
        elif sign == "(":
            piece, at = _group(text, at)
        elif sign == "{":
            quantity = _QUANTITY.match(text, at)
            piece, at = (quantity[0], quantity.end()) if quantity and written else ("\\{", at + 1)
        else:
            piece, at = sign, at + 1
        written.append(piece)
    return "".join(written)


def _group(text: str, at: int) -> tuple[str, int]:
    if not text.startswith("(?", at):
        return "(", at + 1
    for opening in _PLAIN_GROUPS:
        if text.startswith(opening, at):
            return opening, at + len(opening)
    named = _GROUP_NAME.match(text, at)
    if named is None:
        raise RefusedPattern(f"has a group {text[at : at + 4]!r}, which is not known here")
    return "(", named.end()


def _escaped(text: str, at: int, *, inside: bool) -> tuple[str, int]:
    """Write what follows a backslash; give it and where it ends."""
    sign = text[at + 1 : at + 2]
    if not sign:
        raise RefusedPattern("ends with a backslash")
    if sign in "123456789" and not inside:
        raise RefusedPattern("refers back to a group")
    if sign in _REFUSED:
        raise RefusedPattern(_REFUSED[sign])
    if sign in _OTHERWISE and not (inside and sign in "AZz"):
        return _OTHERWISE[sign], at + 2
    if sign.isascii() and sign.isalpha() and sign not in _KNOWN:
        return sign, at + 2
    if inside and sign == "B":
        return sign, at + 2
    return text[at : at + 2], at + 2


def _set(text: str, at: int) -> tuple[str, int]:
    """Write a set of characters: a bracket or a hyphen in it may have to be escaped."""
    at += 1
    negated = text.startswith("^", at)
    at += negated
    if text.startswith("]", at):
        if not negated:
            raise RefusedPattern("has an empty set of characters")
        return r"[\s\S]", at + 1
    pieces: list[str] = []
    while not text.startswith("]", at):
        if at >= len(text):
            raise RefusedPattern("has a set of characters without its end")
        if text[at] == "\\":
            piece, at = _escaped(text, at, inside=True)
        elif text[at] == "-":
            piece, at = _hyphen(text, at, pieces), at + 1
        else:
            # Python keeps brackets and doubled signs in sets for later.
            piece, at = ("\\" if text[at] in "[&~|^" else "") + text[at], at + 1
        pieces.append(piece)
    return "[" + "^" * negated + "".join(pieces) + "]", at + 1


def _hyphen(text: str, at: int, pieces: list[str]) -> str:
    """Write a hyphen: beside a set of letters or digits it stands for itself."""
    before = bool(pieces) and pieces[-1][:1] == "\\" and pieces[-1][1:] in tuple(_SETS)
    after = text[at + 1 : at + 2] == "\\" and text[at + 2 : at + 3] in tuple(_SETS)
    return "\\-" if before or after or not pieces else "-"
