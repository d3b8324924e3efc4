"""``gitmem lsp``."""

import gc
import importlib

from gitmem.cli.app import App
from gitmem.cli.forms import Between, argument, option, plain
from gitmem.errors import UsageError


@plain("lsp", own_options_first=True)
@option(
    "--tcp",
    "port",
    type=Between(0, 65535),
    metavar="PORT",
    help="Wait for one editor on this port of 127.0.0.1 (0: any free one).",
)
@option("--with", "wraps", is_flag=True, help="Stand in front of another language server.")
@argument("server", nargs=-1, metavar="[-- SERVER...]")
def command(_app: App, port: int | None, server: tuple[str, ...], *, wraps: bool) -> None:
    """Serve the memory to an editor over standard input and output (LSP).

    On other servers' diagnostics a hover shows what is known: past fixes, what failed and
    why. See docs/language-server.md.

    With --with, SERVER is started and everything is passed on to it and back; hovers,
    code actions and lenses of both are joined. The editor sees one server.

    \b
    Example:
      gitmem lsp
      gitmem lsp --with -- pylsp
      gitmem lsp --with -- pyright-langserver --stdio
      gitmem lsp --tcp 9257
    """
    if wraps != bool(server):
        raise UsageError(
            "which language server?" if wraps else f"unexpected argument {server[0]!r}",
            "name it: gitmem lsp --with -- pylsp",
        )
    # Thousands of classes are made now, and all of them stay: looking for garbage only takes time.
    gc.disable()
    # By name: the server lies above the command line, and is imported only when asked for.
    serving = importlib.import_module("lsp_server.serving")
    gc.freeze()
    gc.enable()
    serving.serve(port, server)
