"""For each assistant with hooks: where they are set, what they are told, how they answer.

As their makers documented it in November 2026; ``payloads.json`` holds what the clients sent when
they were run (of Cursor and Devin: what their documentation says they send).
"""

import json
import os
import re
import stat
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.system import OPEN

HookKind = Literal["session", "begins", "ended", "edited", "stop"]
Ended = tuple[str, int | None]
"""What a command printed, and how it ended, as a shell counts it; None: that is not told."""
_EXIT: Final = lazily(r"Exit code (\d{1,3})(?:\n|$)")
_GEMINI_EXIT: Final = lazily(r"^Exit Code: (\d{1,3})$", re.MULTILINE)
_COPILOT_EXIT: Final = lazily(r"\n?<shellId: [^>\n]* completed with exit code (\d{1,3})>\s*\Z")
_NAMED_EXIT: Final = lazily(r"exit(?:ed with)? code:? (\d{1,3})", re.IGNORECASE)
_MOST_TRANSCRIPT: Final = 1 << 20
"""So many of the last bytes of a transcript are looked through."""
_PATCHED: Final = lazily(
    r"^\*\*\* (?:Update|Add) File: (.{1,4096})$|^\*\*\* Move to: (.{1,4096})$", re.MULTILINE
)
_MOST_EDITED: Final = 20
"""Files of one edit that are looked at."""
_SECONDS: Final = 10


class HookEvent(NamedTuple):
    """What happened in an assistant.

    Attributes:
        kind: ``session``: one begins; ``begins``, ``ended``: a command of the shell; ``edited``: it
            changed files; ``stop``: the assistant has done what it was asked for.
        name: what the assistant calls the event.
        folder: where it happened.
        session: the assistant's name for the session; empty: it tells none.
        call: names this one call, or where nothing does those of one line in one session.
        command: the line of shell.
        output: what it printed.
        exit_code: how it ended, as a shell counts it; None: the assistant does not tell.
        edited: the files that it changed, as the assistant names them.

    """

    kind: HookKind
    name: str
    folder: str
    session: str = ""
    call: str = ""
    command: str = ""
    output: str = ""
    exit_code: int | None = 0
    edited: tuple[str, ...] = ()


class HookClient(NamedTuple):
    """An assistant with hooks.

    Attributes:
        actor: who writes what is learnt.
        file: where its hooks are set, relative to the repository.
        source: where its maker documents them.
        events: what it calls the events that we answer.
        shells: what it calls its shell.
        ended: reads what a command came to; None: it has not ended, or was stopped.
        handler: members of each hook, beside the command.
        starts: the member that holds the command.
        matcher: which tools the hooks of commands are for; empty: the assistant can't tell.
        grouped: hooks stand in a list under their matcher.
        within: keys that lead to the hooks in the file.
        alone: members that a file of its own begins with.
        script: the file is this program, and no JSON.
        answers: members of its answer that the model reads.
        project: the variable that names the project, where no event does.
        foreign: members that only others send, who read this assistant's file, too.
        note: what else its user has to know.
        read_by: other assistants that read the same file.
        editors: what it calls its tools that change files; empty: that is not known.

    """

    actor: str
    file: str
    source: str
    events: Mapping[str, HookKind]
    shells: frozenset[str]
    ended: Callable[[Mapping[str, Any]], Ended | None]
    handler: Mapping[str, Any] = MappingProxyType({"type": "command", "timeout": _SECONDS})
    starts: str = "command"
    matcher: str = "Bash"
    grouped: bool = True
    within: tuple[str, ...] = ("hooks",)
    alone: Mapping[str, Any] = MappingProxyType({})
    script: str = ""
    answers: tuple[str, ...] = ("hookSpecificOutput",)
    project: str = ""
    foreign: tuple[str, ...] = ()
    note: str = ""
    read_by: tuple[str, ...] = ()
    editors: frozenset[str] = frozenset()

    def read(self, payload: Mapping[str, Any]) -> HookEvent | None:
        """Read what stands on standard input; None: nothing for us."""
        # VS Code sends the one, and documents the other.
        name = _text(payload, "hook_event_name") or _text(payload, "hookEventName")
        kind = self.events.get(name)
        if kind is None or any(member in payload for member in self.foreign):
            return None
        roots = payload.get("workspace_roots")
        first = roots[0] if isinstance(roots, list) and roots else "."
        folder = _text(payload, "cwd") or os.environ.get(self.project or "-", str(first))
        event = HookEvent(kind, name, folder)
        if kind in {"session", "stop"}:
            return event
        tool_input = _mapping(payload, "tool_input")
        if payload.get("tool_name") in self.editors:
            return self._edited(event, payload, tool_input)
        command = _text(tool_input, "command")
        if payload.get("tool_name") not in self.shells or not command:
            return None
        session = _session(payload)
        call = f"{session} {_text(payload, 'tool_use_id') or command}"
        folder = _text(tool_input, "working_directory") or event.folder
        event = event._replace(session=session, call=call, command=command, folder=folder)
        if kind == "begins":
            return event
        ended = self.ended(payload)
        return event._replace(output=ended[0], exit_code=ended[1]) if ended else None

    def matcher_of(self, kind: HookKind) -> str:
        """Give which tools the hooks of one kind are for."""
        return "|".join((self.matcher, *sorted(self.editors))) if kind == "ended" else self.matcher

    @staticmethod
    def _edited(
        event: HookEvent, payload: Mapping[str, Any], tool_input: Mapping[str, Any]
    ) -> HookEvent | None:
        if event.kind != "ended" or "error" in payload or "error_message" in payload:
            return None
        named = _text(tool_input, "file_path") or _text(tool_input, "path")
        patched = _PATCHED.findall(_text(tool_input, "command"))
        paths = (named,) if named else tuple(name or moved for name, moved in patched)
        edited = tuple(dict.fromkeys(paths))[:_MOST_EDITED]
        if not edited:
            return None
        return event._replace(kind="edited", session=_session(payload), edited=edited)

    def answer(self, event: HookEvent, text: str) -> str:
        """Write the answer that tells a text to the model, or at the end of a turn to its user."""
        if event.kind == "stop":
            return json.dumps({"systemMessage": text})
        nested = {"hookEventName": event.name, "additionalContext": text}
        return json.dumps(
            {name: nested if name == "hookSpecificOutput" else text for name in self.answers}
        )


