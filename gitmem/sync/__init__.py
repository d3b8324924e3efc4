"""Catch up before answering: the only place where files, catalog and index meet."""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""The callback with which long work reports its progress."""


def quiet(_what: str, _done: int, _total: int) -> None:
    """Show no progress."""
