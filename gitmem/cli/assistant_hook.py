"""``gitmem assistant-hook``."""

import json
from typing import TYPE_CHECKING, Final

import click

from gitmem.assistants.hooks import HOOK_CLIENTS, HookEvent
from gitmem.cli.app import App, note, out, standard_input
from gitmem.cli.base import Command, argument
from gitmem.plurals import counted

if TYPE_CHECKING:
    from gitmem.capture.learnt import Draft
    from gitmem.memory import Memory

_TOKENS: Final = 300
_FOR_DRAFTS: Final = 40


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
        with Memory.open(event.folder, settings={**app.flags, "actor": hooks.actor}) as memory:
            text = _answer(memory, event)
    except Exception:  # noqa: BLE001  whatever is wrong with us, the session goes on
        return
    if text:
        out(hooks.answer(event, text))


def _answer(memory: "Memory", event: HookEvent) -> str:
    if event.kind == "begins":
        memory.failures.assistant_began(event.call, event.command)
        return ""
    if event.kind == "ended":
        return _of_command(memory, event)
    if event.kind == "stop":
        return _of_drafts(memory.failures.assistant_untold())
    from gitmem.render.assistant import fitted
    from gitmem.render.assistant_context import context

    waiting = len(memory.failures.drafts.open())
    budget = _TOKENS - _FOR_DRAFTS if waiting else _TOKENS
    text = fitted(context(memory.advice.context("", budget=budget), budget), budget)[0]
    if not waiting:
        return text
    return f"{text}\n\n{counted(waiting, 'draft')} of fixes wait for a person: gitmem drafts"


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
        recorded = {draft.id for draft, _ in observed.kept}
        for draft in observed.learnt.drafts:
            if draft.fixes:
                fix = quoted(draft.fixes[-1]["title"])
                drafted = f"gitmem drafted the fix {fix}; a person may keep it."
                texts.append(f"gitmem recorded the fix {fix}." if draft.id in recorded else drafted)
    return "\n\n".join(texts)


def _of_drafts(drafts: "list[Draft]") -> str:
    if not drafts:
        return ""
    from gitmem.render.text import one_line

    titles = "; ".join(one_line(draft.title) for draft in drafts[:3])
    return (
        f"gitmem: {counted(len(drafts), 'draft')} of what this session taught: {titles}. "
        "Look at them with: gitmem drafts"
    )
