"""Memory: the façade that every face speaks to, and where the parts are put together.

Names are imported when they are used: ``ahead`` is imported before them.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gitmem.memory.failures.knowing import AttemptReader
    from gitmem.memory.failures.observing import Observer
    from gitmem.memory.memory import Memory
    from gitmem.memory.view import MemoryStatus, View

__all__ = ["AttemptReader", "Memory", "MemoryStatus", "Observer", "View"]

_HOME_OF = {
    "AttemptReader": "failures.knowing",
    "Memory": "memory",
    "MemoryStatus": "view",
    "Observer": "failures.observing",
    "View": "view",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401
    if name in _HOME_OF:
        return getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
