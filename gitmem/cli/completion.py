"""``gitmem completion``."""

import click

from gitmem.cli.app import out
from gitmem.cli.base import Command
from gitmem.cli.forms import argument
from gitmem.cli.shells import SHELLS, text_for


@click.command("completion", cls=Command)
@argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print the completion script of your shell.

    It completes commands, options, files, filters, settings, revisions, and the ids of records,
    drafts, runs and sessions; behind gitmem run -- what the shell completes for that command.

    \b
    Example:
      eval "$(gitmem completion bash)"
      gitmem completion fish | source
      gitmem completion powershell | Out-String | Invoke-Expression
    """
    out(text_for(shell, "completion"))
