"""``gitmem check``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command
from gitmem.plurals import counted


@click.command("check", cls=Command)
@json_option
@click.pass_obj
def command(app: App, *, as_json: bool) -> int:
    """Find everything that is wrong with the memory's files. For CI: exits with 1 on errors.

    \b
    Example:
      gitmem check
    """
    with app.memory() as memory:
        faults = memory.checks.files()
        errors = sum(problem.severity == "error" for problem in faults)
        if as_json:
            from gitmem.render import as_json as render

            out(render.document("check", errors=errors, problems=render.problems(faults)))
        else:
            from gitmem.render.lists import problem_lines

            painter = app.painter_of(memory)
            out(problem_lines(faults, painter, memory.workspace.site.config.folder))
            problems = counted(len(faults), "problem")
            note(f"{problems}, {counted(errors, 'error')}" if faults else "nothing wrong")
    return 1 if errors else 0
