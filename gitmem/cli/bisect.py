"""``gitmem runs bisect``."""

import click

from gitmem.cli.app import App, id_argument, json_option, note, out, told
from gitmem.cli.base import Command
from gitmem.cli.confirmation import agreed, yes_option
from gitmem.cli.forms import option
from gitmem.errors import NotFoundError


@click.command("bisect", cls=Command)
@id_argument(metavar="ERROR")
@option("--command", "shell", metavar="COMMAND", help="What fails while the error is there.")
@yes_option
@json_option
@click.pass_obj
def command(app: App, reference: str, shell: str | None, *, yes: bool, as_json: bool) -> int:
    """Find the commit that brought an error back after it was fixed.

    Shows what git bisect would do, from the commit of the fix on, with the command that was
    recorded. It runs only if you agree, in a clean work tree, which is restored at the end.

    \b
    Example:
      gitmem runs bisect err-7k3
      gitmem runs bisect err-7k3 --command "pytest -q tests/test_clock.py" --yes
    """
    from gitmem.render import history as render
    from gitmem.render.text import one_line

    with app.memory() as memory:
        regression = memory.history.regression(reference)
        if shell:
            regression = regression._replace(command=shell)
        if as_json:
            from gitmem.render.as_json import document
            from gitmem.render.history_json import regression as data

            out(document("bisect", regression=data(regression)))
            return 0
        painter = app.painter_of(memory)
        out(render.regression(regression, painter))
        for line in memory.history.bisect_script(regression):
            out(f"  {one_line(line)}")
        if not agreed("Run this?", "not run", yes=yes):
            note("nothing was run")
            return 0
        result = memory.history.bisect(regression, lambda line: told([one_line(line)]))
    if not result.commit:
        raise NotFoundError(f"no commit was found: {result.why_not}", "the work tree is as it was")
    out(f"{result.commit[:10]} brought it back: {one_line(result.subject)}")
    return 0
