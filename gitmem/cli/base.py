"""Commands and options as click makes them, but for what only their help needs.

click strips the blanks off each option's help, which loads ``inspect``, and looks up
translations of its own words, which loads ``locale``. Our help has no blanks and one language:
with these classes a command starts 6 ms sooner.
"""

import importlib
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn

import click

from gitmem import query
from gitmem.cli.forms import MARK, Between, Parameter, Plain, is_filter

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def _unmarked(value: Any) -> Any:  # noqa: ANN401  any value of click
    if isinstance(value, tuple):
        return tuple(map(_unmarked, value))
    return value.removeprefix(MARK) if isinstance(value, str) else value


class Option(click.Option):
    """An option whose help is one line."""

    def __init__(self, *names: Any, help: str | None = None, **options: Any) -> None:  # noqa: A002, ANN401
        super().__init__(*names, **options)
        self.help = help

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Complete a value by what the help calls it."""
        return super().shell_complete(ctx, incomplete) or _offered(self, ctx, incomplete)


class Argument(click.Argument):
    """An argument that a shell completes by what the usage line calls it."""

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Complete a value by what the usage line calls it."""
        return super().shell_complete(ctx, incomplete) or _offered(self, ctx, incomplete)


def _offered(
    parameter: click.Parameter, ctx: click.Context, incomplete: str
) -> "list[CompletionItem]":
    from gitmem.cli.completing import offered

    return offered(parameter, ctx, incomplete)


def parameter_of(given: Parameter | click.Parameter) -> click.Parameter:
    """Make what click knows of a parameter."""
    if isinstance(given, click.Parameter):
        return given
    settings = dict(given.settings)
    allowed = settings.get("type")
    if isinstance(allowed, Between):
        numbers: Any = click.IntRange if allowed.whole else click.FloatRange
        settings["type"] = numbers(allowed.low, allowed.high)
    elif isinstance(allowed, tuple):
        settings["type"] = click.Choice(allowed)
    kind: type[click.Parameter] = settings.pop("cls", Option if given.is_option else Argument)
    return kind(given.names, **settings)


class Command(click.Command):
    """One command.

    Args:
        named: as click takes it.
        params: what it takes.
        settings: as click takes them.

    """

    _shows_help: click.Option | None = None

    def __init__(
        self,
        *named: Any,  # noqa: ANN401
        params: Sequence[Parameter | click.Parameter] | None = None,
        **settings: Any,  # noqa: ANN401
    ) -> None:
        settings["params"] = list(map(parameter_of, params or ()))
        super().__init__(*named, **settings)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; ``-author:ann`` is a filter, and no ``-a -u -t -h …``."""
        marked = [MARK + arg if is_filter(arg) else arg for arg in args]
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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command of this one; else say which there are, as click does not."""
        args = [_unmarked(arg) for arg in args]  # the command reads and marks its own
        word = args[0]
        if not word.startswith("-") and self.get_command(ctx, word) is None:
            raise click.UsageError(self.without(ctx, word), ctx)
        return super().resolve_command(ctx, args)

    def without(self, ctx: click.Context, word: str) -> str:
        """Say that there is no such command, and which there are."""
        there = ", ".join(self.list_commands(ctx))
        return f"{ctx.command_path} has no command {word}; its commands are {there}"

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


class CommandFamily(CommandGroup):
    """A command with members, each of which is imported when it is called or listed.

    Unlike a group of click, it may do something by itself and take arguments:
    ``gitmem stats tag:auth`` besides ``gitmem stats recent``.

    Args:
        members: their names, which are those of their modules, too.
        alone: it does something by itself.

    """

    allow_interspersed_args = True

    def __init__(
        self,
        name: str,
        members: Sequence[str],
        *,
        alone: bool = True,
        **options: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(name, None, alone, **options)
        self.allow_extra_args = not alone
        self._members = members

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the members, without importing them."""
        return [*self._members, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one member."""
        if cmd_name in self._members:
            return command_of(cmd_name)
        return super().get_command(ctx, cmd_name)

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,  # noqa: ANN401
    ) -> click.Context:
        """Read the arguments: those of a member if it is named first, else those of its own."""
        if args and (member := self.get_command(click.Context(self), args[0])):
            return member.make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Name the arguments; what does something by itself needs no command behind it."""
        pieces = super().collect_usage_pieces(ctx)
        return pieces[:-1] if self.invoke_without_command else pieces


def command_of(name: str) -> click.Command:
    """Import the module of a command, and give the command."""
    module = name.replace("-", "_").replace("import", "import_")
    command: click.Command | Plain = importlib.import_module(f"gitmem.cli.{module}").command
    return _of_click(command) if isinstance(command, Plain) else command


@cache
def _of_click(plain: Plain) -> click.Command:
    return Command(
        plain.name,
        callback=click.pass_obj(plain.function),
        params=plain.parameters,
        help=plain.function.__doc__,
        context_settings={
            "ignore_unknown_options": plain.passes_on,
            "allow_interspersed_args": not plain.own_options_first,
        },
    )


def _first_sentence(text: str) -> str:
    paragraph = " ".join(text.strip().partition("\n\n")[0].split())
    head, stop, _ = paragraph.partition(". ")
    return head + stop.rstrip()


def filter_text(words: Sequence[str]) -> str:
    """Join filters; a value with spaces, such as ``path:a b.py``, is quoted.

    Where another filter follows in it, as in ``kind:note tag:x``, it is several.

    Exclusions start with a dash, so click lets unknown flags pass: not we.
    """
    wrong = next((word for word in words if word.startswith("--")), None)
    if wrong is not None:
        _refuse(wrong, _near_flags(wrong))
    return " ".join(map(_with_quotes, words))


def _with_quotes(word: str) -> str:
    name, colon, value = word.partition(":")
    blank = any(map(str.isspace, value)) and not any(map(str.isspace, name))
    if not (colon and blank) or '"' in word:
        return word
    return word if any(map(query.is_filter, value.split())) else f'{name}:"{value}"'


def refuse_misspelt(words: Sequence[str]) -> None:
    """Raise an error for the first word that is nearly one of the command's options."""
    for word in words:
        if word.startswith("--") and (near := _near_flags(word)):
            _refuse(word, near)


def _near_flags(word: str) -> list[str]:
    from difflib import get_close_matches

    flags = [name for flag in click.get_current_context().command.params for name in flag.opts]
    return get_close_matches(word, [name for name in flags if name.startswith("--")])


def _refuse(word: str, near: list[str]) -> NoReturn:
    raise click.NoSuchOption(word, possibilities=near, ctx=click.get_current_context())


def _show_help(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:  # noqa: FBT001  click calls it so
    if wanted and not ctx.resilient_parsing:
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()
