"""Commands: what the command line can do, for an editor's own buttons and menus.

Every command gives plain data. What can't be done is shown in one line, and given back as
``{"error": …, "hint": …}``, with ``"lacks": "memory"`` where there is none for the file named.
"""

import asyncio
import functools
import logging
import os
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.uris import from_fs_path

from gitmem.errors import GitmemError, UsageError
from gitmem.memory import Memory
from gitmem.records.kinds import Fix
from gitmem.render import as_json
from gitmem.render.markdown import record_summary
from lsp_server.command_arguments import optional_text_in, text_in
from lsp_server.features.actions import changes_of, edit_from
from lsp_server.file_paths import is_unsaved, path_of, place_of
from lsp_server.open_memory import OpenMemory

if TYPE_CHECKING:
    from gitmem.answers.found import Shown
    from lsp_server.session import EditorSession

_log = logging.getLogger(__name__)
_MOST: Final = 50


class NoMemoryError(UsageError):
    """The file that a command is about belongs to no memory; another one is not taken instead."""


Handler = Callable[["EditorSession", OpenMemory, list[Any]], Awaitable[Any]]
BareHandler = Callable[["EditorSession", list[Any]], Awaitable[Any]]


def register(server: "EditorSession") -> None:
    """Answer the commands."""
    for name, task in _TASKS.items():
        add_command(server, name, functools.partial(_in_step, task))
    for name, task in _WRITING.items():
        add_command(server, name, functools.partial(_in_step, task), writes=True)
    for name, task in _VERDICTS.items():
        add_command(server, name, functools.partial(_judge, task), writes=True)
    add_command(server, "gitmem.show", _show)
    add_command(server, "gitmem.apply", _apply, writes=True)


def add_command(
    server: "EditorSession",
    name: str,
    handler: Handler,
    *,
    quiet: bool = False,
    writes: bool = False,
) -> None:
    """Register a command; an argument ``{"uri": …}`` names the memory that is meant."""

    async def in_memory(ls: "EditorSession", arguments: list[Any]) -> Any:  # noqa: ANN401
        return await handler(ls, _memory_meant(ls, arguments, writes=writes), arguments)

    add_bare_command(server, name, in_memory, quiet=quiet)


def add_bare_command(
    server: "EditorSession", name: str, handler: BareHandler, *, quiet: bool = False
) -> None:
    """Register a command that needs no memory.

    Args:
        server: the server.
        name: the command's name.
        handler: carries it out.
        quiet: what can't be done is only given back, for views that ask by themselves; an
            argument ``{"quiet": true}`` does the same.

    """

    @server.command(name)
    async def run(ls: Any, *arguments: Any) -> Any:  # noqa: ANN401  pygls reads these types
        try:
            return await handler(ls, list(arguments))
        except GitmemError as error:
            message = f"gitmem: {error.message}" + (f" ({error.hint})" if error.hint else "")
            wishes = [each.get("quiet") for each in arguments if isinstance(each, dict)]
            if not (quiet or True in wishes):
                ls.show_message(message, types.MessageType.Warning)
            lacking = {"lacks": "memory"} if isinstance(error, NoMemoryError) else {}
            return {"error": error.message, "hint": error.hint, **lacking}
        except Exception:  # noqa: BLE001  whatever it is, it is logged and must not pop up
            _log.exception("fault in %s", name)
            return {"error": "this failed", "hint": "see the server's log"}


def _memory_meant(ls: "EditorSession", arguments: list[Any], *, writes: bool) -> OpenMemory:
    """Give the memory of the file that is named, else the workspace's first.

    Another memory never stands in for the one of a folder of the workspace, and nothing is written
    to it for any file.
    """
    uris = [each.get("uri") for each in arguments if isinstance(each, dict)]
    # A folder is meant as what lies in it.
    named = [
        f"{uri.rstrip('/')}/." if os.path.isdir(path_of(uri)) else uri
        for uri in uris
        if isinstance(uri, str) and (place_of(uri) or is_unsaved(uri))
    ]
    strict = [uri for uri in named if writes or ls.is_in_workspace(place_of(uri))]
    for uri in named if strict else (*named, *ls.addresses()):
        open_memory = ls.open_memory_for(uri)
        if open_memory:
            return open_memory
    if strict:
        where = path_of(strict[0]) or "a text that is in no file yet"
        raise NoMemoryError(f"there is no memory for {where}", "start one with: gitmem init")
    raise UsageError("no memory is open here", "start one with: gitmem init")


async def _in_step(
    task: Callable[[Memory, list[Any]], Any],
    _ls: "EditorSession",
    open_memory: OpenMemory,
    arguments: list[Any],
) -> Any:  # noqa: ANN401  plain data
    answer = await asyncio.wrap_future(
        open_memory.do_in_step(lambda memory: task(memory, arguments))
    )
    open_memory.follow()
    return answer


def _search(memory: Memory, arguments: list[Any]) -> Any:  # noqa: ANN401  plain data
    result = memory.search(text_in(arguments, 0, "what to search for"), _MOST)
    memory.records.reader.note_shown(result.site, (hit.ids for hit in result.hits))
    return {"hits": as_json.hits(result.hits, why=False), "suggestion": result.suggestion}


