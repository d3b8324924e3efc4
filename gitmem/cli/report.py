"""``gitmem report``."""

import click

from gitmem.cli.app import App, note
from gitmem.cli.base import Command, argument
from gitmem.errors import EnvironmentProblem


@click.command("report", cls=Command)
@argument("file", default="gitmem-report.html")
@click.pass_obj
def command(app: App, file: str) -> None:
    """Write a report of the memory as one HTML page: trends, frequent failures, health.

    Everything is in the page, and it loads nothing. It ranks no persons. FILE is
    gitmem-report.html unless it is named; - is standard output.

    \b
    Example:
      gitmem report
      gitmem report build/memory.html
    """
    from gitmem.render.report.page import page

    with app.memory() as memory:
        text = page(memory.statistics.overall())
    if file == "-":
        click.echo(text, nl=False)
        return
    try:
        with open(file, "w", encoding="utf-8", newline="\n") as target:
            target.write(text)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise EnvironmentProblem(f"can't write {file}: {reason}", "name another file") from None
    note(f"written to {file}")
