"""One record with what was tried on it, its links and where it comes from."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gitmem.answers.places import FileHistory, RecordOrigin
from gitmem.errors import GitmemError
from gitmem.memory import Memory
from gitmem.records.convert import to_data
from gitmem.records.layout import PREFIXES
from gitmem.render.page import AS_IT_IS, DIFFS, FIRST, HEAD
from gitmem.render.record import BACK, RELATIONS
from gitmem.serve import view
from gitmem.serve.pages.asking import ask

_PATHS = frozenset({"governs", "related_files", "renamed_from"})
_WORDS = frozenset({"action", "complexity", "outcome", "result", "status", "type", "via"})
_PLACE = ("file", "path", "line", "column", "lines", "function", "symbol", "in_app")
_MOST_PLACES = 5
"""Places of a record whose lines are blamed, each a call of git."""


class CodePlace(NamedTuple):
    """A place in the code that a record names: a path, and a line if one is known."""

    path: str
    line: int | None = None
    column: int | None = None
    within: str = ""


class Field(NamedTuple):
    """A field of a record.

    Attributes:
        name: as people say it.
        shape: ``text``, ``word`` (of a closed set), ``exact`` (every blank counts), ``diff``,
            ``place``, ``list``, ``table``.
        value: as the shape needs it: a text, a ``CodePlace``, a list of texts or fields, fields.

    """

    name: str
    shape: str
    value: Any


class PlaceHistory(NamedTuple):
    """A place of a record, and what touched it; or why nobody can tell."""

    place: CodePlace
    history: FileHistory | None
    why_not: str


async def page(request: Request) -> Response:
    """Show the record that the address names; a session has one page, the one that replays it."""
    reference = request.path_params["id"]
    if reference.startswith(f"{PREFIXES['session']}-"):
        root = request.url.path.partition("/record/")[0]
        return RedirectResponse(f"{root}/session/{quote(reference)}", status_code=303)
    values = await ask(request, lambda memory: _values(memory, reference))
    judged = request.query_params.get("judged", "")
    return view.page(request, "record.html", {**values, "judged": judged})


async def origin(request: Request) -> Response:
    """Show where the record comes from, and what else touched the places that it names."""
    reference = request.path_params["id"]
    return view.page(
        request, "origin.html", await ask(request, lambda memory: _origin(memory, reference))
    )


def _values(memory: Memory, reference: str) -> dict[str, Any]:
    shown, details, added, uncommitted = memory.editor.record_page(
        reference, memory.failures.attempt_reader()
    )
    data = to_data(shown.record)
    first = [name for name in FIRST[shown.row.kind] if name in data]
    ordered = [*first, *(name for name in data if name not in first and name not in HEAD)]
    tried = details.attempts if details else ()
    listed = {attempt.row.id for attempt in tried}
    return {
        "shown": shown,
        "row": shown.row,
        "record": shown.record,
        "details": details,
        "tried": tried,
        "backlinks": [link for link in shown.backlinks if link[1].id not in listed],
        "origin": added,
        "uncommitted": uncommitted,
        "fields": list(fields({name: data[name] for name in ordered})),
        "relations": RELATIONS,
        "back": {**BACK, "fixes": "attempt"},
        "folder": memory.workspace.site.root,
    }


def _origin(memory: Memory, reference: str) -> dict[str, Any]:
    shown = memory.show(reference)
    data = to_data(shown.record)
    folder = memory.workspace.site.root
    inside = (place for place in _places(data) if view.in_editor(folder, place.path, place.line))
    named = dict.fromkeys(place for place in inside if place.line)
    source, why_not = None, ""
    try:
        source = memory.history.provenance(reference)
    except GitmemError as error:
        why_not = error.message
    return {
        "row": shown.row,
        "known": source.known if source else None,
        "why_not": why_not or _said(source),
        "places": [_blamed(memory, place) for place in list(named)[:_MOST_PLACES]],
        "folder": folder,
    }


def _said(origin: RecordOrigin | None) -> str:
    return origin.why_not if origin else ""


def _blamed(memory: Memory, place: CodePlace) -> PlaceHistory:
    try:
        path = f"{memory.workspace.site.root}/{place.path}:{place.line}"
        return PlaceHistory(place, memory.history.blame(path), "")
    except GitmemError as error:
        return PlaceHistory(place, None, error.message)


def _places(data: Mapping[str, Any]) -> Iterator[CodePlace]:
    for part in (data.get("location"), *data.get("anchors", ()), *data.get("frames", ())[::-1]):
        if part and part.get("in_app") is not False and (place := _place(part)):
            yield place


def fields(data: Mapping[str, Any]) -> Iterator[Field]:
    """Give plain data as fields to show."""
    for name, value in data.items():
        if value not in (None, "", [], {}):
            yield _field(name, value)


def _field(name: str, value: object) -> Field:
    if isinstance(value, dict):
        return Field(name, "table", _entry(value))
    if isinstance(value, list):
        return Field(name, "list", [
            _entry(item) if isinstance(item, dict)
            else [Field("", "place", CodePlace(str(item)))] if name in _PATHS else str(item)
            for item in value
        ])  # fmt: skip
    if name in DIFFS:
        return Field(name, "diff", str(value).splitlines())
    if isinstance(value, bool):
        return Field(name, "word", "yes" if value else "no")
    shape = "word" if name in _WORDS else "exact" if name in AS_IT_IS else "text"
    return Field(name, shape, str(value))


def _entry(data: Mapping[str, Any]) -> list[Field]:
    """Give the fields of an entry; a place in the code is one field, whatever tells it."""
    place = _place(data)
    if place is None:
        return list(fields(data))
    rest = {name: value for name, value in data.items() if name not in _PLACE}
    return [Field("", "place", place), *fields(rest)]


def _place(data: Mapping[str, Any]) -> CodePlace | None:
    path = data.get("file") or data.get("path")
    if not isinstance(path, str):
        return None
    line = data.get("line") or next(iter(data.get("lines") or ()), None)
    within = str(data.get("function") or data.get("symbol") or "")
    return CodePlace(path, line, data.get("column"), within)
