"""gitmem: a repository that remembers.

>>> from gitmem import Memory
>>> with Memory.open(".") as memory:  # doctest: +SKIP
...     for hit in memory.search("naive datetime").hits:
...         print(hit.row.id, hit.row.title)

Names are imported when they are used, so that ``import gitmem`` costs nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any

from gitmem._version import __version__

if TYPE_CHECKING:
    from gitmem.errors import (
        ConflictError,
        EnvironmentProblem,
        GitmemError,
        InvalidError,
        NotFoundError,
        UsageError,
    )
    from gitmem.memory import Memory
    from gitmem.records.kinds import Decision, Error, Fix, Note, Pattern, Record, Session
    from gitmem.records.parts import Author

__all__ = [
    "Author", "ConflictError", "Decision", "EnvironmentProblem", "Error", "Fix", "GitmemError",
    "InvalidError", "Memory", "NotFoundError", "Note", "Pattern", "Record", "Session",
    "UsageError", "__version__",
]  # fmt: skip

_HOMES = {
    "gitmem.errors": (
        "ConflictError", "EnvironmentProblem", "GitmemError", "InvalidError", "NotFoundError",
        "UsageError",
    ),
    "gitmem.memory": ("Memory",),
    "gitmem.records.kinds": ("Decision", "Error", "Fix", "Note", "Pattern", "Record", "Session"),
    "gitmem.records.parts": ("Author",),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:  # noqa: ANN401
    if name in _HOME_OF:
        return getattr(importlib.import_module(_HOME_OF[name]), name)
    message = f"module 'gitmem' has no attribute {name!r}"
    raise AttributeError(message)
