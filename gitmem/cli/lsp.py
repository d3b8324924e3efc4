"""``gitmem lsp``."""

import importlib

import click


@click.command("lsp")
def command() -> None:
    """Serve the memory to an editor over standard input and output (LSP).

    Record files get diagnostics, record ids in any file get a hover.

    \b
    Example:
      gitmem lsp
    """
    # By name: the server lies above the command line, and is imported only when asked for.
    importlib.import_module("lsp_server.server").serve()
