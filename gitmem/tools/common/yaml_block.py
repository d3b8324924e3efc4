"""The YAML that test runners put below a failing point: keys with a text or a block each."""

import re
from collections.abc import Sequence
from typing import Final

_KEY: Final = re.compile(
    r"(?P<indent> *)['\"]?(?P<key>[A-Za-z_][\w -]{0,60})['\"]?:(?: +(?P<value>\S.*))?$"
)
_BLOCK: Final = ("|", "|-", "|+", ">", ">-", ">+")


def read_block(lines: Sequence[str]) -> dict[str, str]:
    """Give the texts by key, without the nesting: the first of those with one key.

    Args:
        lines: from the ``---`` on, without the closing dots.

    """
    fields: dict[str, str] = {}
    at = 1
    while at < len(lines):
        key = _KEY.match(lines[at])
        if not key:
            at += 1
            continue
        depth, value = len(key["indent"]), (key["value"] or "").strip()
        at += 1
        if value in _BLOCK:
            text, at = _deeper(lines, at, depth)
            value = text
        elif value[:1] in "\"'" and value and not _closed(value):
            while at < len(lines) and not _closed(value):
                value += "\n" + lines[at]
                at += 1
        elif not value and key["key"] in ("expected", "actual"):
            text, at = _deeper(lines, at, depth)
            value = text
        fields.setdefault(key["key"], _unquoted(value))
    return {name: value for name, value in fields.items() if value}


def _deeper(lines: Sequence[str], at: int, depth: int) -> tuple[str, int]:
    """Take the lines that are indented more than a key, without that indentation."""
    start = at
    while at < len(lines) and (
        not lines[at].strip() or len(lines[at]) - len(lines[at].lstrip()) > depth
    ):
        at += 1
    taken = lines[start:at]
    least = min((len(line) - len(line.lstrip()) for line in taken if line.strip()), default=0)
    return "\n".join(line[least:] for line in taken).strip(), at


def _closed(value: str) -> bool:
    quote = value[0]
    return len(value) > 1 and value.rstrip().endswith(quote) and not value.endswith("\\" + quote)


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        inner = value[1:-1]
        if value[0] == "'":
            return inner.replace("''", "'")
        return inner.replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")
    return value
