"""``gitmem import``."""

import os
from typing import TYPE_CHECKING, Any

import click

from gitmem.cli.app import App, note, out, standard_input
from gitmem.cli.base import CommandGroup
from gitmem.cli.forms import argument, option
from gitmem.errors import UsageError
from gitmem.part import part_commands
from gitmem.plurals import counted
from gitmem.render.text import one_line

if TYPE_CHECKING:
    from gitmem.answers.transfers import ImportResult

_LIMIT = 1 << 30
_ARCHIVE = "archive"


class _Imports(CommandGroup):
    """What parts import, too; the first word may also be the file that export wrote."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands, those of parts last."""
        return [*super().list_commands(ctx), *part_commands("import")]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Give a command; that of a part is imported."""
        own = super().get_command(ctx, cmd_name)
        part = None if own else part_commands("import").get(cmd_name)
        command: click.Command | None = part.load() if part else own
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the word ``archive`` before what is no command and asks for no help."""
        helps = self.get_help_option_names(ctx)
        asks = any(arg in helps for arg in args)
        if args and not asks and args[0] not in self.list_commands(ctx):
            args = [_ARCHIVE, *args]
        return super().parse_args(ctx, args)


@click.group("import", cls=_Imports, no_args_is_help=False)
def command() -> None:
    """Import records from an export, git history, ADRs or other tools.

    Importing twice writes nothing twice. A FILE alone means: archive FILE. For a file named git,
    type ./git.

    \b
    Example:
      gitmem import archive memory.json
      gitmem import git --dry-run
      gitmem import adr docs/adr
    """


@command.command(_ARCHIVE)
@argument("file")
@option("--dry-run", is_flag=True, help="Only check it, and say what would be imported.")
@option("--allow-missing", is_flag=True, help="Also import records whose attachments are missing.")
@click.pass_obj
def archive(app: App, file: str, *, dry_run: bool, allow_missing: bool) -> None:
    """Import a file that gitmem backup export wrote: all of it or nothing. Existing records stay.

    \b
    Example:
      gitmem import archive memory.json
    """
    with app.memory() as memory:
        data = _piped() if file == "-" else _read(file)
        imported = memory.transfer.import_(data, dry_run=dry_run, allow_missing=allow_missing)
        verb = "would be imported" if dry_run else "imported"
        note(f"{counted(imported.records, 'record')} {verb}, {_were_here(imported.present)}")


@command.command("git")
@option(
    "--max",
    "most",
    type=click.IntRange(1),
    default=10_000,
    show_default=True,
    help="How many commits to read, newest first.",
)
@option("--since", default="", metavar="WHEN", help="Only commits since then: 2026-01-31, 90d.")
@option("--limit", type=click.IntRange(1), metavar="N", help="Import at most N commits.")
@option("--first-parent", is_flag=True, help="Count a merge as one change instead of its commits.")
@option("--dry-run", is_flag=True, help="Only list what would be imported.")
@click.pass_obj
def git(app: App, /, limit: int | None, *, dry_run: bool, **bounds: Any) -> None:  # noqa: ANN401
    """Import fixes, their errors, and reverts from the git history.

    Nothing is checked out or fetched. You can interrupt it; the next run continues.

    \b
    Example:
      gitmem import git --dry-run
      gitmem import git --since 2025-01-01
      gitmem import git --limit 100
    """
    with app.memory() as memory:
        imported = memory.transfer.import_git(limit=limit or 0, dry_run=dry_run, **bounds)
        report(imported, "commit", dry_run=dry_run)


def report(imported: "ImportResult", source: str, sources: str = "", *, dry_run: bool) -> None:
    """Say what was made of how many commits, files or entries."""
    for entry in imported.new if dry_run else ():
        out(f"{entry.at:%Y-%m-%d}  {entry.source}  {entry.what}  {one_line(entry.title)}")
    for text in imported.notices:
        note(text)
    for why, number in imported.passed.items():
        note(f"skipped: {number} ({why})")
    verb = "would be imported" if dry_run else "imported"
    written = counted(imported.records, "record")
    read = counted(len(imported.new), f"new {source}", f"new {sources}" if sources else "")
    note(f"{written} {verb} from {read}; {_were_here(imported.present)}")


def _were_here(number: int) -> str:
    return f"{number} {'was' if number == 1 else 'were'} here already"


def _piped() -> bytes:
    """Read standard input: how long it is shows only when all of it is in memory."""
    return standard_input("an archive", instead="save it as a file, and import that")


def _read(file: str) -> bytes:
    try:
        with open(file, "rb") as source:
            if os.fstat(source.fileno()).st_size > _LIMIT:
                raise UsageError(f"{file} is larger than {_LIMIT >> 30} GiB", "split it")
            return source.read(_LIMIT)
    except OSError as error:
        raise UsageError(
            f"can't read {file}: {(error.strerror or str(error)).lower()}",
            f"name a file, or one of: {', '.join(('git', *part_commands('import')))}",
        ) from None
