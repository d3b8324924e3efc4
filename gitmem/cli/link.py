"""``gitmem edit link``."""

import click

from gitmem.cli.app import App, id_argument, json_option, out
from gitmem.cli.base import Command
from gitmem.cli.forms import argument, option


@click.command("link", cls=Command)
@id_argument()
@argument("issues", metavar="ISSUE...", nargs=-1, required=True)
@option("--why", default="", help="A sentence about it.")
@json_option
@click.pass_obj
def command(app: App, reference: str, issues: tuple[str, ...], why: str, *, as_json: bool) -> None:
    """Link a record or a live session to an issue, or to a pull or merge request.

    ISSUE is #12, !7, owner/repo#12, or its address; nothing is sent over the network. For a
    record, a note is written that links to it; while adding a record, use --issue.

    \b
    Example:
      gitmem edit link err-7k3 "#12"
      gitmem edit link ses-4p https://github.com/acme/shop/issues/12
      gitmem list issue:12
    """
    with app.memory() as memory:
        links = [memory.history.link(reference, issue, why) for issue in issues]
        if as_json:
            from gitmem.render.as_json import document

            out(
                document(
                    "link",
                    links=[
                        {
                            "id": link.id,
                            "issue": link.issue.name,
                            "pull": link.issue.pull,
                            "note": link.note or None,
                            "new": link.new,
                        }
                        for link in links
                    ],
                )
            )
            return
        for link in links:
            what = "pull request" if link.issue.pull else "issue"
            line = f"{link.id}  belongs to {what} {link.issue.name}"
            by = f"  {link.note}" if link.note else ""
            out(line + (by if link.new else "  as before"))
