"""``gitmem check``."""

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import CommandFamily
from gitmem.plurals import counted


@click.command("check", cls=CommandFamily, members=("anchors", "stale"))
@json_option
@click.pass_obj
def command(app: App, *, as_json: bool) -> int:
    """Check the memory's files for errors (for CI: exits with 1 if there is one).

    check reads the record files; check anchors and check stale compare the places in the code
    that they name; gitmem index verify compares the search index; gitmem doctor tests the
    installation; gitmem status only counts.

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
