"""``gitmem stats report``."""

import os
from contextlib import suppress

import click

from gitmem.cli.app import App, note
from gitmem.cli.base import Command
from gitmem.cli.forms import argument
from gitmem.errors import EnvironmentProblem, GitmemError
from gitmem.render.text import as_text


@click.command("report", cls=Command)
@argument("file", metavar="[FILE]", default="")
@click.pass_obj
def command(app: App, file: str) -> None:
    """Write a report of the memory as one HTML page: trends, frequent failures, health.

    Everything is in the page, and it loads nothing. It does not rank people. Without FILE it is
    written into the git folder, and its path is printed; - is standard output.

    \b
    Example:
      gitmem stats report
      gitmem stats report build/memory.html
    """
    from gitmem.render.report.cards import named
    from gitmem.render.report.page import page

    with app.memory() as memory:
        overall = memory.statistics.overall()
        records = []
        for name in named(overall):
            # Gone since, or held back: the page names it without a card.
            with suppress(GitmemError):
                records.append(memory.show(name))
        text = page(overall, records)
        journal = memory.workspace.site.journal
    if file == "-":
        click.echo(as_text(text), nl=False)
        return
    try:
        if not file:
            os.makedirs(journal, exist_ok=True)
            file = os.path.join(journal, "report.html")
        with open(file, "w", encoding="utf-8", newline="\n") as target:
            target.write(text)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise EnvironmentProblem(f"can't write {file}: {reason}", "name another file") from None
    note(f"written to {file}")
