"""``gitmem help``."""

from collections.abc import Iterator

import click

from gitmem.cli.app import out
from gitmem.cli.base import Command, CommandGroup
from gitmem.cli.forms import argument, option

_WIDTH = 80


@click.command("help", cls=Command)
@argument("words", nargs=-1, metavar="[COMMAND|TOPIC]...")
@option("--all", "whole", is_flag=True, help="List all commands.")
@click.pass_context
def command(ctx: click.Context, words: tuple[str, ...], *, whole: bool) -> None:
    """Explain a command, or a topic: filters, ids, exit-codes.

    \b
    Example:
      gitmem help run
      gitmem help stats recent
      gitmem help filters
      gitmem help --all
    """
    from gitmem.cli.group import named, nearest

    root = ctx.find_root()
    if whole:
        out(_all())
        return
    if not words:
        out(root.get_help())
        return
    from gitmem.cli.topics import TOPICS

    if words[0] in TOPICS:
        out(TOPICS[words[0]].splitlines())
        return
    path, explained = "", root.command
    _, new, rest = named(words)
    for word in (*new.split(), *rest):
        if word.startswith("-"):
            break
        inner = explained.get_command(root, word) if isinstance(explained, click.Group) else None
        if inner is None:
            if explained is root.command:
                from gitmem.errors import UsageError, closest

                meant = closest(word, tuple(TOPICS)) or nearest(word)
                hint = f"did you mean: gitmem help {meant}; " if meant else ""
                raise UsageError(
                    f"{word} is neither a command nor a topic",
                    f"{hint}all are listed by: gitmem help --all",
                )
            inside = click.Context(explained, info_name=path, parent=root)
            if isinstance(explained, CommandGroup):
                raise click.UsageError(explained.without(inside, word), inside)
            raise click.UsageError(f"gitmem {path} has no commands of its own", inside)
        path, explained = f"{path} {word}".strip(), inner
    out(click.Context(explained, info_name=path, parent=root).get_help())


def _all() -> Iterator[str]:
    from textwrap import wrap

    from gitmem.cli.group import ABOUT, HIDDEN, SECTIONS, commands_of_parts, listing

    yield ABOUT
    yield from listing(SECTIONS)
    yield ""
    yield "Topics: gitmem help filters, gitmem help ids, gitmem help exit-codes"
    yield ""
    yield "Seldom typed, or called by other programs"
    parts = {name: command.summary for name, command in commands_of_parts().items()}
    for name, summary in (HIDDEN | parts).items():
        first, *more = wrap(f"{name}: {summary.rstrip('.')}", _WIDTH - 3)
        yield f"   {first}"
        yield from (f"     {line}" for line in more)