def _status(memory: Memory, _arguments: list[Any]) -> Any:  # noqa: ANN401  plain data
    status = memory.checks.status()
    counts = [
        {"kind": kind, "status": state, "count": count} for kind, state, count in status.counts
    ]
    live = memory.sessions.current()
    return {
        "folder": status.site.folder, "counts": counts, "problems": status.problems,
        "notices": status.notices, "session": {"id": live.id, "goal": live.goal} if live else None,
    }  # fmt: skip


def _hint(memory: Memory, arguments: list[Any]) -> Any:  # noqa: ANN401  plain data
    answer = memory.history.look_up(text_in(arguments, 0, "an error text"))
    return [as_json.recognised(match) for match in answer.matches]


def _start(memory: Memory, arguments: list[Any]) -> Any:  # noqa: ANN401  plain data
    live = memory.sessions.start(text_in(arguments, 0, "the goal"))
    return {"id": live.id, "goal": live.goal}


def _log_event(memory: Memory, arguments: list[Any]) -> Any:  # noqa: ANN401  plain data
    memory.sessions.log("note", text_in(arguments, 0, "what happened"))
    return {"logged": True}


def _end(memory: Memory, arguments: list[Any]) -> Any:  # noqa: ANN401  plain data
    fields: dict[str, Any] = {}
    if summary := optional_text_in(arguments, 0):
        fields["summary"] = summary
    if len(arguments) > 1 and isinstance(arguments[1], bool):
        fields["success"] = arguments[1]
    session = memory.end_session(**fields)
    return {"id": session.id, "title": session.title}


def _helpful(memory: Memory, arguments: list[Any]) -> Any:  # noqa: ANN401  plain data
    verdict = memory.failures.helpful(
        text_in(arguments, 0, "a record's id"), optional_text_in(arguments, 1)
    )
    return _noted(memory, verdict.record, helped=True)


def _unhelpful(memory: Memory, arguments: list[Any]) -> Any:  # noqa: ANN401  plain data
    verdict = memory.failures.unhelpful(
        text_in(arguments, 0, "a record's id"), optional_text_in(arguments, 1)
    )
    return _noted(memory, verdict.record, helped=False)


def _noted(memory: Memory, record: str, *, helped: bool) -> dict[str, Any]:
    return {"id": record, "title": memory.show(record).row.title, "helpful": helped}


async def _judge(
    task: Callable[[Memory, list[Any]], Any],
    ls: "EditorSession",
    open_memory: OpenMemory,
    arguments: list[Any],
) -> Any:  # noqa: ANN401  plain data
    """Note a verdict, and say so: nothing else in the editor shows that it was taken."""
    verdict = await _in_step(task, ls, open_memory, arguments)
    words = "helped" if verdict["helpful"] else "did not help"
    ls.show_message(f"gitmem: noted that this {words}: {verdict['title']}", types.MessageType.Info)
    return verdict


def _applied(memory: Memory, arguments: list[Any]) -> Any:  # noqa: ANN401  plain data
    fix = text_in(arguments, 0, "a fix's id")
    memory.failures.applied(fix)
    return {"id": fix, "applied": True}


_TASKS: Final[dict[str, Callable[[Memory, list[Any]], Any]]] = {
    "gitmem.search": _search,
    "gitmem.status": _status,
    "gitmem.hint": _hint,
}
_WRITING: Final[dict[str, Callable[[Memory, list[Any]], Any]]] = {
    "gitmem.session.start": _start,
    "gitmem.session.log": _log_event,
    "gitmem.session.end": _end,
    "gitmem.applied": _applied,
}
_VERDICTS: Final = {"gitmem.helpful": _helpful, "gitmem.unhelpful": _unhelpful}


def _opened(memory: Memory, reference: str) -> "Shown":
    shown = memory.show(reference)
    memory.records.reader.note_opened(shown)
    return shown


async def _show(ls: "EditorSession", open_memory: OpenMemory, arguments: list[Any]) -> Any:  # noqa: ANN401
    reference = text_in(arguments, 0, "a record's id")
    shown = await asyncio.wrap_future(
        open_memory.do_in_step(lambda memory: _opened(memory, reference))
    )
    uri = str(from_fs_path(f"{open_memory.folder}/{shown.row.path}"))
    ls.open_in_editor(uri)
    return {"id": shown.row.id, "uri": uri, "markdown": record_summary(shown)}


async def _apply(ls: "EditorSession", open_memory: OpenMemory, arguments: list[Any]) -> Any:  # noqa: ANN401
    reference = text_in(arguments, 0, "a fix's id")
    shown = await asyncio.wrap_future(open_memory.do_in_step(lambda memory: memory.show(reference)))
    fix = shown.record
    if not isinstance(fix, Fix) or not fix.patch.strip():
        raise UsageError(f"{shown.row.id} has no patch", "read it with gitmem show")
    changes = await changes_of(ls, str(from_fs_path(f"{open_memory.start}/x")), fix.patch)
    edit = edit_from(ls, changes, f"Past fix {shown.row.id}") if changes else None
    if edit is None:
        raise UsageError(f"the patch of {shown.row.id} does not apply here", "look at it instead")

    def note() -> None:
        if not shown.layer:
            open_memory.do_in_step(lambda memory: memory.failures.applied(shown.row.id))

    ls.apply_edit(edit, f"Past fix {shown.row.id}", note)
    return {"id": shown.row.id, "files": [change.path for change in changes]}
