"""``gitmem runs all-passed``."""

import click

from gitmem.cli.app import App, json_option, out
from gitmem.cli.base import Command

NOT_PASSED = 1


@click.command("all-passed", cls=Command)
@json_option
@click.pass_obj
def command(app: App, *, as_json: bool) -> int:
    """Say whether all tests passed in the newest test run, also by the exit code.

    The exit code is 0 if they did, 1 if not. A test run is a run of a command that has shown tests
    before; without one, the newest run counts.

    \b
    Example:
      gitmem runs all-passed
    """
    with app.memory() as memory:
        run = memory.failures.latest_run()
        if as_json:
            from gitmem.render import as_json as data

            out(data.document("all-passed", passed=run.green, run=data.run(run)))
        else:
            from gitmem.render.runs import runs

            out(runs([run], app.painter_of(memory)))
    return 0 if run.green else NOT_PASSED
