"""A knowledge base as one JSON object: a note for each of its keys."""

import json
from collections import Counter
from datetime import datetime
from typing import Any, Final

from gitmem.exchange.identity import id_of
from gitmem.parts.imports.others.imported import (
    ForeignEntry,
    ForeignFile,
    envelope,
    from_json,
    line,
    mapping,
    text,
)

_FORM: Final = "knowledge"
KEY: Final = "knowledge_base"
_OTHERS: Final = frozenset({"version", "$schema", "name", "type", "id"})
"""What files of other sorts say of themselves."""


def read(data: dict[str, Any], otherwise: datetime) -> ForeignFile:
    """Read a knowledge base, or an export that holds one under ``knowledge_base``.

    Args:
        data: the object.
        otherwise: the time of all of it, for it bears none.

    """
    passed: Counter[str] = Counter()
    base = mapping(data[KEY]) if KEY in data else data
    if KEY in data:
        passed["statistics: they follow from records"] = len(data) - 1
    things = []
    for key, value in base.items():
        body = _body(value)
        if not body.strip():
            passed["says nothing"] += 1
            continue
        fields = {
            **envelope(id_of("note", _FORM, key), key, otherwise, "knowledge base", _FORM),
            "body": body,
        }
        things.append(ForeignEntry(line(key), key, "note", otherwise, [("note", fields)]))
    return ForeignFile(things, passed)


def is_plain(data: dict[str, Any]) -> bool:
    """Tell whether an object is a knowledge base by itself: texts and lists of texts by name."""
    return (
        bool(data) and data.keys().isdisjoint(_OTHERS) and all(_is_said(v) for v in data.values())
    )


def _is_said(value: object, *, nested: bool = True) -> bool:
    if isinstance(value, dict) and nested:
        return bool(value) and all(_is_said(inner, nested=False) for inner in value.values())
    texts = value if isinstance(value, list) else [value]
    return bool(texts) and all(isinstance(item, str) for item in texts)


def _body(value: object) -> str:
    """Write a value so that it comes back as what it is: a text that reads as JSON is quoted."""
    if isinstance(value, str) and from_json(value) != value:
        return json.dumps(value, ensure_ascii=False)
    return text(value)
