"""One file: its failures, what was tried on them, decisions that govern it, fragile places."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from gitmem.memory import Mark, Memory, Row
from gitmem.serve import view
from gitmem.serve.pages.asking import ask

_MOST_HOT = 30


class FragilePlace(NamedTuple):
    """A place of a file where something went wrong, the most often first.

    Attributes:
        line, last: its lines as they are now.
        name: the function or class, else what stands in the line.
        errors: what went wrong there, newest first.

    """

    line: int
    last: int
    name: str
    errors: list[Row]


async def page(request: Request) -> Response:
    """Show what is known about the file; without one, the files with the most failures."""
    path = request.query_params.get("path", "").strip()
    values = await ask(request, lambda memory: _about(memory, path) if path else _hot(memory))
    return view.page(request, "file.html", {"file": path, **values})


def _hot(memory: Memory) -> dict[str, Any]:
    return {"about": None, "hot": memory.statistics.hot_files(_MOST_HOT)}


def _about(memory: Memory, path: str) -> dict[str, Any]:
    root = memory.workspace.site.root
    whole = path if path.startswith("/") else f"{root}/{path}"
    return {
        "about": memory.editor.about(whole),
        "fragile": fragile(memory.editor.marks(path)),
        "folder": root,
        "hot": [],
    }


def fragile(marks: Iterable[Mark]) -> list[FragilePlace]:
    """Put what records say went wrong in a file together by place."""
    places: dict[tuple[int, int], FragilePlace] = {}
    for mark in marks:
        if mark.why == "error" and mark.line:
            key = (mark.line, mark.last)
            place = FragilePlace(mark.line, mark.last, mark.symbol or mark.text, [])
            places.setdefault(key, place).errors.append(mark.row)
    for place in places.values():
        place.errors.sort(key=lambda row: (row.created, row.id), reverse=True)
    return sorted(places.values(), key=lambda place: (-len(place.errors), place.line))
