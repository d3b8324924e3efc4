"""Lets the kernel report touched files to a memory that stays open."""

import logging
from typing import TYPE_CHECKING, Final

from gitmem.store.inotify import InotifyQueue
from gitmem.store.poll import file_system, is_remote

if TYPE_CHECKING:
    from gitmem.memory.core.workspace import Workspace

_BY_EVENTS: Final = "auto"
_log = logging.getLogger(__name__)


def watch_incrementally(workspace: "Workspace") -> None:
    """Compare only what the system says was touched, unless it can't tell or it is not wanted.

    It is not where ``watch.mode`` says ``poll`` or ``off``, and not on a network file system,
    whose other users this machine's kernel does not know. Answers stay as right as before.
    """
    site = workspace.site
    if site.config.watch_mode != _BY_EVENTS or is_remote(file_system(site.folder)):
        return
    try:
        workspace.derived.comparison.listen(InotifyQueue(site.folder))
    except OSError as error:
        _log.info("%s: all files are compared before each answer: %s", site.folder, error)
