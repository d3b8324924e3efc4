"""What the views of an editor show: lists, what concerns a file, records as pages.

Nothing here waits for an index that is being made if there is an older one to answer from.
Only what a user asked for is told when it can't be done.
"""

import asyncio
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from pygls.uris import from_fs_path

from gitmem.errors import UsageError
from gitmem.memory import Memory
from gitmem.memory.failures.knowing import AttemptReader
from gitmem.memory.history.reviewing import changed_on_branch
from gitmem.memory.views.attention import attention
from gitmem.memory.views.telling import whole
from gitmem.sessions.live import LiveSession, Logged
from lsp_server.features.commands import add_command, text_in
from lsp_server.features.lens import counted
from lsp_server.places import path_of

if TYPE_CHECKING:
    from gitmem.memory.view import Rows
    from gitmem.memory.views.attention import FixOverview
    from lsp_server.session import EditorSession
    from lsp_server.shelf import Shelf

CHANGED: Final = "gitmem/changed"
_ROW: Final = ("id", "kind", "title", "status", "created", "author")
_SOON: Final = 0.1
_FRESH: Final = 0.5
_MATCHED: Final = 2.0
_MOST_ROWS: Final = 500
_FARTHEST: Final = 2**31
_MOST_FILES: Final = 5_000
_MOST_EVENTS: Final = 200
_LONGEST_EVENT: Final = 500


def register(server: "EditorSession") -> None:
    """Answer the commands of views, and tell when what they show is old."""
    for name, handler in (
        ("list", _list), ("overview", _overview), ("about", _about), ("marks", _marks),
        ("session", _session), ("branch", _branch), ("belonging", _belonging),
    ):  # fmt: skip
        add_command(server, f"gitmem.{name}", handler, quiet=True)
    add_command(server, "gitmem.page", _page)
    server.listeners.memory_changed.append(_Changes(server).note)


class _Changes:
    """Tells the client, once for many changes, that a memory has changed."""

    def __init__(self, server: "EditorSession") -> None:
        self._server = server
        self._told: dict[str, asyncio.TimerHandle] = {}

    def note(self, shelf: "Shelf") -> None:
        if shelf.folder not in self._told and self._server.wants("changes"):
            loop = asyncio.get_running_loop()
            self._told[shelf.folder] = loop.call_later(_SOON, self._tell, shelf.folder)

    def _tell(self, folder: str) -> None:
        del self._told[folder]
        self._server.notify(CHANGED, {"folder": folder})


# Arguments


def given(arguments: list[Any]) -> dict[str, Any]:
    """Give what is said by name: the first argument that is a mapping."""
    return next((one for one in arguments if isinstance(one, dict)), {})


def path_in(arguments: list[Any]) -> str:
    """Give the file that is named; raise UsageError if none is."""
    uri = given(arguments).get("uri")
    path = path_of(uri) if isinstance(uri, str) else ""
    if not path:
        raise UsageError("an argument must name a file", '{"uri": "file:///…"}')
    return path


def _number(named: dict[str, Any], name: str, default: int, most: int) -> int:
    value = named.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < most:
        raise UsageError(
            f"{name} must be a number from 0 to {most - 1}", f'{{"{name}": {default}}}'
        )
    return value


def _switch(named: dict[str, Any], name: str) -> bool:
    value = named.get(name, False)
    if not isinstance(value, bool):
        raise UsageError(f"{name} must be true or false", f'{{"{name}": true}}')
    return value


def _words(named: dict[str, Any], name: str, default: str) -> str:
    value = named.get(name, default)
    if not isinstance(value, str):
        raise UsageError(f"{name} must be a text", f'{{"{name}": "{default}"}}')
    return value


# Answers


def _rows(memory: Memory, found: "Rows", *more: str) -> list[dict[str, Any]]:
    """Records as views list them, with more columns where a view wants them."""
    folder = memory.site.folder
    return [
        {**{name: getattr(one, name) for name in (*_ROW, *more)},
         "uri": str(from_fs_path(f"{folder}/{one.path}"))}
        for one in found
    ]  # fmt: skip


def _whole_list(memory: Memory, found: "Rows") -> dict[str, Any]:
    return {"rows": _rows(memory, found), "total": len(found)}


async def _list(ls: "EditorSession", shelf: "Shelf", arguments: list[Any]) -> Any:  # noqa: ANN401
    named = given(arguments)
    filters, sort = _words(named, "filters", ""), _words(named, "sort", "created")
    offset = _number(named, "offset", 0, _FARTHEST)
    limit = _number(named, "limit", 100, _MOST_ROWS + 1)

    def ask(memory: Memory, _teller: AttemptReader) -> dict[str, Any]:
        found = memory.list(filters, sort=sort, limit=limit, offset=offset)
        # A list that ends here is counted by its length.
        end = offset + len(found)
        total = end if found and len(found) < limit else memory.count(filters)
        return {"rows": _rows(memory, found), "total": total}

    await shelf.fresh(_FRESH)
    return await ls.readers.of(shelf).ask(ask)


async def _overview(ls: "EditorSession", shelf: "Shelf", arguments: list[Any]) -> Any:  # noqa: ANN401
    details = _switch(given(arguments), "details")
    await shelf.fresh(_FRESH)
    reader = ls.readers.of(shelf)

    def ask(memory: Memory, teller: AttemptReader) -> dict[str, Any]:
        counted_ = reader.once("overview", _counted)(memory, teller)
        more = {"attention": _attention(memory)} if details else {}
        return {**counted_, **more, "session": _live(memory.sessions.current())}

    return await reader.ask(ask)


