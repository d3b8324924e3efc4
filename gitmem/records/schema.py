"""JSON Schemas of the record kinds and of the marker file, generated from the types."""

from typing import Any, Final

import msgspec

from gitmem.records.kinds import KINDS
from gitmem.records.layout import ID_PATTERN, KIND_OF, PREFIXES
from gitmem.records.marker import Marker
from gitmem.records.parts import RecordPart

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, dict[str, Any]]:
    """Build every schema, by file name."""
    written = {f"{name}.schema.json": _schema(struct, name) for name, struct in KINDS.items()}
    written["gitmem.schema.json"] = _schema(Marker, None)
    return written


def _schema(struct: type[RecordPart], kind: str | None) -> dict[str, Any]:
    raw = msgspec.json.schema(struct)
    definitions: dict[str, Any] = raw.pop("$defs")
    root: dict[str, Any] = definitions.pop(struct.__name__)
    for part in (root, *definitions.values()):
        # Unknown fields are allowed and kept, so "extra" is no field of the file.
        part.get("properties", {}).pop("extra", None)
        for spec in part.get("properties", {}).values():
            spec.pop("default", None)
    if kind:
        first = {name: root["properties"].pop(name) for name in ("schema", "id")}
        first["id"]["pattern"] = ID_PATTERN.replace("|".join(KIND_OF), PREFIXES[kind])
        root["properties"] = first | {"kind": {"const": kind}} | root["properties"]
        root["required"] = sorted({*root["required"], "kind"})
    root["title"] = f"gitmem {kind or 'marker file'}"
    return {"$schema": DIALECT} | root | ({"$defs": definitions} if definitions else {})
