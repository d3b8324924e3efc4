"""Stands in for ``sqlite3`` in programs that asked the fix history's database themselves.

``connect`` gives a database in memory with ``fix_history``, ``issue_patterns`` and
``model_characteristics``, derived from the records. It can't be written: records are files.
"""

from gitmem.compat.opening import opened
from gitmem.memory.statistics.fix_history import Connection, as_database


def connect(database: str = "", folder: str = ".") -> Connection:
    """Open the fix history of a folder's memory; close it after use.

    Args:
        database: where the older tool kept its file; not read.
        folder: any folder of the repository.

    """
    del database
    with opened(folder) as memory:
        return as_database(memory)
