"""``gitmem status``."""

from itertools import groupby

import click

from gitmem.cli.app import App, json_option, note, out
from gitmem.cli.base import Command
from gitmem.render.text import one_line


@click.command("status", cls=Command)
@json_option
@click.pass_obj
def command(app: App, *, as_json: bool) -> None:
    """Count the records; list live sessions and problems.

    Problems are those found when files last changed; gitmem check reads every file.

    \b
    Example:
      gitmem status
    """
    with app.memory() as memory:
        status = memory.checks.status()
        live = memory.sessions.live()
        if as_json:
            from gitmem.render import as_json as render

            counts = [
                {"kind": kind, "status": state, "count": n} for kind, state, n in status.counts
            ]
            out(
                render.document(
                    "status",
                    folder=status.site.folder,
                    counts=counts,
                    problems=status.problems,
                    live_sessions=[{"id": session.id, "goal": session.goal} for session in live],
                    notices=status.notices,
                )
            )
            return
        painter = app.painter_of(memory)
        out(f"memory of {status.site.root}")
        if not (status.counts or status.problems):
            out("  empty; begin with: gitmem run -- COMMAND, or gitmem add")
        for kind, states in groupby(status.counts, key=lambda count: count[0]):
            listed = list(states)
            total = sum(number for _, _, number in listed)
            parts = [f"{number} {painter.status(state)}" for _, state, number in listed if state]
            out(f"  {kind:<9}{total:>6}" + (f"   {', '.join(parts)}" if parts else ""))
        if drafts := len(memory.failures.drafts.open()):
            out(f"  {'draft':<9}{drafts:>6}   not shared (gitmem drafts)")
        for session in live:
            state = "session left open" if session.stale else "live session"
            out(f"  {state} {painter.paint(session.id, 'yellow')}  {one_line(session.goal)}")
        if status.problems:
            counted = ", ".join(
                f"{number} {painter.status(name)}" for name, number in status.problems.items()
            )
            out(f"  problems: {counted}   (gitmem check)")
        for text in status.notices:
            note(text)
