"""``gitmem run``."""

import sys
from collections.abc import Iterable

import click

from gitmem.cli.app import App, note
from gitmem.cli.base import Command
from gitmem.errors import GitmemError


@click.command(
    "run",
    cls=Command,
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="COMMAND…")
@click.pass_obj
def command(app: App, words: tuple[str, ...]) -> int:
    """Run a command; tell what is known about its failures, learn what fixes them.

    The command behaves as without gitmem, and its exit code is passed on. When it fails,
    what is known is printed below its output (on standard error). When it passes again after
    an edit, the error and its fix are remembered.

    \b
    Example:
      gitmem run -- pytest -q
    """
    from gitmem.cli.asking import ask  # noqa: PLC0415  start-up
    from gitmem.cli.came_back import came_back  # noqa: PLC0415  start-up
    from gitmem.memory.observing import run_command  # noqa: PLC0415  start-up
    from gitmem.render import observed as render  # noqa: PLC0415  start-up

    argv = words[1:] if words[0] == "--" else words
    if not argv:
        raise click.UsageError("what is to be run?")
    with app.memory() as memory:
        painter = app.painter(memory.site.config.ui_color, sys.stderr)
        exit_code, finish = run_command(
            memory, argv, lambda found: _print(render.tried(found, painter))
        )
        try:
            observed = finish()
            _print(render.observed(observed, painter))
            if back := came_back(memory, observed.recognised):
                from gitmem.render.history import regressions  # noqa: PLC0415  start-up

                _print(regressions(back, painter))
            ask(memory, observed)
        except GitmemError as error:
            # The command's own outcome matters more than what could not be learnt from it.
            note(f"not remembered: {error.message}")
    return exit_code


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line, err=True)
