"""Answers the hook of a coding assistant: from the event to the text that it shows its model.

It runs around every command of an assistant, so the program comes here without click, whose
import takes as long as all else of some answers.
"""

import contextlib
import gc
import json
import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NoReturn

from gitmem.assistants.hooks import HOOK_CLIENTS, HookEvent
from gitmem.memory import Memory
from gitmem.plurals import counted
from gitmem.system import relative_path

if TYPE_CHECKING:
    from gitmem.capture.learnt import Draft

_MOST_BYTES: Final = 64 * 2**20
_MOST_SETTINGS: Final = 1 << 20
_MOST_EDITED: Final = 1 << 20
_TOKENS: Final = 300
_FOR_DRAFTS: Final = 40


def main(args: list[str] | None = None) -> NoReturn:
    """Be the program, where it was started as ``gitmem assistant-hook ASSISTANT``."""
    _, client = sys.argv[1:] if args is None else args
    gc.disable()  # it lives shorter than looking for garbage takes
    # Whatever is wrong with us, our input or our output, the session goes on.
    with contextlib.suppress(Exception, KeyboardInterrupt):
        answer(client, {})
    os._exit(0)


def answer(client: str, flags: Mapping[str, Any]) -> None:
    """Read an event from standard input, and print what the assistant is told; most often nothing.

    Args:
        client: the assistant, one of ``HOOK_CLIENTS``.
        flags: settings.

    """
    hooks = HOOK_CLIENTS[client]
    data = sys.stdin.buffer.read(_MOST_BYTES + 1)
    payload = json.loads(data.decode("utf-8", "replace")) if len(data) <= _MOST_BYTES else None
    event = hooks.read(payload) if isinstance(payload, dict) else None
    if event is None or _plugin_beside_hooks(client) or _devin_beside_hooks(client):
        return
    with Memory.open(event.folder, settings={**flags, "actor": hooks.actor}) as memory:
        memory.workspace.waits = False
        text = _answer(memory, event)
    if text:
        sys.stdout.write(hooks.answer(event, text) + "\n")
        sys.stdout.flush()


def _plugin_beside_hooks(client: str) -> bool:
    """Tell whether a plugin asks where the project has the same hooks: these ask, too."""
    project = os.environ.get("CLAUDE_PROJECT_DIR")
    return "CLAUDE_PLUGIN_ROOT" in os.environ and _has_hooks(project, client)


def _devin_beside_hooks(client: str) -> bool:
    """Tell whether Devin, which runs Claude Code's hooks, too, has hooks of its own here."""
    other = client != "devin"
    return other and _has_hooks(os.environ.get(HOOK_CLIENTS["devin"].project), "devin")


def _has_hooks(project: str | None, client: str) -> bool:
    if not project:
        return False
    try:
        with open(os.path.join(project, HOOK_CLIENTS[client].file), "rb") as settings:
            return b"assistant-hook" in settings.read(_MOST_SETTINGS)
    except OSError:
        return False


def _answer(memory: Memory, event: HookEvent) -> str:
    if event.kind == "begins":
        memory.failures.assistant_began(event.call)
        return ""
    if event.kind == "ended":
        return _of_command(memory, event)
    if event.kind == "edited":
        return _of_edit(memory, event)
    if event.kind == "stop":
        return _of_drafts(memory.failures.assistant_untold())
    from gitmem.render.assistant import fitted
    from gitmem.render.assistant_context import context

    memory.failures.prepare_packs()
    waiting = sum(not draft.silenced for draft in memory.failures.drafts.open())
    budget = _TOKENS - _FOR_DRAFTS if waiting else _TOKENS
    begun = memory.advice.context("", budget=budget, project_first=True)
    text = fitted(context(begun, budget), budget)[0]
    if not waiting:
        return text
    return f"{text}\n\n{counted(waiting, 'draft')} of fixes wait for a person: gitmem drafts"


def _of_command(memory: Memory, event: HookEvent) -> str:
    from gitmem.render.assistant import Answer, edit_lines, fitted, known_parts, quoted

    observed = memory.failures.assistant_ended(
        event.call, event.command, event.output, event.exit_code
    )
    matches = observed.recognised if observed else []
    if observed is None and event.exit_code:
        matches = list(memory.history.look_up(event.output).matches)
    news = memory.failures.assistant_news(event.session, matches)
    recognised = [match for match in news if match.label or match.similar]
    texts: list[str] = []
    if recognised:
        parts_known = known_parts(memory.history.look_up(recognised))
        texts.append(fitted(Answer(parts_known), _TOKENS)[0])
    if answers := memory.failures.elsewhere(matches):
        from gitmem.render.elsewhere_quoted import parts

        texts.append(fitted(Answer(list(parts(answers))), _TOKENS)[0])
    if observed and matches and (since := memory.failures.since_edit(observed)):
        texts.insert(0, "\n".join(edit_lines(since)))
    if observed:
        recorded = {draft.id for draft, _ in observed.kept}
        for draft in observed.learnt.drafts:
            if draft.silenced:
                texts.append(f"gitmem takes this for no fix: {quoted(draft.fixes[-1]['title'])}.")
            elif draft.fixes:
                fix = quoted(draft.fixes[-1]["title"])
                drafted = f"gitmem drafted the fix {fix}; a person may keep it."
                texts.append(f"gitmem recorded the fix {fix}." if draft.id in recorded else drafted)
    return "\n\n".join(filter(None, texts))


def _of_edit(memory: Memory, event: HookEvent) -> str:
    """Tell which fixes an edit takes back, each once in a session; most often nothing."""
    from gitmem.worktree import read_text

    root = os.path.realpath(memory.workspace.site.root)
    texts: dict[str, str] = {}
    for name in event.edited:
        path = os.path.realpath(os.path.join(event.folder, name))
        if not path.startswith(os.path.join(root, "")):
            continue
        inside = relative_path(path, root)
        if text := read_text(root, inside, _MOST_EDITED):
            texts[inside] = text
    unheard = memory.history.edited.untold(event.session, texts)
    if not unheard:
        return ""
    from gitmem.render.assistant import Answer, fitted
    from gitmem.render.guarded_quoted import parts

    return fitted(Answer(list(parts(unheard))), _TOKENS)[0]


def _of_drafts(drafts: "list[Draft]") -> str:
    if not drafts:
        return ""
    from gitmem.render.text import one_line

    titles = "; ".join(one_line(draft.title) for draft in drafts[:3])
    return (
        f"gitmem: {counted(len(drafts), 'draft')} of what this session taught: {titles}. "
        "Look at them with: gitmem drafts"
    )
