"""The JSON lines of the reference memory server for MCP: entities with observations, relations.

An entity becomes a note, its observations the list in it; a relation a line there, and a link.
"""

from collections import Counter
from datetime import datetime
from typing import Any, Final

from gitmem.exchange.identity import id_of
from gitmem.parts.imports.others.imported import (
    ForeignEntry,
    ForeignFile,
    envelope,
    line,
    text,
    texts,
)

_FORM: Final = "mcp-memory"


def read(rows: list[dict[str, Any]], otherwise: datetime) -> ForeignFile:
    """Read the lines of such a file.

    Args:
        rows: an object a line.
        otherwise: the time of all of it, for it bears none.

    """
    passed: Counter[str] = Counter()
    entities: dict[str, dict[str, Any]] = {}
    relations: dict[str, list[tuple[str, str]]] = {}
    for row in rows:
        name = text(row.get("name")).strip()
        start, end = text(row.get("from")).strip(), text(row.get("to")).strip()
        if row.get("type") == "entity" and name:
            entities.setdefault(name, {**row, "observations": []})["observations"] += texts(
                row.get("observations", [])
            )
        elif row.get("type") == "relation" and start and end:
            relations.setdefault(start, []).append((text(row.get("relationType")), end))
        else:
            passed["neither an entity nor a relation"] += 1
    passed["relations of what is no entity"] = sum(
        len(ends) for start, ends in relations.items() if start not in entities
    )
    ids = {name: id_of("note", _FORM, name) for name in entities}
    things = []
    for name, row in entities.items():
        ends = relations.get(name, [])
        lines = [*dict.fromkeys(row["observations"]), *(f"{how} {end}" for how, end in ends)]
        linked = [ids[end] for _, end in ends if end in ids and end != name]
        fields = {
            **envelope(ids[name], name, otherwise, "memory server", _FORM, [row.get("entityType")]),
            "body": "\n".join(f"- {line}" for line in lines),
            "links": {"relates": list(dict.fromkeys(linked))} if linked else {},
        }
        things.append(ForeignEntry(line(name), name, "note", otherwise, [("note", fields)]))
    return ForeignFile(things, passed)
