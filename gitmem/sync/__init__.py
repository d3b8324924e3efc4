"""Catch up before answering: the only place where files, catalog and index meet."""

from collections.abc import Callable
from typing import Final

from gitmem.catalog import VERSION as CATALOG
from gitmem.errors import EnvironmentProblem
from gitmem.index import VERSION as INDEX
from gitmem.matching import VERSION as RULES

VERSION: Final = f"{CATALOG}.{RULES}.{INDEX}"
"""Ends the names of folders of derived state: installed versions that differ rebuild their own."""

Progress = Callable[[str, int, int], None]
"""The callback with which long work reports its progress."""


def quiet(_what: str, _done: int, _total: int) -> None:
    """Show no progress."""


def nobody() -> None:
    """Leave what takes long to whoever does it."""


class NothingYet(EnvironmentProblem):
    """There is nothing to answer from at once."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"no quick answer: {reason}", "ask again in a moment")
