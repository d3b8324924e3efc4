"""Sets an assistant's hooks in its file, and takes them back."""

import json
from collections.abc import Mapping
from typing import Any

from gitmem.assistants import jsonc
from gitmem.assistants.assistant import ITEM, NAME, Assistant
from gitmem.assistants.hooks import HOOK_CLIENTS, HookClient, hooks_of
from gitmem.assistants.project_files import ProjectFiles
from gitmem.errors import InvalidError


def hooked(project: ProjectFiles, tool: Assistant) -> bool:
    """Tell whether all hooks of an assistant are set."""
    name = hooks_of(tool.name)
    client = HOOK_CLIENTS.get(name)
    text = project.text(client.file) if client else None
    if client is None or text is None:
        return False
    if client.script:
        return text == client.script
    return all(jsonc.entry_of(text, path, dict(entry)) for path, entry in entries(name).items())


def set_hooks(project: ProjectFiles, tool: Assistant, *, undo: bool) -> list[str]:
    """Plan the edit that sets an assistant's hooks, or takes them out; give what is to be told.

    Raises:
        InvalidError: the file can't be read; the hint holds what to paste.

    """
    name = hooks_of(tool.name)
    client = HOOK_CLIENTS.get(name)
    if client is None:
        return []
    text, alone = project.text(client.file), client.script or _only_hooks(name, client)
    if text is None or text == alone:
        project.write(client.file, None if undo else alone)
        return [] if undo or not client.note else [client.note]
    if client.script:
        if text.partition("\n")[0] != alone.partition("\n")[0]:
            return [f"{client.file} was not written by gitmem, and stays as it is"]
        project.write(client.file, None if undo else alone)
        return []
    try:
        edited = _edited(text, name, undo=undo)
    except InvalidError as error:
        by_hand = (
            "remove gitmem's hooks by hand" if undo else f"add by hand: {' '.join(alone.split())}"
        )
        raise InvalidError(
            f"{client.file} can't be edited: {error.message}", f"mend it, or {by_hand}"
        ) from None
    project.write(client.file, edited)
    return [] if undo or not client.note or edited == text else [client.note]


def entries(name: str) -> dict[tuple[str, ...], Mapping[str, Any]]:
    """Give the hooks of an assistant: for each the keys that lead to it, and what stands there."""
    client = HOOK_CLIENTS[name]
    # Some take any other exit code for a refusal, also where there is no gitmem.
    run = {**client.handler, client.starts: f"{NAME} assistant-hook {name} 2>/dev/null || :"}
    hooks: dict[tuple[str, ...], Mapping[str, Any]] = {}
    for event, kind in client.events.items():
        of_tools = {"matcher": client.matcher_of(kind)} if kind in {"begins", "ended"} else {}
        entry = {**of_tools, "hooks": [run]} if client.grouped else {**of_tools, **run}
        hooks[*client.within, event, ITEM] = entry
    return hooks


def _edited(text: str, name: str, *, undo: bool) -> str:
    if undo:
        for path, entry in reversed([*entries(name).items()]):
            text = jsonc.removed(text, path, entry)
        return text
    for path, entry in entries(name).items():
        text = jsonc.added(text, path, entry)
    return text


def _only_hooks(name: str, client: HookClient) -> str:
    """Write a file that holds nothing but our hooks."""
    first, *others = entries(name).items()
    text = jsonc.whole(*first)
    if client.alone:
        text = jsonc.added(json.dumps(dict(client.alone), indent=2) + "\n", *first)
    for path, entry in others:
        text = jsonc.added(text, path, entry)
    return text
