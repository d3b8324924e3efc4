"""``gitmem link``."""

import click

from gitmem.cli.app import App, id_argument, json_option, out
from gitmem.cli.base import Command, option


@click.command("link", cls=Command)
@id_argument()
@click.argument("issues", metavar="ISSUE...", nargs=-1, required=True)
@option("--why", default="", help="A sentence about it.")
@json_option
@click.pass_obj
def command(app: App, reference: str, issues: tuple[str, ...], why: str, *, as_json: bool) -> None:
    """Say that a record or a live session belongs to an issue, or a pull or merge request.

    ISSUE is #12, !7, owner/repo#12, or its address; nobody is asked over the network. To a
    record, a note is written that relates to it; records that are only just written take --issue.

    \b
    Example:
      gitmem link err-7k3 "#12"
      gitmem link ses-4p https://github.com/acme/shop/issues/12
      gitmem list issue:12
    """
    with app.memory() as memory:
        made = [memory.history.link(reference, issue, why) for issue in issues]
        if as_json:
            from gitmem.render.as_json import document

            out(document("link", links=[
                {"id": one.id, "issue": one.issue.name, "pull": one.issue.pull,
                 "note": one.note or None, "new": one.new} for one in made
            ]))  # fmt: skip
            return
        for one in made:
            what = "pull request" if one.issue.pull else "issue"
            said = f"{one.id}  belongs to {what} {one.issue.name}"
            by = f"  {one.note}" if one.note else ""
            out(said + (by if one.new else "  as before"))
