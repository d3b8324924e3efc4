"""``gitmem assistant-hook``."""

import contextlib

import click

from gitmem.assistants.hooks import HOOK_CLIENTS
from gitmem.cli.app import App, note
from gitmem.cli.base import Command
from gitmem.cli.forms import argument


@click.command("assistant-hook", cls=Command)
@argument("client", metavar="ASSISTANT")
@click.pass_obj
def command(app: App, client: str) -> None:
    """Answer a hook of a coding assistant; the event is JSON on standard input.

    At the start of a session the assistant gets a summary of the project, and after a failed
    command what is known about it. Its commands are watched runs: what fixed a failure becomes a
    draft, and you hear of it at the end of the turn. Without a memory, or if anything is wrong, it
    prints nothing and exits with 0, so it never holds up a session.

    \b
    Example:
      gitmem assistant-hook claude < event.json
    """
    from gitmem.cli.hook_answers import answer

    if client not in HOOK_CLIENTS:  # a code of 2 would make some assistants refuse every command
        note(f"there are no hooks for {client!r}, only for: {', '.join(HOOK_CLIENTS)}")
        return
    # Whatever is wrong with us, the session goes on.
    with contextlib.suppress(Exception):
        answer(client, app.flags)
