"""``gitmem edit supersede``."""

from typing import Any

import click

from gitmem.cli.add import report
from gitmem.cli.app import App, id_argument, json_option
from gitmem.cli.base import Command
from gitmem.cli.fields import collect, field_options


@click.command("supersede", cls=Command)
@id_argument(metavar="DECISION")
@field_options("decision")
@json_option
@click.pass_obj
def command(app: App, /, reference: str, *, as_json: bool, **typed: Any) -> None:  # noqa: ANN401
    """Write a decision that replaces an older one. The old one stays, marked as superseded.

    What you do not give is taken from the old one: what it governs, its tags and its anchors.

    \b
    Example:
      gitmem edit supersede dec-4p --title "Use Postgres" --rationale "SQLite locked"
    """
    with app.memory() as memory:
        report([memory.supersede(reference, collect(memory, "decision", typed))], as_json=as_json)
