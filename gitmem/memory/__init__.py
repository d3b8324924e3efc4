"""Memory: the façade that every face speaks to, and where the parts are put together.

Names are imported when they are used: ``ahead`` is imported before them.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gitmem.memory.advice.tasks import Apply, Confirm, RunningTask
    from gitmem.memory.core.site import user_layer
    from gitmem.memory.failures.knowing import AttemptReader
    from gitmem.memory.failures.observing import Observer
    from gitmem.memory.git_hooks import GitHooks
    from gitmem.memory.history.hooks import InstalledHooks
    from gitmem.memory.history.merge_driver import merge_files
    from gitmem.memory.memory import Memory
    from gitmem.memory.reading.reader import Reader
    from gitmem.memory.view import MemoryStatus, View

__all__ = [
    "Apply",
    "AttemptReader",
    "Confirm",
    "GitHooks",
    "InstalledHooks",
    "Memory",
    "MemoryStatus",
    "Observer",
    "Reader",
    "RunningTask",
    "View",
    "merge_files",
    "user_layer",
]

_HOME_OF = {
    "Apply": "advice.tasks",
    "AttemptReader": "failures.knowing",
    "Confirm": "advice.tasks",
    "GitHooks": "git_hooks",
    "InstalledHooks": "history.hooks",
    "Memory": "memory",
    "MemoryStatus": "view",
    "Observer": "failures.observing",
    "Reader": "reading.reader",
    "RunningTask": "advice.tasks",
    "View": "view",
    "merge_files": "history.merge_driver",
    "user_layer": "core.site",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401
    if name in _HOME_OF:
        return getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
