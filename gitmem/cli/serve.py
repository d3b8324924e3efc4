"""``gitmem serve``."""

import importlib
import os

import click

from gitmem.cli.app import App, note
from gitmem.cli.base import Command
from gitmem.cli.forms import argument, option
from gitmem.errors import EnvironmentProblem, install


@click.command("serve", cls=Command)
@argument("folders", nargs=-1, metavar="[DIR …]")
@option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Port to listen on; 0: any free one."
)
@option("--no-browser", is_flag=True, help="Only print the address.")
@option("--write", "writes", is_flag=True, help="Let programs write through the interface, too.")
@click.pass_obj
def command(
    app: App, folders: tuple[str, ...], port: int, *, no_browser: bool, writes: bool
) -> None:
    """Show the memory in a browser, on this machine only.

    The address holds a secret token, so other users of the machine can't open it. Ctrl-C ends it.

    \b
    Example:
      gitmem serve
      gitmem serve ../shop ../billing --port 8765
    """
    try:
        # By name: neither half of the package knows the other, and it is an extra.
        serving = importlib.import_module("gitmem.serve.serving")
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] == "gitmem":
            raise
        raise EnvironmentProblem(f"the page needs {error.name}", install("serve")) from None
    starts = [os.path.join(app.start, folder) for folder in folders] or [app.start]
    serving.serve(starts, port, note, open_browser=not no_browser, writes=writes)
