"""Memory: the façade that every face speaks to, and where the parts are put together.

Names are imported when they are used: ``prefetch`` is imported before them.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.memory.advice.tasks import Apply, Confirm, RunningTask
    from gitmem.memory.checks.status import MemoryStatus
    from gitmem.memory.codebase.patches import FileChange, TextOf
    from gitmem.memory.core.first_hint import is_first_hint
    from gitmem.memory.core.sentence_model import (
        install_sentence_model,
        remove_sentence_model,
        sentence_model,
    )
    from gitmem.memory.core.site import user_settings
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.failures.knowing import AttemptReader
    from gitmem.memory.failures.observing import Observer
    from gitmem.memory.git_hooks import GitHooks
    from gitmem.memory.history.hooks import InstalledHooks
    from gitmem.memory.history.merge_driver import merge_files
    from gitmem.memory.initialise import Initialised
    from gitmem.memory.memory import Memory
    from gitmem.memory.prefetch import look_ahead
    from gitmem.memory.reading.reader import Reader
    from gitmem.memory.reading.watch import Following, MemoryEvent, StoreChange, Watch
    from gitmem.memory.views.attention import FixOverview
    from gitmem.memory.views.marks import Mark
    from gitmem.memory.views.mentions import Mention
    from gitmem.memory.views.templates import Template

__all__ = [
    "Apply",
    "AttemptReader",
    "Confirm",
    "FileChange",
    "FixOverview",
    "Following",
    "GitHooks",
    "Initialised",
    "InstalledHooks",
    "Mark",
    "Memory",
    "MemoryEvent",
    "MemoryStatus",
    "Mention",
    "Observer",
    "Reader",
    "Row",
    "RunningTask",
    "StoreChange",
    "Template",
    "TextOf",
    "Watch",
    "Workspace",
    "install_sentence_model",
    "is_first_hint",
    "look_ahead",
    "merge_files",
    "remove_sentence_model",
    "sentence_model",
    "user_settings",
]

_HOME_OF = {
    "Apply": "advice.tasks",
    "AttemptReader": "failures.knowing",
    "Confirm": "advice.tasks",
    "FileChange": "codebase.patches",
    "FixOverview": "views.attention",
    "Following": "reading.watch",
    "GitHooks": "git_hooks",
    "Initialised": "initialise",
    "InstalledHooks": "history.hooks",
    "Mark": "views.marks",
    "Memory": "memory",
    "MemoryEvent": "reading.watch",
    "MemoryStatus": "checks.status",
    "Mention": "views.mentions",
    "Observer": "failures.observing",
    "Reader": "reading.reader",
    "Row": "reading.reader",
    "RunningTask": "advice.tasks",
    "StoreChange": "reading.watch",
    "Template": "views.templates",
    "TextOf": "codebase.patches",
    "Watch": "reading.watch",
    "Workspace": "core.workspace",
    "merge_files": "history.merge_driver",
    "look_ahead": "prefetch",
    "install_sentence_model": "core.sentence_model",
    "is_first_hint": "core.first_hint",
    "remove_sentence_model": "core.sentence_model",
    "sentence_model": "core.sentence_model",
    "user_settings": "core.site",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401
    if name in _HOME_OF:
        return getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
