"""Commands and options as click makes them, but for what only their help needs.

click strips the blanks off each option's help, which loads ``inspect``, and looks up
translations of its own words, which loads ``locale``. Our help has no blanks and one language:
with these classes a command starts 6 ms sooner.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import click

_MARK = "\0"
"""No argument of a process can hold it."""


def _is_filter(argument: str) -> bool:
    word, colon, _ = argument[1:].partition(":")
    return argument[:1] == "-" and bool(colon) and len(word) > 1 and word.isalpha()


def _unmarked(value: Any) -> Any:  # noqa: ANN401  any value of click
    if isinstance(value, tuple):
        return tuple(map(_unmarked, value))
    return value.removeprefix(_MARK) if isinstance(value, str) else value


class Option(click.Option):
    """An option whose help is one line."""

    def __init__(self, *names: Any, help: str | None = None, **options: Any) -> None:  # noqa: A002, ANN401
        super().__init__(*names, **options)
        self.help = help


class Command(click.Command):
    """One command."""

    _shows_help: click.Option | None = None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; ``-author:ann`` is a filter, and no ``-a -u -t -h …``."""
        marked = [_MARK + arg if _is_filter(arg) else arg for arg in args]
        try:
            rest = super().parse_args(ctx, marked)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # so that it names this command's help, not gitmem's
            raise
        if marked != args:
            ctx.params = {name: _unmarked(value) for name, value in ctx.params.items()}
        return rest

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Give the option ``--help``, the same one each time, as click wants it."""
        if self._shows_help is None:
            self._shows_help = Option(
                self.get_help_option_names(ctx),
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=_show_help,
                help="Show this message and exit.",
            )
        return self._shows_help


class CommandGroup(Command, click.Group):
    """A command of commands."""

    command_class = Command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with the whole first sentence of each: click cuts it at the width."""
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, _first_sentence(command.help or ""))
                    for name in self.list_commands(ctx)
                    if (command := self.get_command(ctx, name))
                ]
            )


def _first_sentence(text: str) -> str:
    paragraph = " ".join(text.strip().partition("\n\n")[0].split())
    head, stop, _ = paragraph.partition(". ")
    return head + stop.rstrip()


option: Callable[..., Callable[[Any], Any]] = partial(click.option, cls=Option)
"""Adds an option to a command, as ``click.option`` does."""


def _show_help(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:  # noqa: FBT001  click calls it so
    if wanted and not ctx.resilient_parsing:
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()
