"""``gitmem backup export``."""

import sys

import click

from gitmem.cli.app import App, note
from gitmem.cli.base import Command
from gitmem.cli.forms import argument, option
from gitmem.errors import EnvironmentProblem
from gitmem.plurals import counted
from gitmem.query import KINDS
from gitmem.render.as_json import readable
from gitmem.render.text import as_text


@click.command("export", cls=Command)
@argument("file", required=False)
@option("--csv", "kind", type=click.Choice(KINDS), help="All records of a kind as one table.")
@click.pass_obj
def command(app: App, file: str | None, kind: str | None) -> int:
    """Write the whole memory as one JSON document, to FILE or standard output.

    The same memory gives the same bytes. Files that can't be read are left out and named;
    then the exit code is 1.

    \b
    Example:
      gitmem backup export memory.json
      gitmem backup export --csv fix fixes.csv
    """
    with app.memory() as memory:
        exported = memory.statistics.csv(kind) if kind else memory.transfer.export()
        text = exported.data.decode()
        data = exported.data if kind else readable(text).encode()
        if file is None or file == "-":
            sys.stdout.flush()
            sys.stdout.buffer.write(as_text(text).encode() if kind else data)
        else:
            try:
                with open(file, "wb") as target:
                    target.write(data)
            except OSError as error:
                reason = (error.strerror or str(error)).lower()
                raise EnvironmentProblem(f"can't write {file}: {reason}") from None
            note(f"{counted(exported.records, 'record')} written to {file}")
        for path in exported.left_out:
            note(f"left out, it can't be read: {memory.workspace.site.config.folder}/{path}")
    return 1 if exported.left_out else 0
