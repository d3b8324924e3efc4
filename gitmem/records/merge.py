"""Merging two edits of one record, field by field.

Records are written once, so that branches hardly ever change the same file. Where people edited
one on both sides, each field is merged by itself: lists as sets, with removals; mappings key by
key. What both sides set to different values is a clash, which only people can settle.
"""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from gitmem.errors import InvalidError
from gitmem.records import codec
from gitmem.records.convert import from_data, to_data

_KEY: Final = re.compile(r"^[^\s#\-][^:\n]*:", re.MULTILINE)
_MISSING: Final = object()


class Merged(NamedTuple):
    """What a merge gave.

    Attributes:
        text: the file; where fields clash, with conflict markers around them.
        clashes: names of the fields that clash.
        forgotten: id of a record that one side deleted and the other edited, where git took
            another record for it; the text is that of the other one, untouched.

    """

    text: bytes
    clashes: tuple[str, ...]
    forgotten: str = ""


def merge(base: bytes, ours: bytes, theirs: bytes, *, marker: int = 7) -> Merged | None:
    """Merge two edits of a record's file.

    Args:
        base: the text that both began with; may be empty.
        ours: the text here.
        theirs: the text there.
        marker: how long conflict markers are.

    Returns:
        None where one of them is no record's text, or they are of three different records: then
        lines are merged, not fields.

    """
    try:
        first = codec.load(base) if base.strip() else {}
        our_data, their_data = codec.load(ours), codec.load(theirs)
    except codec.YamlError:
        return None
    ids = [data.get("id") for data in (first, our_data, their_data)]
    if ids[1] != ids[2]:
        # Git takes a new record for the new name of a deleted one that is similar.
        if not all(ids) or ids[0] not in ids[1:]:
            return None
        return Merged(ours if ids[0] == ids[2] else theirs, (), forgotten=str(ids[0]))
    if first.get("id", ids[1]) != ids[1]:
        return None
    clashes: list[str] = []
    merged = _both(first, our_data, their_data, clashes, keep_ours=True)
    taken = _both(first, our_data, their_data, [], keep_ours=False)
    if not clashes:
        return Merged(_text(merged), ())
    return Merged(_marked(_text(merged), _text(taken), marker).encode(), tuple(clashes))


def _both(
    base: Mapping[str, Any],
    ours: Mapping[str, Any],
    theirs: Mapping[str, Any],
    clashes: list[str],
    *,
    keep_ours: bool,
    inside: str = "",
) -> dict[str, Any]:
    """Merge two mappings; of what clashes, keep ours or theirs."""
    merged = {}
    for name in dict.fromkeys([*ours, *theirs]):
        values = [side.get(name, _MISSING) for side in (base, ours, theirs)]
        value = _value(values, clashes, f"{inside}{name}", keep_ours=keep_ours)
        if value is not _MISSING:
            merged[name] = value
    return merged


def _value(values: list[Any], clashes: list[str], name: str, *, keep_ours: bool) -> Any:  # noqa: ANN401
    base, ours, theirs = values
    if _same(ours, theirs) or _same(theirs, base):
        return ours
    if _same(ours, base):
        return theirs
    begun = [value for value in values if value is not _MISSING]
    if all(isinstance(value, dict) for value in begun) and isinstance(ours, dict):
        if isinstance(theirs, dict):
            first = base if isinstance(base, dict) else {}
            return _both(first, ours, theirs, clashes, keep_ours=keep_ours, inside=f"{name}.")
    elif isinstance(ours, list) and isinstance(theirs, list):
        merged = _lists(base if isinstance(base, list) else [], ours, theirs)
        if merged is not None:
            return merged
    clashes.append(name)
    return ours if keep_ours else theirs


def _lists(base: list[Any], ours: list[Any], theirs: list[Any]) -> list[Any] | None:
    """Merge two lists as sets; None where both replaced an entry that has parts of its own."""
    first, our_entries, their_entries = (
        {_key(entry): entry for entry in side} for side in (base, ours, theirs)
    )
    added = [
        entry for key, entry in their_entries.items() if key not in first and key not in our_entries
    ]
    new = [key for key in our_entries if key not in first and key not in their_entries]
    replaced = [key for key in first if key not in our_entries and key not in their_entries]
    if added and new and any(isinstance(first[key], (dict, list)) for key in replaced):
        return None
    gone = {key for key in first if key not in their_entries}
    return [entry for key, entry in our_entries.items() if key not in gone] + added


def _key(entry: Any) -> str:  # noqa: ANN401
    return json.dumps(entry, sort_keys=True)


def _same(value: Any, other: Any) -> bool:  # noqa: ANN401
    if value is _MISSING or other is _MISSING:
        return value is other
    return _key(value) == _key(other)  # True is not 1 here


def _text(data: dict[str, Any]) -> bytes:
    """Write a record as gitmem does; one that is not valid keeps its fields in their order."""
    try:
        return codec.dump(to_data(from_data(data)))
    except InvalidError:
        return codec.dump(data)


def _fields(text: bytes) -> dict[str, str]:
    """Split a canonical text into its fields: what is of several lines is indented there."""
    plain = text.decode()
    starts = [match.start() for match in _KEY.finditer(plain)]
    pieces = (plain[a:b] for a, b in zip_longest(starts, starts[1:]))
    return {piece.partition(":")[0]: piece for piece in pieces}


def _marked(ours: bytes, theirs: bytes, marker: int) -> str:
    our_fields, their_fields = _fields(ours), _fields(theirs)

    def lines() -> Iterator[str]:
        for name in dict.fromkeys([*our_fields, *their_fields]):
            our_field, their = our_fields.get(name, ""), their_fields.get(name, "")
            if our_field == their:
                yield our_field
            else:
                yield f"{'<' * marker} ours\n{our_field}{'=' * marker}\n"
                yield f"{their}{'>' * marker} theirs\n"

    return "".join(lines())
