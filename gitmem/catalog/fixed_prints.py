"""The fingerprints of what fixes fixed."""

from collections.abc import Callable, Iterable
from typing import Any


def fixed_prints(
    among: Callable[[str, Iterable[Any]], list[Any]], fixes: Iterable[str]
) -> dict[str, list[dict[str, str]]]:
    """Give for fixes the fingerprints of the errors that they name, by level."""
    sql = (
        "SELECT x.id, e.file, p.level, p.value FROM records x JOIN links k ON k.file = x.file"
        " AND k.relation = 'fixes' JOIN records e ON e.id = k.target"
        " JOIN prints p ON p.file = e.file WHERE x.id IN ({})"
    )
    by_error: dict[tuple[str, int, str], dict[str, str]] = {}
    for fix, file, numbered, value in among(sql, sorted(set(fixes))):
        level, _, case = numbered.partition(" ")
        by_error.setdefault((fix, file, case), {})[level] = value
    prints: dict[str, list[dict[str, str]]] = {}
    for (fix, *_), levels in by_error.items():
        prints.setdefault(fix, []).append(levels)
    return prints
