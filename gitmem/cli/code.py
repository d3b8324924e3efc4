"""``gitmem code``."""

import click

from gitmem.cli.base import CommandFamily


@click.command(
    "code", cls=CommandFamily, members=("profile", "extract", "suggest", "graph"), alone=False
)
def command() -> None:
    """Look at the code itself: its style, its patterns, its imports.

    \b
    Example:
      gitmem code profile
      gitmem code graph imports src/auth.py
    """
