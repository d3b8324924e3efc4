"""What the views of an editor show: lists, what concerns a file, records as pages.

Nothing here waits for an index that is being made if there is an older one to answer from.
What can't be done pops up in the editor only where a user asked for it.
"""

import asyncio
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from pygls.uris import from_fs_path

from gitmem.errors import UsageError
from gitmem.memory import AttemptReader, Memory
from lsp_server.command_arguments import (
    named_in,
    number_of,
    path_in,
    switch_of,
    text_in,
    text_of,
)
from lsp_server.command_links import place_links
from lsp_server.features.actions import marker
from lsp_server.features.code_lens import told_by_line
from lsp_server.features.commands import add_command
from lsp_server.file_paths import path_of

if TYPE_CHECKING:
    from gitmem.memory import FixOverview, Row
    from gitmem.sessions import LiveSession, Logged
    from lsp_server.open_memory import OpenMemory
    from lsp_server.session import EditorSession

CHANGED: Final = "gitmem/changed"
_ROW: Final = ("id", "kind", "title", "created", "author")
_SOON: Final = 0.1
_FRESH: Final = 0.5
_MATCHED: Final = 2.0
_MOST_ROWS: Final = 500
_FARTHEST: Final = 2**31
_MOST_FILES: Final = 5_000
_MOST_EVENTS: Final = 200
_LONGEST_EVENT: Final = 500


def register(server: "EditorSession") -> None:
    """Answer the commands of views, and notify the client when what they show is old."""
    for name, handler in (
        ("list", _list),
        ("overview", _overview),
        ("about", _about),
        ("marks", _marks),
        ("session", _session),
        ("branch", _branch),
        ("belonging", _belonging),
    ):
        add_command(server, f"gitmem.{name}", handler, quiet=True)
    add_command(server, "gitmem.page", _page)
    server.listeners.memory_changed.append(_ChangeNotices(server).schedule)


class _ChangeNotices:
    """Notifies the client, once for many changes, that a memory has changed."""

    def __init__(self, server: "EditorSession") -> None:
        self._server = server
        self._scheduled: dict[str, asyncio.TimerHandle] = {}

    def schedule(self, open_memory: "OpenMemory") -> None:
        if open_memory.folder not in self._scheduled and self._server.wants("changes"):
            loop = asyncio.get_running_loop()
            self._scheduled[open_memory.folder] = loop.call_later(
                _SOON, self._send, open_memory.folder
            )

    def _send(self, folder: str) -> None:
        del self._scheduled[folder]
        self._server.notify(CHANGED, {"folder": folder})


def _rows(memory: Memory, rows: "list[Row]", *more: str) -> list[dict[str, Any]]:
    """Give records as views list them, with more columns where a view wants them.

    The status of a fix is the verdict on it.
    """
    folder = memory.workspace.site.folder
    patched = memory.editor.with_patch(rows)
    return [
        {
            **{name: getattr(row, name) for name in (*_ROW, *more)},
            "status": row.shown_status,
            "patch": row.id in patched,
            "uri": str(from_fs_path(f"{folder}/{row.path}")),
        }
        for row in rows
    ]


def _whole_list(memory: Memory, rows: "list[Row]") -> dict[str, Any]:
    return {"rows": _rows(memory, rows), "total": len(rows)}


async def _list(_ls: "EditorSession", open_memory: "OpenMemory", arguments: list[Any]) -> Any:  # noqa: ANN401
    named = named_in(arguments)
    filters, sort = text_of(named, "filters", ""), text_of(named, "sort", "created")
    offset = number_of(named, "offset", 0, _FARTHEST)
    limit = number_of(named, "limit", 100, _MOST_ROWS + 1)

    def ask(memory: Memory, _attempts: AttemptReader) -> dict[str, Any]:
        rows = memory.list(filters, sort=sort, limit=limit, offset=offset)
        # A list that ends here is counted by its length.
        end = offset + len(rows)
        total = end if rows and len(rows) < limit else memory.statistics.count(filters)
        return {"rows": _rows(memory, rows), "total": total}

    await open_memory.fresh(_FRESH)
    return await open_memory.ask_for_view(ask)


async def _overview(_ls: "EditorSession", open_memory: "OpenMemory", arguments: list[Any]) -> Any:  # noqa: ANN401
    details = switch_of(named_in(arguments), "details")
    await open_memory.fresh(_FRESH)

    def ask(memory: Memory, _attempts: AttemptReader) -> dict[str, Any]:
        counts = open_memory.cache.answer("overview", memory, _counts)
        more = {"attention": _attention(memory)} if details else {}
        return {**counts, **more, "session": _live(memory.sessions.current())}

    return await open_memory.ask_for_view(ask)


def _attention(memory: Memory) -> dict[str, Any]:
    needed = memory.editor.attention()

    def tried(fixes: "list[FixOverview]") -> list[dict[str, Any]]:
        return [
            {**_rows(memory, [fix.row])[0], "errors": _rows(memory, fix.errors)} for fix in fixes
        ]

    return {
        "errors": [{**_rows(memory, [error.row])[0], "seen": error.seen, "first": error.first}
                   for error in needed.errors],
        "worked": tried(needed.worked), "failed": tried(needed.failed),
        "decisions": _rows(memory, [*needed.decisions, *needed.proposed]),
        "drafts": [{"id": draft.id, "title": draft.title} for draft in needed.drafts],
    }  # fmt: skip


