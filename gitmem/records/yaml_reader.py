"""Reading YAML with PyYAML: what ``canonical`` gave back, and the positions of fields.

A small composer over PyYAML's event stream (libyaml's parser where it is there). It is stricter
than YAML: one document, no tags, anchors or aliases, no duplicate keys, bounded depth; and
plainer: of the unquoted scalars only null, true, false and JSON numbers are not text, so that
``no``, ``on``, ``1e3`` and dates stay what was written.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

import yaml

from gitmem.errors import Position, YamlError
from gitmem.records.canonical import Path, plain_value

FAST: Final = hasattr(yaml, "CSafeLoader")
_Loader: Any = yaml.CSafeLoader if FAST else yaml.SafeLoader

MAX_DEPTH: Final = 50
_AHEAD: Final = "nesting depth"
# Seven of them, or more where git merges what it takes for one file under two names.
_MARKER = re.compile(rb"^(?:<{7,}|\|{7,}|={7,}|>{7,})(?: |\r?$)", re.MULTILINE)
_ODD_ENDS = re.compile(b"\xc2\x85|\xe2\x80[\xa8\xa9]")
_YAML_LINE = re.compile("[^\r\n\x85\u2028\u2029]*(?:\r\n|[\r\n\x85\u2028\u2029]|$)")
_EDITOR_END = re.compile("\r\n|\r|\n")


def parse(
    text: bytes, positions: dict[Path, Position] | None = None, *, lists: bool = False
) -> Any:  # noqa: ANN401
    """Read one mapping, or with ``lists`` also a list, and fill in the positions of its keys.

    Raises:
        YamlError: with the place of the first fault.

    """
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
    try:
        return _document(text, positions, lists=lists)
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
        if positions:
            positions.update({key: _as_editors_count(text, at) for key, at in positions.items()})


def _document(text: bytes, positions: dict[Path, Position] | None, *, lists: bool) -> Any:  # noqa: ANN401
    # Some versions of libyaml read so far ahead that they refuse a text for its depth before the
    # composer has come to the place; the pure reader gets there.
    for reader in (_Loader, yaml.SafeLoader):
        loader: Any = reader(text)  # the pure reader looks for control characters right here
        try:
            return _Composer(loader, positions).document(lists=lists)
        except yaml.MarkedYAMLError as error:
            if reader is yaml.SafeLoader or _AHEAD not in (error.problem or ""):
                raise
        finally:
            loader.dispose()
    return None


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
                raise YamlError("duplicate-key", f"the key '{key[:80]}' occurs twice", _at(event))
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
