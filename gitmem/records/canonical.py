"""Reading the plain form of YAML that gitmem itself writes, twice as fast as libyaml.

It knows block mappings with simple keys, lists of scalars or of such mappings, scalars on one
line (plain, or quoted without escapes) and literal blocks, with two blanks a level. Whatever
else it meets, by hand or by mistake, it does not judge: it gives the file back unread, and the
YAML parser reads it, with all its rules and messages. So it may refuse what it could read, but
never reads anything other than the parser does; ``tests/unit/test_canonical.py`` compares them.
"""

import math
from typing import Any, Final

from gitmem.lazy_pattern import lazily

_DEEPEST: Final = 24  # blanks; far from the depth that the parser refuses
# A plain scalar starts with no indicator; ``_is_text`` says what may not follow.
_START: Final = r"[A-Za-z0-9_/.(<$+^\\]"
_SINGLE: Final = r"'([^'\t]*(?:''[^'\t]*)*)'"
_PAIR: Final = lazily(rf"([A-Za-z_][A-Za-z0-9_]{{0,99}}):(?: (?:({_START}[^\t]*)|{_SINGLE}|(.+)))?")
_PLAIN: Final = lazily(rf"{_START}[^\t]*")
_QUOTED: Final = lazily(rf'{_SINGLE}|"([^"\\\t]*)"')
_PRINTED: Final = bytes((*b"\t\n", *range(32, 127)))
_BLOCKS: Final = ("|-", "|", "|+")
# Control characters, what YAML 1.1 ends lines at, a byte order mark, and no characters at all.
_ODD: Final = lazily("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_WORDS: Final = {"null": None, "~": None, "": None, "true": True, "false": False}
_INT: Final = lazily(r"-?(?:0|[1-9][0-9]{0,18})(?!\n)$")
INT_LIMITS: Final = range(-(2**63), 2**63)
"""Whole numbers that every reader can hold."""
Path = tuple[str | int, ...]
"""The keys and positions in lists that lead to a value, from the outside in."""
_FLOAT: Final = lazily(r"-?(?:0|[1-9][0-9]*)\.[0-9]+(?:[eE][-+]?[0-9]+)?(?!\n)$")


class _Refused(Exception):  # noqa: N818  a state: the parser is asked
    """There is something that only the YAML parser knows."""


def plain_value(text: str) -> str | int | float | bool | None:
    """Give the value of an unquoted scalar: only null, true, false and JSON numbers are no text."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in "-0123456789":
        if _INT.match(text) and (whole := int(text)) in INT_LIMITS:
            return whole
        if _FLOAT.match(text) and math.isfinite(value := float(text)):
            return value
    return text


def read(text: bytes) -> dict[str, Any] | None:
    """Read the mapping that a file holds; None if it is not in the plain form."""
    try:
        content = text.decode()
    except UnicodeDecodeError:
        return None
    # Of ASCII nothing may be left; regular expressions take ten times as long.
    odd = text.translate(None, _PRINTED) if content.isascii() else _ODD.search(content)
    if odd or not content.endswith("\n"):
        return None
    lines = content.split("\n")
    try:
        data, end = _LineReader(lines).mapping(0, 0, lines[0])
    except _Refused:
        return None
    return data if end == len(lines) - 1 else None  # behind the last line end nothing is left


def _is_text(text: str) -> bool:
    """Tell whether no colon, comment or end cuts a plain scalar short."""
    return ": " not in text and " #" not in text and text[-1] not in ": "


class _LineReader:
    """Reads lines. What it gives is a value and the number of the line behind it."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines

    def mapping(self, at: int, indent: int, line: str) -> tuple[dict[str, Any], int]:
        """Read the pairs at an indentation of ``indent`` blanks, from the first line on."""
        if indent > _DEEPEST:
            raise _Refused
        built: dict[str, Any] = {}
        lines, pair = self.lines, _PAIR.fullmatch
        pad = " " * indent
        while True:
            key_value = pair(line)
            if key_value is None:
                raise _Refused
            key, plain, single, other = key_value.groups()
            if key in built:
                raise _Refused
            if plain is not None and _is_text(plain):
                built[key] = plain_value(plain)
                at += 1
            elif single is not None:
                built[key] = single.replace("''", "'")
                at += 1
            elif other is not None:
                built[key], at = self.scalar(other, at, indent)
            elif plain is None:
                built[key], at = self.below(at + 1, indent)
            else:
                raise _Refused
            line = lines[at]
            if indent:
                if not line.startswith(pad):
                    return built, at
                line = line[indent:]
            if not line or line[0] == "-":
                return built, at

    def below(self, at: int, indent: int) -> tuple[Any, int]:
        """Read what belongs to a key that has nothing on its own line."""
        line = self.lines[at]
        if line.startswith(" " * indent + "- "):
            return self.entries(at, indent)
        deeper = indent + 2
        if not line.startswith(" " * deeper):
            raise _Refused
        return self.mapping(at, deeper, line[deeper:])

    def entries(self, at: int, indent: int) -> tuple[list[Any], int]:
        """Read the entries of a list whose dashes are indented by ``indent`` blanks."""
        entries: list[Any] = []
        lines, start = self.lines, " " * indent + "- "
        while (line := lines[at]).startswith(start):
            item = line[indent + 2 :]
            if _PLAIN.fullmatch(item) and _is_text(item):
                entries.append(plain_value(item))
                at += 1
                continue
            entry: Any
            if _PAIR.fullmatch(item):
                entry, at = self.mapping(at, indent + 2, item)
            else:
                entry, at = self.scalar(item, at, indent)
            entries.append(entry)
        return entries, at

    def scalar(self, text: str, at: int, indent: int) -> tuple[str, int]:
        """Read a scalar that is not plain."""
        if text in _BLOCKS:
            return self.block(text, at + 1, indent + 2)
        quoted = _QUOTED.fullmatch(text)
        if not quoted:
            raise _Refused
        single, double = quoted.groups()
        return (double if single is None else single.replace("''", "'")), at + 1

    def block(self, sign: str, at: int, indent: int) -> tuple[str, int]:
        """Read a literal block, whose first line tells that it is ``indent`` blanks deep."""
        lines, pad = self.lines, " " * indent
        if not lines[at].startswith(pad) or lines[at][indent : indent + 1] in ("", " ", "\t"):
            raise _Refused
        start, last = at, len(lines) - 1
        while at < last and ((line := lines[at]).startswith(pad) or not line):
            at += 1
        body = [line[indent:] for line in lines[start:at]]
        while sign != "|+" and not body[-1]:
            body.pop()
        text = "\n".join(body)
        return text if sign == "|-" else f"{text}\n", at