def _attention(memory: Memory) -> dict[str, Any]:
    found = attention(memory)

    def tried(fixes: "list[FixOverview]") -> list[dict[str, Any]]:
        return [{**_rows(memory, [one.row])[0], "errors": _rows(memory, one.errors)}
                for one in fixes]  # fmt: skip

    return {
        "errors": [{**_rows(memory, [one.row])[0], "seen": one.seen, "first": one.first}
                   for one in found.errors],
        "worked": tried(found.worked), "failed": tried(found.failed),
        "decisions": _rows(memory, found.decisions),
        "drafts": [{"id": one.id, "title": one.title} for one in found.drafts],
    }  # fmt: skip


def _counted(memory: Memory, _teller: AttemptReader) -> dict[str, Any]:
    found = memory.overview()
    kinds = []
    for kind, counts in groupby(found.counts, lambda one: one[0]):
        states = {status: count for _, status, count in counts}
        named = [{"name": status, "count": count} for status, count in states.items()]
        kinds.append({"kind": kind, "count": sum(states.values()), "states": named})
    tags = [{"name": tag, "count": count} for tag, count in found.tags]
    return {"folder": memory.site.folder, "total": found.total, "kinds": kinds, "tags": tags,
            "problems": found.problems}  # fmt: skip


async def _about(ls: "EditorSession", shelf: "Shelf", arguments: list[Any]) -> Any:  # noqa: ANN401
    path = path_in(arguments)

    def ask(memory: Memory, _teller: AttemptReader) -> dict[str, Any]:
        return {name: _rows(memory, rows) for name, rows in memory.about(path)._asdict().items()}

    await shelf.fresh(_FRESH)
    return await ls.readers.of(shelf).ask(ask)


async def _marks(ls: "EditorSession", _shelf: "Shelf", arguments: list[Any]) -> Any:  # noqa: ANN401
    path_in(arguments)
    uri = given(arguments)["uri"]
    noted = await ls.ready_page(uri, _MATCHED)
    lines = [
        {"line": line, "text": text, "ids": ids}
        for line, (text, ids) in sorted(counted(noted, ls.lines_of(uri)).items())
    ]
    told = [note.told for note in noted.notes if note.told] if noted else []
    return {"known": sum(bool(one.known.label) for one in told), "lines": lines}


async def _page(ls: "EditorSession", shelf: "Shelf", arguments: list[Any]) -> Any:  # noqa: ANN401
    from gitmem.render.page import page  # noqa: PLC0415  start-up: imports YAML

    reference = text_in(arguments, 0, "a record's id")
    link = ls.link

    def ask(memory: Memory, teller: AttemptReader) -> dict[str, Any]:
        found = whole(memory, teller, reference)
        (one,) = _rows(memory, [found.shown.row])
        return {
            **{name: one[name] for name in ("id", "kind", "title", "uri")},
            "markdown": page(found.shown, found.told, found.origin, link),
            "patch": bool(getattr(found.shown.record, "patch", "").strip()),
        }

    await shelf.fresh(_FRESH)
    return await ls.readers.of(shelf).ask(ask)


async def _session(ls: "EditorSession", shelf: "Shelf", _arguments: list[Any]) -> Any:  # noqa: ANN401
    return await ls.readers.of(shelf).ask(lambda memory, _teller: _live(memory.sessions.current()))


def _live(live: LiveSession | None) -> dict[str, Any] | None:
    if live is None:
        return None
    events = [
        {"at": one.at.isoformat(), "kind": one.type, "text": _said(one)[:_LONGEST_EVENT]}
        for one in live.logged[-_MOST_EVENTS:]
    ]
    return {"id": live.id, "goal": live.goal, "started": live.started.isoformat(), "events": events}


def _said(one: Logged) -> str:
    """Give what an event says, in a line."""
    about = ": ".join(filter(None, (one.path, one.reason or one.text)))
    tests = one.test_run.summary or one.test_run.result if one.test_run else ""
    return " ".join((about or tests or one.record or one.type).split())


async def _branch(ls: "EditorSession", shelf: "Shelf", _arguments: list[Any]) -> Any:  # noqa: ANN401
    def ask(memory: Memory, _teller: AttemptReader) -> dict[str, Any]:
        found = changed_on_branch(memory)
        return {
            "rows": _rows(memory, found.added, "gist"), "total": len(found.added),
            "changed": _rows(memory, found.edited, "gist"), "removed": found.removed,
        }  # fmt: skip

    await shelf.fresh(_FRESH)
    return await ls.readers.of(shelf).ask(ask)


async def _belonging(ls: "EditorSession", shelf: "Shelf", arguments: list[Any]) -> Any:  # noqa: ANN401
    uris = given(arguments).get("uris")
    if not isinstance(uris, list) or not all(isinstance(uri, str) for uri in uris):
        raise UsageError("an argument must list the staged files", '{"uris": ["file:///…"]}')
    paths = [path for uri in uris[:_MOST_FILES] if (path := path_of(uri))]
    await shelf.fresh(_FRESH)
    return await ls.readers.of(shelf).ask(
        lambda memory, _teller: _whole_list(memory, memory.belonging(paths))
    )
