"""The callback with which long work reports its progress."""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]


def quiet(_what: str, _done: int, _total: int) -> None:
    """Show no progress."""
