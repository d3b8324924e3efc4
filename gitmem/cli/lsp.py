"""``gitmem lsp``."""

import gc
import importlib

import click

from gitmem.cli.base import Command, option


@click.command("lsp", cls=Command)
@option(
    "--tcp",
    "port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Wait for one editor on this port of 127.0.0.1 (0: any free one).",
)
def command(port: int | None) -> None:
    """Serve the memory to an editor over standard input and output (LSP).

    On other servers' diagnostics a hover shows what is known: past fixes, what failed and
    why. See docs/language-server.md.

    \b
    Example:
      gitmem lsp
      gitmem lsp --tcp 9257
    """
    # Thousands of classes are made now, and all of them stay: looking for garbage only takes time.
    gc.disable()
    # By name: the server lies above the command line, and is imported only when asked for.
    server = importlib.import_module("lsp_server.serving")
    gc.freeze()
    gc.enable()
    server.serve(port)
