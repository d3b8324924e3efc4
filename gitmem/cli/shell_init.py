"""``gitmem shell-init``."""

import click

from gitmem.cli.app import out
from gitmem.cli.base import Command
from gitmem.cli.forms import argument
from gitmem.cli.shells import SHELLS, text_for


@click.command("shell-init", cls=Command)
@argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print a snippet for your shell that offers help after a failing command.

    In a repository with a memory, one line is shown after a command that failed. Nothing is
    captured, and at a prompt after success no process is started.

    \b
    Example:
      eval "$(gitmem shell-init bash)"
      gitmem shell-init fish | source
      gitmem shell-init powershell | Out-String | Invoke-Expression
    """
    out(text_for(shell, "prompt"))
