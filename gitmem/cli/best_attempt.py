"""``gitmem runs best-attempt``."""

import click

from gitmem.cli.app import App, json_option, out
from gitmem.cli.base import Command


@click.command("best-attempt", cls=Command)
@json_option
@click.pass_obj
def command(app: App, *, as_json: bool) -> None:
    """Show the run with the fewest failures, of the command that was run last.

    If all of its runs say how many tests ran, the share that passed counts. If several are equal,
    the newest is shown. Git keeps the code that it ran on for some weeks; the git diff command
    that is printed shows what changed since.

    \b
    Example:
      gitmem runs best-attempt
    """
    with app.memory() as memory:
        best_run = memory.failures.best_attempt()
        if as_json:
            from gitmem.render import as_json as data

            run, newest = data.run(best_run.run), data.run(best_run.newest)
            more = {
                "of": best_run.of,
                "newest": newest,
                "there": best_run.there,
                "now": best_run.now,
            }
            out(data.document("best-attempt", run=run, **more))
            return
        from gitmem.render.runs import best

        out(best(best_run, app.painter_of(memory)))
