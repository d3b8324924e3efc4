"""``gitmem report``."""

import os

import click

from gitmem.cli.app import App, note
from gitmem.cli.base import Command, argument
from gitmem.errors import EnvironmentProblem


@click.command("report", cls=Command)
@argument("file", metavar="[FILE]", default="")
@click.pass_obj
def command(app: App, file: str) -> None:
    """Write a report of the memory as one HTML page: trends, frequent failures, health.

    Everything is in the page, and it loads nothing. It ranks no persons. Without FILE it is
    written beside the local journal, in git's folder, and its path is printed; - is standard
    output.

    \b
    Example:
      gitmem report
      gitmem report build/memory.html
    """
    from gitmem.render.report.page import page

    with app.memory() as memory:
        text = page(memory.statistics.overall())
        journal = memory.workspace.site.journal
    if file == "-":
        click.echo(text, nl=False)
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
