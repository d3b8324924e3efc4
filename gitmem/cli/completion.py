"""``gitmem completion``."""

from typing import Final

import click

from gitmem.cli.app import out
from gitmem.cli.base import Command, argument

_SHELLS: Final = ("bash", "zsh", "fish")


@click.command("completion", cls=Command)
@argument("shell", type=click.Choice(_SHELLS))
def command(shell: str) -> None:
    """Print the completion script of your shell.

    \b
    Example:
      eval "$(gitmem completion bash)"
    """
    from click.shell_completion import get_completion_class

    from gitmem.cli.main import cli

    completion = get_completion_class(shell)
    if completion is None:
        raise click.UsageError(f"no completion for {shell}")
    script = completion(cli, {}, "gitmem", "_GITMEM_COMPLETE")
    # Bash's own version check would start a shell; 4.4 came in 2016.
    out((script.source_template % script.source_vars()).strip())
