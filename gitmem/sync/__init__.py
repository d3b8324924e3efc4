"""Catch up before answering: the only place where files, catalog and index meet."""

from collections.abc import Callable

from gitmem.errors import EnvironmentProblem

Progress = Callable[[str, int, int], None]
"""The callback with which long work reports its progress."""


def quiet(_what: str, _done: int, _total: int) -> None:
    """Show no progress."""


class NothingYet(EnvironmentProblem):
    """There is nothing to answer from at once."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"no quick answer: {reason}", "ask again in a moment")