def _counts(memory: Memory) -> dict[str, Any]:
    overview = memory.editor.overview()
    kinds = []
    for kind, counts in groupby(overview.counts, lambda count: count[0]):
        states = {status: count for _, status, count in counts}
        named = [{"name": status, "count": count} for status, count in states.items()]
        kinds.append({"kind": kind, "count": sum(states.values()), "states": named})
    tags = [{"name": tag, "count": count} for tag, count in overview.tags]
    return {
        "folder": memory.workspace.site.folder,
        "total": overview.total,
        "kinds": kinds,
        "tags": tags,
        "problems": overview.problems,
    }


async def _about(_ls: "EditorSession", open_memory: "OpenMemory", arguments: list[Any]) -> Any:  # noqa: ANN401
    path = path_in(arguments)

    def ask(memory: Memory, _attempts: AttemptReader) -> dict[str, Any]:
        return {
            name: _rows(memory, rows) for name, rows in memory.editor.about(path)._asdict().items()
        }

    await open_memory.fresh(_FRESH)
    return await open_memory.ask_for_view(ask)


async def _marks(ls: "EditorSession", _opened: "OpenMemory", arguments: list[Any]) -> Any:  # noqa: ANN401
    path_in(arguments)
    uri = named_in(arguments)["uri"]
    state = await ls.matched_state(uri, _MATCHED)
    lines = [
        {"line": line, "text": text, "ids": ids}
        for line, (text, ids) in sorted(told_by_line(state, ls.lines_of(uri)).items())
    ]
    matches = [each.details.known for each in state.diagnostics if each.details] if state else []
    recognised = [match for match in matches if match.label]
    # A pack's advice is about no error of this memory.
    similar = [
        match
        for match in matches
        if not match.label and not all(hit.is_advice for hit in match.similar)
    ]
    return {"known": len(recognised), "similar": len(similar), "lines": lines}


async def _page(ls: "EditorSession", open_memory: "OpenMemory", arguments: list[Any]) -> Any:  # noqa: ANN401
    from gitmem.render.page import page

    reference = text_in(arguments, 0, "a record's id")
    link = ls.link
    place = place_links(open_memory.start, wanted=ls.wants("commandLinks"))
    # What renews itself was opened by nobody.
    renewed = named_in(arguments).get("quiet") is True
    mark = marker(ls)

    def ask(memory: Memory, attempts: AttemptReader) -> dict[str, Any]:
        record = memory.editor.record_page(reference, attempts)
        if not renewed:
            memory.records.reader.note_opened(record.shown)
        (row,) = _rows(memory, [record.shown.row])
        return {
            **{name: row[name] for name in ("id", "kind", "title", "uri")},
            "markdown": page(
                record.shown,
                mark(memory, record.details) if record.details else None,
                record.origin,
                link,
                place,
                uncommitted=record.uncommitted,
            ),
            # What was written just now can have helped nobody yet.
            "judged": record.origin is not None or bool(record.shown.layer),
            "asked": bool(record.shown.record.asked_as) or bool(record.shown.layer),
            "patch": bool(getattr(record.shown.record, "patch", "").strip()),
        }

    await open_memory.fresh(_FRESH)
    return await open_memory.ask_for_view(ask)


async def _session(_ls: "EditorSession", open_memory: "OpenMemory", _arguments: list[Any]) -> Any:  # noqa: ANN401
    return await open_memory.ask_for_view(
        lambda memory, _attempts: _live(memory.sessions.current())
    )


def _live(live: "LiveSession | None") -> dict[str, Any] | None:
    if live is None:
        return None
    events = [
        {"at": event.at.isoformat(), "kind": event.type, "text": _line_of(event)[:_LONGEST_EVENT]}
        for event in live.logged[-_MOST_EVENTS:]
    ]
    return {"id": live.id, "goal": live.goal, "started": live.started.isoformat(), "events": events}


def _line_of(event: "Logged") -> str:
    """Describe an event in one line."""
    about = ": ".join(filter(None, (event.path, event.reason or event.text)))
    tests = event.test_run.summary or event.test_run.result if event.test_run else ""
    return " ".join((about or tests or event.record or event.type).split())


async def _branch(_ls: "EditorSession", open_memory: "OpenMemory", _arguments: list[Any]) -> Any:  # noqa: ANN401
    def ask(memory: Memory, _attempts: AttemptReader) -> dict[str, Any]:
        branch = memory.history.changed_on_branch()
        added, changes = branch.records.added, branch.records

        def listed(rows: "list[Row]") -> list[dict[str, Any]]:
            return [
                {**row, "uncommitted": each.path in branch.uncommitted}
                for row, each in zip(_rows(memory, rows, "gist"), rows, strict=True)
            ]

        shown = {
            "branch": branch.branch, "base": branch.base,
            "rows": listed(added), "total": len(added),
            "changed": listed(changes.edited), "removed": changes.removed,
        }  # fmt: skip
        return memory.workspace.redacted_data(shown)  # a branch's name is somebody's text, too

    await open_memory.fresh(_FRESH)
    return await open_memory.ask_for_view(ask)


async def _belonging(_ls: "EditorSession", open_memory: "OpenMemory", arguments: list[Any]) -> Any:  # noqa: ANN401
    uris = named_in(arguments).get("uris")
    if not isinstance(uris, list) or not all(isinstance(uri, str) for uri in uris):
        raise UsageError("an argument must list the staged files", '{"uris": ["file:///…"]}')
    paths = [path for uri in uris[:_MOST_FILES] if (path := path_of(uri))]
    await open_memory.fresh(_FRESH)
    return await open_memory.ask_for_view(
        lambda memory, _attempts: _whole_list(memory, memory.editor.belonging(paths))
    )
