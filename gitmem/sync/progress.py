"""How long work tells where it is."""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]


def quiet(_what: str, _done: int, _total: int) -> None:
    """Show no progress."""
