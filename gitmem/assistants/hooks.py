"""What assistants tell their hooks, and how they want to be answered.

As documented by the makers of the tools in November 2026; docs/assistants.md names the pages.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NamedTuple

_EXIT: Final = re.compile(r"Exit code (\d{1,3})(?:\n|$)")
_CLAUDE_EVENTS: "Final[Mapping[str, HookKind]]" = {
    "SessionStart": "session", "PreToolUse": "begins",
    "PostToolUse": "ended", "PostToolUseFailure": "ended",
}  # fmt: skip
_SHELLS: Final = frozenset({"Bash"})
HookKind = Literal["session", "begins", "ended"]


class HookEvent(NamedTuple):
    """What happened in an assistant.

    Attributes:
        kind: ``session``: one begins; ``begins``, ``ended``: a command of the shell.
        name: what the assistant calls the event.
        folder: where it happened.
        call: its name for this one call; empty where it has none.
        command: the line of shell.
        output: what it printed.
        exit_code: how it ended, as a shell counts it.

    """

    kind: HookKind
    name: str
    folder: str
    call: str = ""
    command: str = ""
    output: str = ""
    exit_code: int = 0


class HookClient(NamedTuple):
    """An assistant with hooks.

    Attributes:
        actor: who writes what is learnt.
        read: makes an event of the object on standard input; None: nothing for us.
        answer: what goes to standard output, of an event and a text for the model.

    """

    actor: str
    read: Callable[[Mapping[str, Any]], HookEvent | None]
    answer: Callable[[HookEvent, str], str]


def _claude(payload: Mapping[str, Any]) -> HookEvent | None:
    name = _text(payload, "hook_event_name")
    kind = _CLAUDE_EVENTS.get(name)
    if kind is None:
        return None
    event = HookEvent(kind, name, _text(payload, "cwd") or ".")
    if kind == "session":
        return event
    tool_input = _mapping(payload, "tool_input")
    if payload.get("tool_name") not in _SHELLS or not _text(tool_input, "command"):
        return None
    event = event._replace(call=_text(payload, "tool_use_id"), command=_text(tool_input, "command"))
    if kind == "begins":
        return event
    if name == "PostToolUseFailure":
        if payload.get("is_interrupt"):
            return None
        error = _text(payload, "error")
        ended = _EXIT.match(error)
        if not ended:
            return event._replace(output=error, exit_code=1)
        return event._replace(output=error[ended.end() :], exit_code=int(ended[1]))
    answer = _mapping(payload, "tool_response")
    if answer.get("interrupted") or tool_input.get("run_in_background"):
        return None
    both = (_text(answer, "stdout"), _text(answer, "stderr"))
    return event._replace(output="\n".join(filter(None, both)))


def _to_claude(event: HookEvent, text: str) -> str:
    context = {"hookEventName": event.name, "additionalContext": text}
    return json.dumps({"hookSpecificOutput": context})


def _text(payload: Mapping[str, Any], key: str) -> str:
    value = payload.get(key)
    return value if isinstance(value, str) else ""


def _mapping(payload: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = payload.get(key)
    return value if isinstance(value, dict) else {}


HOOK_CLIENTS: Final[Mapping[str, HookClient]] = {
    "claude": HookClient("agent:claude-code", _claude, _to_claude),
}
