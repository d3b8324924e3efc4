"""``gitmem review describe``."""

import click

from gitmem.cli.app import App, json_option, out
from gitmem.cli.base import Command
from gitmem.cli.forms import argument


@click.command("describe", cls=Command)
@argument("what", metavar="[SESSION or RANGE]", default="")
@json_option
@click.pass_obj
def command(app: App, what: str, *, as_json: bool) -> None:
    """Write the text of a pull request: of a session, or of a range of commits.

    Without an argument: of the session that is live here, else of all that this branch adds to
    the main one. What records say is quoted: it mentions nobody and links nothing; issues that
    the work was linked to are closed by it.

    \b
    Example:
      gitmem review describe
      gitmem review describe ses-4p
      gitmem review describe origin/main.. | gh pr create --body-file -
    """
    with app.memory() as memory:
        is_session = what.lower().startswith("ses-")
        description = memory.history.describe(
            what if is_session else None, span="" if is_session else what
        )
        from gitmem.render import description as render

        if as_json:
            from gitmem.render.as_json import document

            out(document("describe", **render.data(description)))
            return
        out(render.markdown(description).rstrip("\n"))
