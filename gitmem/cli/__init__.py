"""The command line: a lazy group, one file a command."""

from gitmem.cli.main import main

__all__ = ["main"]
