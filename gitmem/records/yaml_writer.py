"""Writing YAML with PyYAML, always in the same form.

Given key order, block scalars for text of several lines, no folding, LF. Text is quoted wherever
our reader or any YAML 1.1 or 1.2 reader would take it for something else.
"""

import math
import re
from functools import partial
from typing import Any, Final

import yaml

from gitmem.records.canonical import INT_LIMITS, plain_value

_Dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)

# What some reader takes for a number or, y and n, for a truth; PyYAML's resolver does not.
_NUMBER_LIKE = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$|0[oxb]|[yYnN]$"
)
# Line breaks of YAML 1.1 that block scalars would turn into LF, and the byte order mark.
_NEEDS_ESCAPES = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


class _RecordDumper(_Dumper):  # type: ignore[misc]
    """Writes text so that every YAML reader takes it for text.

    libyaml writes text of several lines as one quoted line as soon as it has a tab, an emoji
    or a line that ends in a blank, as every diff has. Such text is written by us: the dumper
    gets a stand-in, which ``dump`` replaces by a block.
    """

    def __init__(self, *args: Any, own: list[str], stand_in: str, **kwargs: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **kwargs)
        self.own = own
        self.stand_in = stand_in

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002
        return True

    def text(self, text: str) -> yaml.Node:
        if not _NEEDS_ESCAPES.search(text) and ("\n" in text or _ASTRAL.search(text)):
            self.own.append(text)
            return yaml.ScalarNode(_STR, f"{self.stand_in}{len(self.own) - 1}x")
        return _library_text(text)

    def mapping(self, data: dict[str, Any]) -> yaml.Node:
        pairs = [(_library_text(key), self.represent_data(value)) for key, value in data.items()]
        return yaml.MappingNode("tag:yaml.org,2002:map", pairs, flow_style=False)

    def whole(self, number: int) -> yaml.Node:
        if number not in INT_LIMITS:
            message = f"{number} can't be written: it has more than 64 bits"
            raise ValueError(message)
        return yaml.ScalarNode("tag:yaml.org,2002:int", str(number))

    def broken(self, number: float) -> yaml.Node:
        if not math.isfinite(number):
            message = f"{number} can't be written"
            raise ValueError(message)
        text = repr(number)
        if "e" in text and "." not in text:  # 1e+16 -> 1.0e+16, a float to every reader
            text = text.replace("e", ".0e")
        return yaml.ScalarNode("tag:yaml.org,2002:float", text)


_STR: Final = "tag:yaml.org,2002:str"
_RecordDumper.add_representer(str, _RecordDumper.text)
_RecordDumper.add_representer(dict, _RecordDumper.mapping)
_RecordDumper.add_representer(int, _RecordDumper.whole)
_RecordDumper.add_representer(float, _RecordDumper.broken)


def _library_text(text: str) -> yaml.Node:
    style = None
    if _NEEDS_ESCAPES.search(text) or _ASTRAL.search(text) or "\n" in text:
        style = '"'
    elif plain_value(text) is not text or _NUMBER_LIKE.match(text) or text[0] in "=<":
        style = "'"
    return yaml.ScalarNode(_STR, text, style=style)


def dump(data: dict[str, Any]) -> bytes:
    """Write a mapping canonically, keys in the given order.

    Raises:
        ValueError: there is a value that no reader could read back: NaN, half a surrogate
            pair, a number of more than 64 bits, anything that is no plain data.

    """
    own: list[str] = []
    stand_in = "textofours"
    while stand_in in repr(data):
        stand_in += "x"
    try:
        text = yaml.dump(
            data,
            Dumper=partial(_RecordDumper, own=own, stand_in=stand_in),
            sort_keys=False,
            allow_unicode=True,
            default_flow_style=False,
            width=2**30,
        )
        if own:
            stand_in_pattern = re.compile(rf"^( *)(.*?){stand_in}(\d+)x$", re.MULTILINE)
            text = stand_in_pattern.sub(lambda at: _own_text(at[1], at[2], own[int(at[3])]), text)
        return str(text).encode()
    except yaml.YAMLError as error:
        reason = " ".join(str(error).split())
        message = f"this can't be written: {reason}"
        raise ValueError(message) from None


def _own_text(indent: str, before: str, text: str) -> str:
    """Write what follows ``before`` on its line: a block, or quotes around a single line."""
    start = indent + before
    if "\n" not in text:
        escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")
        return f'{start}"{escaped}"'
    column = len(indent)
    while before.startswith(("- ", ": ")):  # entries of lists, and what a long key stands for
        column += 2
        before = before[2:]
    pad = " " * (column + 2 if before else column)
    # A first line that is blank or indented would hide how far the block is indented.
    explicit = "2" if text[0] in " \t\n" else ""
    body = text.removesuffix("\n")
    chomping = "-" if body == text else "+" if not body or body.endswith("\n") else ""
    lines = [pad + line if line else "" for line in body.split("\n")]
    return "\n".join([f"{start}|{explicit}{chomping}", *lines])
