"""YAML in and out, as records and settings are stored.

Most files are in the plain form that gitmem writes and need no YAML parser: PyYAML is imported
when a text is written, or asks for more. ``load(dump(x)) == x`` for whatever can be written, and
``dump(load(y)) == y`` for what was written so.
"""

import re
from typing import Any

from gitmem.errors import Position, YamlError
from gitmem.records import canonical
from gitmem.records.canonical import Path

__all__ = ["Path", "Position", "YamlError", "dump", "load", "load_mappings", "positions", "steps"]


def load(text: bytes) -> dict[str, Any]:
    """Read one YAML mapping; raise YamlError with the place of the first fault."""
    data = canonical.read(text)
    if data is None:
        from gitmem.records import yaml_reader

        data = yaml_reader.parse(text)
    return data


def load_mappings(text: bytes) -> list[dict[str, Any]]:
    """Read one YAML mapping, or a list of them; raise YamlError like ``load``."""
    from gitmem.records import yaml_reader

    data = yaml_reader.parse(text, lists=True)
    entries = data if isinstance(data, list) else [data]
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, dict):
            message = f"entry {number} is not a mapping of fields"
            raise YamlError("not-a-mapping", message, Position(1, 1))
    return entries


def positions(text: bytes) -> dict[Path, Position]:
    """Give the position of each key and entry of a text, for messages about fields."""
    from gitmem.records import yaml_reader

    positions: dict[Path, Position] = {}
    yaml_reader.parse(text, positions)
    return positions


def dump(data: dict[str, Any]) -> bytes:
    """Write a mapping canonically, keys in the given order.

    Raises:
        ValueError: there is a value that no reader could read back: NaN, half a surrogate
            pair, a number of more than 64 bits, anything that is no plain data.

    """
    from gitmem.records import yaml_writer

    return yaml_writer.dump(data)


def steps(field: str) -> Path:
    """Split a dotted path such as ``frames[0].line`` into ``("frames", 0, "line")``."""
    parts = re.findall(r"([^.\[\]]+)|\[(\d+)\]", field)
    return tuple(int(index) if index else name for name, index in parts)
