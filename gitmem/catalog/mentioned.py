"""The records that name a file, or govern it by a glob."""

from collections.abc import Callable, Hashable, Iterable
from fnmatch import fnmatchcase
from typing import Any, Final

from gitmem.catalog.conditions import GLOB
from gitmem.lazy_pattern import lazily

Ask = Callable[[str, Iterable[Any]], list[Any]]
"""Asks the catalog a statement with values."""
Once = Callable[[Hashable, Callable[[], Any]], Any]
"""Answers a question of the name from before, if nothing has changed since."""
_WILD: Final = lazily(r"[*?[]")


def speaking_of(ask: Ask, once: Once, path: str, kind: str | None) -> list[int]:
    """Give the file numbers of records that name a path, or a glob for it that governs.

    Args:
        ask: asks the catalog.
        once: the same, for what many questions need.
        path: the path.
        kind: of the records; None: any.

    """
    sql = (
        "SELECT p.file FROM paths p JOIN records r ON r.file = p.file WHERE p.path = ?"
        " AND p.role NOT IN ('governs', 'branch') AND r.kind = coalesce(?, r.kind)"
    )
    files = {row[0] for row in ask(sql, [path, kind])}
    if kind in {None, "decision"}:
        # Most globs are out at the first look; SQLite would try each, 1 us a glob.
        for start, glob, file in once("governing", lambda: _governing(ask)):
            if path.startswith(start) and _is_under(path, glob):
                files.add(file)
    return sorted(files)


def _governing(ask: Ask) -> list[tuple[str, str, int]]:
    """Give each glob that governs: what its paths start with, the glob, the file number."""
    sql = (
        f"SELECT {GLOB}, p.file FROM records r CROSS JOIN paths p ON p.file = r.file"  # noqa: S608  names of ours
        " AND p.role = 'governs' WHERE r.kind = 'decision'"
    )
    return [(_WILD.split(glob, maxsplit=1)[0], glob, file) for glob, file in ask(sql, ())]


def _is_under(path: str, glob: str) -> bool:
    return fnmatchcase(path, glob) or fnmatchcase(path, f"{glob}/*")
