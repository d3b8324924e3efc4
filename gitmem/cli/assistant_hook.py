"""``gitmem assistant-hook``."""

import json
from typing import TYPE_CHECKING, Final

import click

from gitmem.assistants.hooks import HOOK_CLIENTS, HookEvent
from gitmem.cli.app import App, note, out, standard_input
from gitmem.cli.base import Command, argument
from gitmem.errors import GitmemError

if TYPE_CHECKING:
    from gitmem.memory import Memory

_TOKENS: Final = 300


@click.command("assistant-hook", cls=Command)
@argument("client", metavar="ASSISTANT")
@click.pass_obj
def command(app: App, client: str) -> None:
    """Answer a hook of a coding assistant, whose JSON stands on standard input.

    At the start of a session it gets what is to be known of the project; after a failed command
    what is known of the failure. Its commands are watched runs: what fixed a failure becomes a
    draft. Without a memory, or where anything is wrong, it says nothing and exits with 0, so no
    session is held up.

    \b
    Example:
      gitmem assistant-hook claude < event.json
    """
    from gitmem.memory import Memory

    hooks = HOOK_CLIENTS.get(client)
    if hooks is None:  # a code of 2 would make some assistants refuse every command
        note(f"there are no hooks for {client!r}, only for: {', '.join(HOOK_CLIENTS)}")
        return
    try:
        payload = json.loads(standard_input("an event").decode("utf-8", "replace"))
        event = hooks.read(payload) if isinstance(payload, dict) else None
        if event is None:
            return
        settings = {**app.flags, "actor": hooks.actor}
        with Memory.open(event.folder, settings=settings) as memory:
            records_unasked = memory.workspace.site.config.capture_mode == "auto"
        if records_unasked:  # nobody looks on: a person decides later
            settings["capture.mode"] = "draft"
        with Memory.open(event.folder, settings=settings) as memory:
            text = _answer(memory, event)
    except (GitmemError, OSError, ValueError, RecursionError):
        return
    if text:
        out(hooks.answer(event, text))


def _answer(memory: "Memory", event: HookEvent) -> str:
    if event.kind == "begins":
        memory.failures.assistant_began(event.call, event.command)
        return ""
    if event.kind == "ended":
        return _of_command(memory, event)
    from gitmem.render.assistant import fitted
    from gitmem.render.assistant_context import context

    return fitted(context(memory.advice.context("", budget=_TOKENS), _TOKENS), _TOKENS)[0]


def _of_command(memory: "Memory", event: HookEvent) -> str:
    from gitmem.render.assistant import Answer, fitted, known_parts, quoted

    observed = memory.failures.assistant_ended(
        event.call, event.command, event.output, event.exit_code
    )
    matches = observed.recognised if observed else []
    if observed is None and event.exit_code:
        matches = memory.hint(event.output)
    recognised = [match for match in matches if match.label or match.similar]
    texts = [fitted(Answer(known_parts(recognised)), _TOKENS)[0]] if recognised else []
    if observed:
        texts += [
            f"gitmem drafted the fix {quoted(draft.fixes[-1]['title'])}; a person may keep it."
            for draft in observed.learnt.drafts
            if draft.fixes
        ]
    return "\n\n".join(texts)
