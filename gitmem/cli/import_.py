"""``gitmem import``."""

import click

from gitmem.cli.app import App, counted, note, standard_input
from gitmem.cli.base import Command, option
from gitmem.errors import UsageError

_LIMIT = 1 << 30


@click.command("import", cls=Command)
@click.argument("file")
@option("--dry-run", is_flag=True, help="Only check it and say what would be done.")
@option("--allow-missing", is_flag=True, help="Also records whose attachments are nowhere.")
@click.pass_obj
def command(app: App, file: str, *, dry_run: bool, allow_missing: bool) -> None:
    """Take in a JSON document that export wrote. All or nothing; what is there stays.

    \b
    Example:
      gitmem import memory.json
    """
    with app.memory() as memory:
        data = standard_input("an archive", _LIMIT) if file == "-" else _read(file)
        made = memory.import_(data, dry_run=dry_run, allow_missing=allow_missing)
        verb = "would be imported" if dry_run else "imported"
        note(f"{counted(made.records, 'record')} {verb}, {made.present} were here already")


def _read(file: str) -> bytes:
    try:
        with open(file, "rb") as source:
            data = source.read(_LIMIT + 1)
    except OSError as error:
        raise UsageError(f"can't read {file}: {(error.strerror or str(error)).lower()}") from None
    if len(data) > _LIMIT:
        raise UsageError(f"{file} is larger than {_LIMIT >> 30} GiB", "split it")
    return data
