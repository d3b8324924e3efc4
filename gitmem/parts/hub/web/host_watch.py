"""Keeps what the host says of who may see what: a thread that asks before anybody needs it."""

import threading
from collections.abc import Callable
from typing import Final

from gitmem.errors import GitmemError
from gitmem.parts.hub.visitors import Visitors

_LONGEST: Final = 60.0
"""Seconds after which the hub's file is looked at again, whoever it names."""


class HostWatch:
    """One thread that refreshes permissions.

    Args:
        visitors: whose permissions these are.
        tell: is given what goes wrong, once.

    """

    def __init__(self, visitors: Visitors, tell: Callable[[str], None]) -> None:
        self._visitors = visitors
        self._tell = tell
        self._told = ""
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="host permissions", daemon=True)

    def start(self) -> None:
        """Ask the host from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Ask no more."""
        self._end.set()
        self._thread.join(2.0)
        self._visitors.close()

    def _run(self) -> None:
        while not self._end.is_set():
            problem = ""
            seconds = _LONGEST
            try:
                if permissions := self._visitors.permissions:
                    seconds = min(permissions.refresh(), _LONGEST)
                    problem = permissions.silent
            except GitmemError as error:  # the hub's file is mended some time
                problem = error.message
            if problem and problem != self._told:
                self._tell(f"permissions: {problem}")
            self._told = problem
            self._end.wait(seconds)
