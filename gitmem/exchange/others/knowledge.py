"""A knowledge base as one JSON object: a note for each of its keys."""

from collections import Counter
from datetime import datetime
from typing import Any, Final

from gitmem.exchange.identity import id_of
from gitmem.exchange.others.imported import ForeignEntry, ForeignFile, envelope, line, mapping, text

_FORM: Final = "knowledge"
KEY: Final = "knowledge_base"


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


def _body(value: object) -> str:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "\n".join(f"- {item}" for item in value)
    return text(value)
