"""Older schemas, brought up to date in memory. A file is rewritten only on request."""

from collections.abc import Callable, Mapping
from typing import Any, Final

SCHEMA: Final = 1

Step = Callable[[dict[str, Any]], dict[str, Any]]

# STEPS[n] turns the data of schema n into that of schema n + 1. Schema 1 is the first.
STEPS: Final[Mapping[int, Step]] = {}


def migrate(
    data: dict[str, Any], steps: Mapping[int, Step] = STEPS, target: int = SCHEMA
) -> dict[str, Any]:
    """Apply the steps from the data's own schema up to ``target``; newer data is returned as is."""
    version = data.get("schema", 1)
    while isinstance(version, int) and version in steps and version < target:
        data = {**steps[version](data), "schema": version + 1}
        version += 1
    return data
