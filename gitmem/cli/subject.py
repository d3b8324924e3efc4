"""``gitmem stats subject``."""

import os
import shlex

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command
from gitmem.cli.csv_form import csv_option, print_csv, refuse_both
from gitmem.cli.forms import argument
from gitmem.errors import NotFoundError


@click.command("subject", cls=Command)
@argument("name")
@json_option
@csv_option
@click.pass_obj
def command(app: App, name: str, *, as_json: bool, as_csv: bool) -> None:
    """Show what is known about a module, service, dependency or model.

    Common errors, fixes that worked, the newest attempts, and notes with it as a tag.

    \b
    Example:
      gitmem stats subject payment
      gitmem stats subject qwen2.5:7b --json
    """
    refuse_both(as_json=as_json, as_csv=as_csv)
    with app.memory() as memory:
        try:
            summary = memory.statistics.subject(name)
        except NotFoundError as error:
            if not os.path.isfile(os.path.join(app.start, name)):
                raise
            hint = f"for a file: gitmem advise --file {shlex.quote(name)}"
            raise NotFoundError(error.message, hint) from None
        if as_json or as_csv:
            from gitmem.render import statistics_json as render

            if as_csv:
                print_csv(render.figures_table(summary.types, ("type",)))
                return
            from gitmem.render.as_json import document

            out(document("subject", **render.subject(summary)))
            return
        from gitmem.render.statistics import subject

        out(subject(summary, app.painter_of(memory)))
        note(f"for what to try and avoid: gitmem advise {shlex.quote(name)}")
