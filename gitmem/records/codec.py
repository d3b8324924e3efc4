"""YAML in and out: the only module that knows PyYAML.

The reader is a small composer over PyYAML's event stream (libyaml's parser where it is
there). It is stricter than YAML: one document, no tags, anchors or aliases, no duplicate
keys, bounded depth; and plainer: of the unquoted scalars only null, true, false and JSON
numbers are not text, so that ``no``, ``on``, ``1e3`` and dates stay what was written.

The writer is canonical: given key order, block scalars for text of several lines, no
folding, LF. Text is quoted wherever this reader or any YAML 1.1 or 1.2 reader would take
it for something else, so ``load(dump(x)) == x`` and ``dump(load(y)) == y`` for our own y.
"""

import math
import re
from collections.abc import Iterator
from functools import partial
from typing import Any, Final, NamedTuple

import yaml

from gitmem.records import canonical
from gitmem.records.canonical import INT_LIMITS, plain_value

FAST: Final = hasattr(yaml, "CSafeLoader")
_Loader: Any = yaml.CSafeLoader if FAST else yaml.SafeLoader
_Dumper: Any = yaml.CSafeDumper if FAST else yaml.SafeDumper

MAX_DEPTH: Final = 50
# What some reader takes for a number or, y and n, for a truth; PyYAML's resolver does not.
_NUMBER_LIKE = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$|0[oxb]|[yYnN]$"
)
# Line breaks of YAML 1.1 that block scalars would turn into LF, and the byte order mark.
_NEEDS_ESCAPES = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_MARKER = re.compile(rb"^(?:<{7}|\|{7}|={7}|>{7})(?: |\r?$)", re.MULTILINE)
_ODD_ENDS = re.compile(b"\xc2\x85|\xe2\x80[\xa8\xa9]")
_YAML_LINE = re.compile("[^\r\n\x85\u2028\u2029]*(?:\r\n|[\r\n\x85\u2028\u2029]|$)")
_EDITOR_END = re.compile("\r\n|\r|\n")

Path = tuple[str | int, ...]


class Position(NamedTuple):
    """Where in a file, counted from 1."""

    line: int
    column: int


class YamlError(Exception):
    """A text that is not one plain YAML mapping of ours."""

    def __init__(self, code: str, message: str, position: Position, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.position = position
        self.hint = hint


def load(text: bytes) -> dict[str, Any]:
    """Read one YAML mapping; raise YamlError with the place of the first fault."""
    data = canonical.read(text)
    if data is None:
        data = _load(text, None)
    return data


def load_mappings(text: bytes) -> list[dict[str, Any]]:
    """Read one YAML mapping, or a list of them; raise YamlError like ``load``."""
    data = _load(text, None, lists=True)
    entries = data if isinstance(data, list) else [data]
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, dict):
            message = f"entry {number} is not a mapping of fields"
            raise YamlError("not-a-mapping", message, Position(1, 1))
    return entries


def positions(text: bytes) -> dict[Path, Position]:
    """Give the position of each key and entry of a text, for messages about fields."""
    positions: dict[Path, Position] = {}
    _load(text, positions)
    return positions


def _load(text: bytes, positions: dict[Path, Position] | None, *, lists: bool = False) -> Any:  # noqa: ANN401
    _refuse_encoding(text)
    marker = _MARKER.search(text) if b"<<<<<<<" in text or b">>>>>>>" in text else None
    if marker and marker.group().startswith((b"<<<<<<<", b">>>>>>>")):
        line = text.count(b"\n", 0, marker.start()) + 1
        raise YamlError(
            "conflict-marker",
            "a merge left its conflict markers in this file",
            Position(line, 1),
            "keep one side, or both as two files, and remove the marker lines",
        )
    loader: Any = None
    try:
        loader = _Loader(text)  # the pure reader looks for control characters right here
        return _Composer(loader, positions).document(lists=lists)
    except yaml.MarkedYAMLError as error:
        where = error.problem_mark or error.context_mark
        if where and error.context_mark and where.index >= len(text.decode().rstrip()):
            where = error.context_mark  # an unclosed quote or bracket: where it opens
        at = Position(where.line + 1, where.column + 1) if where else Position(1, 1)
        reason = error.problem or error.context or "not valid YAML"
        raise YamlError("yaml-syntax", f"not valid YAML: {_one_line(reason)}", at) from None
    except yaml.YAMLError as error:
        at = _reader_position(text, error)
        reason = getattr(error, "reason", None) or "not valid YAML"
        raise YamlError("yaml-syntax", f"not valid YAML: {_one_line(reason)}", at) from None
    except YamlError as error:
        error.position = _as_editors_count(text, error.position)
        raise
    finally:
        if loader:
            loader.dispose()
        if positions:
            positions.update({key: _as_editors_count(text, at) for key, at in positions.items()})


def _refuse_encoding(text: bytes) -> None:
    hint = "save it as UTF-8"
    if text.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise YamlError("encoding", "this file is UTF-16, not UTF-8", Position(1, 1), hint)
    try:
        text.decode()
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        column = error.start - text.rfind(b"\n", 0, error.start)
        message = f"byte 0x{text[error.start]:02x} is not valid UTF-8"
        raise YamlError("encoding", message, Position(line, column), hint) from None


