"""``gitmem review``."""

from typing import Final

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import CommandFamily
from gitmem.cli.forms import argument, option

_EMPTY: Final = (
    "this branch has no commits that the main one lacks (origin's, else main or master); "
    "name a range, such as HEAD~5"
)


@click.command("review", cls=CommandFamily, members=("describe",))
@argument("span", metavar="[RANGE]", default="")
@option("--worktree", is_flag=True, help="Up to the files as they are now, committed or not.")
@option("--markdown", is_flag=True, help="Markdown, for a comment on a pull request.")
@json_option
@click.pass_obj
def command(app: App, span: str, *, worktree: bool, markdown: bool, as_json: bool) -> None:
    """Show what a change teaches, and what is known about its files.

    RANGE is A..B, A...B, A (up to what is checked out) or A^! (that commit alone). The default is
    all that this branch adds to the main one. Without --worktree, only commits count. Nothing is
    checked out.

    \b
    Example:
      gitmem review
      gitmem review --worktree
      gitmem review HEAD --worktree
      gitmem review v1.2..HEAD
      gitmem review origin/main... --markdown
    """
    with app.memory() as memory:
        lessons = memory.history.review(span, worktree=worktree)
        if as_json:
            from gitmem.render.as_json import document, review

            out(document("review", **review(lessons)))
            return
        from gitmem.render import review as render

        if markdown:
            out(render.markdown(lessons).rstrip("\n"))
            return
        config = memory.workspace.site.config
        out(render.plain(lessons, app.painter(config.ui_color), config.folder))
        note(render.counted(lessons))
        if lessons.uncommitted:
            note(render.left_out(lessons))
        elif not span and lessons.span.before == lessons.span.after:
            note(_EMPTY)