def _text(payload: Mapping[str, Any], key: str) -> str:
    value = payload.get(key)
    return value if isinstance(value, str) else ""


def _session(payload: Mapping[str, Any]) -> str:
    names = ("session_id", "conversation_id", "sessionId")
    return next(filter(None, (_text(payload, each) for each in names)), "")


def _mapping(payload: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = payload.get(key)
    return value if isinstance(value, dict) else {}


def _both(answer: Mapping[str, Any]) -> str:
    return "\n".join(filter(None, (_text(answer, "stdout"), _text(answer, "stderr"))))


def _code(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _of_claude(payload: Mapping[str, Any]) -> Ended | None:
    answer = _mapping(payload, "tool_response")
    background = _mapping(payload, "tool_input").get("run_in_background")
    if payload.get("is_interrupt") or answer.get("interrupted") or background:
        return None
    if "error" not in payload:
        return _both(answer), 0
    error = _text(payload, "error")
    ended = _EXIT.match(error)
    return (error[ended.end() :], int(ended[1])) if ended else (error, 1)


def _of_codex(payload: Mapping[str, Any]) -> Ended | None:
    """Read the output; the code stands only in the transcript, whose form may change any day."""
    if not isinstance(payload.get("tool_response"), str):
        return None
    call, code = _text(payload, "tool_use_id"), None
    try:
        for line in reversed(_last_lines(_text(payload, "transcript_path"))):
            if b'"exit_code"' in line and call and call.encode() in line:
                item = _mapping(_mapping(json.loads(line), "payload"), "item")
                if item.get("id") == call:
                    code = _code(item.get("exit_code"))
                    break
    except (OSError, ValueError, RecursionError):
        pass
    return _text(payload, "tool_response"), code


def _last_lines(path: str) -> list[bytes]:
    """Give the last lines of a file; of a device or a pipe, which may never end, none."""
    handle = os.open(path, os.O_RDONLY | OPEN)
    with open(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return []
        size = file.seek(0, 2)
        file.seek(max(size - _MOST_TRANSCRIPT, 0))
        return file.read(_MOST_TRANSCRIPT).splitlines()


def _of_gemini(payload: Mapping[str, Any]) -> Ended | None:
    answer = _mapping(payload, "tool_response")
    whole, shown = _text(answer, "llmContent"), _text(answer, "returnDisplay")
    if answer.get("error") or "\nProcess Group PGID: " not in whole:
        return None  # stopped, or goes on in the background
    # What the command itself printed says nothing of how it ended.
    code = _GEMINI_EXIT.search(whole, max(whole.rfind(shown), 0) + len(shown))
    return shown, int(code[1]) if code else 0


def _of_copilot(payload: Mapping[str, Any]) -> Ended | None:
    result = payload.get("tool_result")
    if not isinstance(result, dict):  # VS Code gives the text alone
        text = payload.get("tool_response")
        return (text, None) if isinstance(text, str) else None
    text = _text(result, "text_result_for_llm")
    ended = _COPILOT_EXIT.search(text)
    return (text[: ended.start()], int(ended[1])) if ended else None


def _of_cursor(payload: Mapping[str, Any]) -> Ended | None:
    if "error_message" in payload:
        if payload.get("is_interrupt") or payload.get("failure_type") != "error":
            return None
        error = _text(payload, "error_message")
        named = _NAMED_EXIT.search(error)
        return error, int(named[1]) if named else 1
    text = _text(payload, "tool_output")
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        return (text, None) if text else None
    if not isinstance(answer, dict):
        return None
    return _both(answer) or _text(answer, "output"), _code(answer.get("exitCode"))


def _of_devin(payload: Mapping[str, Any]) -> Ended | None:
    """Read the output; of ``success`` nobody says whether it follows from the exit code."""
    answer = _mapping(payload, "tool_response")
    text = "\n".join(filter(None, (_text(answer, "output"), _text(answer, "error"))))
    return (text, None) if text else None


def _of_opencode(payload: Mapping[str, Any]) -> Ended | None:
    answer = _mapping(payload, "tool_response")
    code = _code(answer.get("exit"))
    return (_text(answer, "output"), code) if code is not None else None


_PLUGIN: Final = """\
// Written by `gitmem setup opencode --hooks`, and removed by `gitmem setup opencode --undo`.
import { spawn } from "node:child_process"
import path from "node:path"
import { fileURLToPath } from "node:url"

const ask = (payload) =>
  new Promise((resolve) => {
    try {
      const options = { cwd: payload.cwd, stdio: ["pipe", "pipe", "ignore"], timeout: 10000 }
      const gitmem = spawn("gitmem", ["assistant-hook", "opencode"], options)
      let text = ""
      gitmem.stdout.on("data", (data) => (text += data))
      gitmem.on("error", () => resolve({}))
      gitmem.on("close", () => {
        try {
          resolve(JSON.parse(text))
        } catch {
          resolve({})
        }
      })
      gitmem.stdin.on("error", () => {})
      gitmem.stdin.end(JSON.stringify(payload))
    } catch {
      resolve({})
    }
  })

const asking = (directory) => {
  const event = (hook_event_name, session_id, more = {}) =>
    ask({ hook_event_name, session_id, cwd: directory, ...more })
  const begun = new Map()
  const called = (name, session, call, args, more = {}) =>
    event(name, session, {
      cwd: path.resolve(directory, args?.workdir || "."),
      tool_name: "bash",
      tool_use_id: call,
      tool_input: { command: args?.command },
      ...more,
    })
  return {
    session: async (id) => {
      if (!begun.has(id)) begun.set(id, event("chat.system.transform", id))
      return (await begun.get(id)).context
    },
    before: (session, call, args) => called("tool.execute.before", session, call, args),
    after: async (session, call, args, output, exit) => {
      const more = { tool_response: { output, exit } }
      return (await called("tool.execute.after", session, call, args, more)).context
    },
    stop: async (id) => (await event("session.idle", id)).systemMessage,
  }
}

// OpenCode 1
const server = async ({ client, directory }) => {
  const gitmem = asking(directory)
  return {
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      const context = await gitmem.session(sessionID)
      if (context) output.system.push(context)
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
      if (tool === "bash") await gitmem.before(sessionID, callID, args)
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
      if (tool !== "bash") return
      const { output: printed, exit } = output.metadata ?? {}
      const context = await gitmem.after(sessionID, callID, args, printed ?? output.output, exit)
      if (context) output.output += `\\n\\n${context}`
    },
    event: async ({ event: { type, properties } }) => {
      if (type !== "session.idle") return
      const message = await gitmem.stop(properties.sessionID)
      const body = { message, variant: "info" }
      if (message) await client.tui.showToast({ body }).catch(() => {})
    },
  }
}

// OpenCode 2, which loads a project's plugins from .opencode/plugins/
const setup = async (context) => {
  const gitmem = asking(fileURLToPath(new URL("../../", import.meta.url)))
  await context.session.hook("context", async (event) => {
    const text = await gitmem.session(event.sessionID)
    if (text) event.system.push({ type: "text", text })
  })
  await context.tool.hook("execute.before", async ({ tool, sessionID, id, input }) => {
    if (tool === "shell") await gitmem.before(sessionID, id, input)
  })
  await context.tool.hook("execute.after", async (event) => {
    if (event.tool !== "shell" || event.status !== "completed") return
    const { sessionID, id, input, result } = event
    const { output: printed, exit } = result.output ?? {}
    const text = await gitmem.after(sessionID, id, input, printed, exit)
    if (!text) return
    const before =
      typeof result.content === "string" ? [{ type: "text", text: result.content }] : result.content
    event.result = { ...result, content: [...(before ?? []), { type: "text", text }] }
  })
}

export default { id: "gitmem", server, setup }
"""

HOOK_CLIENTS: Final[Mapping[str, HookClient]] = {
    "claude": HookClient(
        "agent:claude-code", ".claude/settings.json", "code.claude.com/docs/en/hooks",
        {"SessionStart": "session", "PreToolUse": "begins", "PostToolUse": "ended",
         "PostToolUseFailure": "ended", "Stop": "stop"},
        frozenset({"Bash"}), _of_claude,
        # Copilot and Cursor run Claude Code's hooks, too, and have hooks of their own.
        foreign=("timestamp", "cursor_version"), editors=frozenset({"Edit", "MultiEdit", "Write"}),
    ),
    "codex": HookClient(
        "agent:codex", ".codex/hooks.json", "developers.openai.com/codex/hooks",
        {"SessionStart": "session", "PreToolUse": "begins", "PostToolUse": "ended", "Stop": "stop"},
        frozenset({"Bash"}), _of_codex,
        note="Codex runs hooks in projects that you trust, once you looked at them: /hooks",
        editors=frozenset({"apply_patch"}),
    ),
    "cursor": HookClient(
        "agent:cursor", ".cursor/hooks.json", "cursor.com/docs/hooks",
        {"sessionStart": "session", "preToolUse": "begins", "postToolUse": "ended",
         "postToolUseFailure": "ended"},
        frozenset({"Shell"}), _of_cursor, {"timeout": _SECONDS}, matcher="Shell",
        grouped=False, alone={"version": 1}, answers=("additional_context",),
        editors=frozenset({"Write"}),
    ),
    "copilot": HookClient(
        "agent:copilot", ".github/hooks/gitmem.json",
        "docs.github.com/copilot/reference/hooks-reference",
        {"SessionStart": "session", "PreToolUse": "begins", "PostToolUse": "ended", "Stop": "stop"},
        frozenset({"Bash", "bash", "run_in_terminal", "runInTerminal"}), _of_copilot,
        # The name that its matcher is compared with differs between the two events.
        starts="bash", matcher="Bash|bash", grouped=False, alone={"version": 1},
        answers=("additionalContext", "hookSpecificOutput"), read_by=("copilot-cli",),
    ),
    "gemini": HookClient(
        "agent:gemini-cli", ".gemini/settings.json", "geminicli.com/docs/hooks/reference",
        {"SessionStart": "session", "BeforeTool": "begins", "AfterTool": "ended",
         "AfterAgent": "stop"},
        frozenset({"run_shell_command"}), _of_gemini,
        {"type": "command", "timeout": _SECONDS * 1000},
        matcher="run_shell_command",
        note="Gemini CLI runs hooks only in folders that you trust",
        editors=frozenset({"replace", "write_file"}),
    ),
    "devin": HookClient(
        "agent:devin", ".devin/hooks.v1.json",
        "docs.devin.ai/cli/extensibility/hooks/lifecycle-hooks",
        {"SessionStart": "session", "PreToolUse": "begins", "PostToolUse": "ended"},
        frozenset({"exec"}), _of_devin, matcher="^exec$", within=(), project="DEVIN_PROJECT_DIR",
        note="Devin runs hooks in workspaces that you trust",
    ),
    "opencode": HookClient(
        "agent:opencode", ".opencode/plugins/gitmem.js", "opencode.ai/docs/plugins",
        {"chat.system.transform": "session", "tool.execute.before": "begins",
         "tool.execute.after": "ended", "session.idle": "stop"},
        frozenset({"bash"}), _of_opencode, script=_PLUGIN, answers=("context",),
    ),
}  # fmt: skip


def hooks_of(assistant: str) -> str:
    """Give the name under which an assistant's hooks are set; empty: it has none."""
    if assistant in HOOK_CLIENTS:
        return assistant
    return next((name for name, client in HOOK_CLIENTS.items() if assistant in client.read_by), "")