def _reader_position(text: bytes, error: yaml.YAMLError) -> Position:
    """PyYAML's reader names a character offset; turn it into line and column."""
    offset = getattr(error, "position", None)
    if not isinstance(offset, int):
        return Position(1, 1)
    # libyaml counts bytes, the pure reader characters.
    before = text[:offset].decode(errors="replace") if FAST else text.decode()[:offset]
    return Position(before.count("\n") + 1, len(before) - before.rfind("\n"))


def _as_editors_count(text: bytes, at: Position) -> Position:
    """Turn a place by YAML's lines into one by lines that end in LF, CR or both.

    YAML 1.1 also ends a line at NEL, LS and PS, editors don't.
    """
    if not _ODD_ENDS.search(text):
        return at
    lines = _YAML_LINE.findall(text.decode())
    before = "".join(lines[: at.line - 1]) + "".join(lines[at.line - 1 :])[: at.column - 1]
    plain = _EDITOR_END.split(before)
    return Position(len(plain), len(plain[-1]) + 1)


def _one_line(reason: object) -> str:
    return " ".join(str(reason).split())


class _Composer:
    """Builds plain data out of parser events."""

    def __init__(self, loader: Any, positions: dict[Path, Position] | None) -> None:  # noqa: ANN401
        self.next = loader.get_event
        self.found = positions

    def document(self, *, lists: bool) -> Any:  # noqa: ANN401
        self.next()  # stream start
        event = self.next()
        if isinstance(event, yaml.StreamEndEvent):
            raise YamlError("empty", "this file is empty", Position(1, 1))
        event = self.next()
        if not isinstance(event, yaml.MappingStartEvent) and not (
            lists and isinstance(event, yaml.SequenceStartEvent)
        ):
            message = "a record must be a mapping of fields"
            raise YamlError("not-a-mapping", message, _at(event), "write 'field: value' lines")
        data = self.value(event, (), 0)
        self.next()  # document end
        event = self.next()
        if not isinstance(event, yaml.StreamEndEvent):
            message = "several YAML documents where one is expected"
            raise YamlError("several-documents", message, _at(event), "one file holds one record")
        return data

    def value(self, event: Any, path: Path, depth: int) -> Any:  # noqa: ANN401
        """Build the node that ``event`` opens."""
        if event.__class__ is yaml.ScalarEvent:
            if event.anchor or event.tag:
                self.refuse(event)
            text: str = event.value
            if not FAST and not text.isascii():
                _refuse_halves(event, text)
            return plain_value(text) if event.implicit[0] else text
        if isinstance(event, yaml.AliasEvent) or event.anchor or event.tag:
            self.refuse(event)
        if depth >= MAX_DEPTH:
            raise YamlError("too-deep", f"nested more than {MAX_DEPTH} deep", _at(event))
        if isinstance(event, yaml.MappingStartEvent):
            return self.pairs(path, depth)
        return list(self.entries(path, depth))

    def pairs(self, path: Path, depth: int) -> dict[str, Any]:
        built: dict[str, Any] = {}
        scalar, ended, read, positions = (
            yaml.ScalarEvent,
            yaml.MappingEndEvent,
            self.next,
            self.found,
        )
        while (event := read()).__class__ is not ended:
            if event.__class__ is not scalar:
                if isinstance(event, yaml.AliasEvent):
                    self.refuse(event)
                raise YamlError("bad-key", "a key must be text", _at(event))
            if event.anchor or event.tag:
                self.refuse(event)
            key = event.value
            if key in built:
                raise YamlError("duplicate-key", f"the key '{key[:80]}' stands twice", _at(event))
            if positions is not None:
                positions[*path, key] = _at(event)
            event = read()
            if FAST and event.__class__ is scalar and not (event.anchor or event.tag):
                built[key] = plain_value(event.value) if event.implicit[0] else event.value
            else:
                built[key] = self.value(event, (*path, key), depth + 1)
        return built

    def entries(self, path: Path, depth: int) -> Iterator[Any]:
        index = 0
        while (event := self.next()).__class__ is not yaml.SequenceEndEvent:
            if self.found is not None:
                self.found[*path, index] = _at(event)
            yield self.value(event, (*path, index), depth + 1)
            index += 1

    @staticmethod
    def refuse(event: Any) -> None:  # noqa: ANN401
        what = "a tag" if getattr(event, "tag", None) else "an anchor or alias"
        message = f"{what} is not allowed in a record"
        raise YamlError("yaml-feature", message, _at(event), "write the plain value, quoted")


def _refuse_halves(event: Any, text: str) -> None:  # noqa: ANN401
    """Refuse half a surrogate pair, written as an escape; libyaml does so by itself."""
    try:
        text.encode()
    except UnicodeEncodeError:
        message = "not valid YAML: half a surrogate pair"
        raise YamlError("yaml-syntax", message, _at(event)) from None


def _at(event: Any) -> Position:  # noqa: ANN401
    return Position(event.start_mark.line + 1, event.start_mark.column + 1)


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
        message = f"this can't be written: {_one_line(error)}"
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


def steps(field: str) -> Path:
    """Split a dotted path such as ``frames[0].line`` into ``("frames", 0, "line")``."""
    parts = re.findall(r"([^.\[\]]+)|\[(\d+)\]", field)
    return tuple(int(index) if index else name for name, index in parts)
