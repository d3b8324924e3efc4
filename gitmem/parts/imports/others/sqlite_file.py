"""SQLite files of other tools: recognised by their tables, read, and never changed."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from typing import Any, Final
from urllib.parse import quote

from gitmem.errors import InvalidError
from gitmem.parts.imports.others import chroma, coding, fix_history
from gitmem.parts.imports.others.imported import ForeignFile

_READERS: Final[dict[str, tuple[frozenset[str], Callable[..., ForeignFile]]]] = {
    fix_history.FORM: (fix_history.TABLES, fix_history.read),
    chroma.FORM: (chroma.TABLES, chroma.read),
    coding.FORM: (coding.TABLES, coding.read),
}
FORMS: Final = tuple(_READERS)


def read(path: str, otherwise: datetime, form: str = "", root: str = "") -> tuple[str, ForeignFile]:
    """Read such a file.

    Args:
        path: where it is.
        otherwise: the time of what bears none.
        form: one of ``FORMS``; empty: told by its tables.
        root: the repository, where absolute paths may lie in it.

    Returns:
        The form, and what the file holds.

    Raises:
        InvalidError: it is damaged, or has none of the tables.

    """
    try:
        with closing(sqlite3.connect(f"file:{quote(path)}?mode=ro", uri=True)) as db:
            db.row_factory = sqlite3.Row

            def query(sql: str) -> list[dict[str, Any]]:
                return [dict(row) for row in db.execute(sql)]

            tables = {row["name"] for row in query("SELECT name FROM sqlite_schema")}
            for name in (form,) if form else FORMS:
                needed, reader = _READERS[name]
                if needed <= tables:
                    return name, reader(query, tables, otherwise, root)
    except sqlite3.Error as error:
        raise InvalidError(f"this SQLite file can't be read: {error}") from None
    named = (", ".join(sorted(_READERS[name][0])) for name in ((form,) if form else FORMS))
    raise InvalidError(
        "this SQLite file has no tables that gitmem knows", f"it looks for {'; or '.join(named)}"
    )
