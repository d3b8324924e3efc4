"""Letting the system tell a memory that stays open which of its files are touched."""

import logging
from typing import TYPE_CHECKING, Final

from gitmem.store.inotify import InotifyQueue
from gitmem.store.polling import file_system, is_remote

if TYPE_CHECKING:
    from gitmem.memory.view import View

_TOLD: Final = "auto"
_log = logging.getLogger(__name__)


def attend(memory: "View") -> None:
    """Let a memory compare what was touched alone, unless that can't be told or is not wanted.

    It is not where ``watch.mode`` says ``poll`` or ``off``, and not on a network file system,
    whose other users this machine's kernel does not know.
    """
    site = memory.site
    if site.config.watch_mode != _TOLD or is_remote(file_system(site.folder)):
        return
    try:
        memory.derived.comparison.listen(InotifyQueue(site.folder))
    except OSError as error:
        _log.info("%s: all files are compared before each answer: %s", site.folder, error)
