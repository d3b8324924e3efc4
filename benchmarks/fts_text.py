"""Questions as SQLite's full-text table takes them.

Apart from the table's making, so that the measuring process stays small.
"""

import re
from typing import Final

ASK: Final = (
    "SELECT title FROM records WHERE records MATCH ? ORDER BY bm25(records, 4, 2, 1) LIMIT 10"
)
ONE_LINER: Final = (
    "import sqlite3, sys\n"
    "for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2], sys.argv[3:]): print(row[0])"
)
"""A whole search as one small program, for ``python -c``."""


def any_of(text: str) -> str:
    """Write a question in which any word may match."""
    return " OR ".join(f'"{word}"' for word in dict.fromkeys(re.findall(r"\w+", text.lower())))
