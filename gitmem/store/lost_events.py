"""Notices lost file events, which watchdog only reports in its log."""

import logging
from collections.abc import Callable
from typing import Final

_OVERFLOW: Final = "overflow"
_LOGGERS: Final = ("watchdog.observers.inotify", "watchdog.observers.inotify_c")


class LostEventFilter(logging.Filter):
    """Calls ``hear`` for each such line, and takes it out of the log: it is dealt with."""

    def __init__(self, hear: Callable[[], None]) -> None:
        super().__init__()
        self._hear = hear
        for name in _LOGGERS:
            logging.getLogger(name).addFilter(self)

    def close(self) -> None:
        """Stop listening."""
        for name in _LOGGERS:
            logging.getLogger(name).removeFilter(self)

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a line stays in the log."""
        if _OVERFLOW not in record.getMessage():
            return True
        self._hear()
        return False
