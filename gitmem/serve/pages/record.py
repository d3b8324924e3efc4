"""One record with what was tried on it, its links and where it comes from."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from gitmem.memory import Memory
from gitmem.records.convert import to_data
from gitmem.render.page import AS_IT_IS, DIFFS, HEAD
from gitmem.serve import view
from gitmem.serve.pages.asking import ask


class Field(NamedTuple):
    """A field of a record.

    Attributes:
        name: as people say it.
        shape: ``text``, ``exact`` (every blank counts), ``diff``, ``list`` or ``table``.
        value: as the shape needs it: a text, a list of texts or fields, or fields.

    """

    name: str
    shape: str
    value: Any


async def page(request: Request) -> Response:
    """Show the record that the address names."""
    reference = request.path_params["id"]
    return view.page(
        request, "record.html", await ask(request, lambda memory: _values(memory, reference))
    )


def _values(memory: Memory, reference: str) -> dict[str, Any]:
    shown, details, origin = memory.editor.record_page(reference, memory.failures.attempt_reader())
    data = to_data(shown.record)
    rest = {name: value for name, value in data.items() if name not in HEAD}
    return {
        "shown": shown,
        "row": shown.row,
        "record": shown.record,
        "details": details,
        "origin": origin,
        "fields": list(fields(rest)),
        "folder": memory.workspace.site.repository_root,
    }


def fields(data: Mapping[str, Any]) -> Iterator[Field]:
    """Give plain data as fields to show."""
    for name, value in data.items():
        if value not in (None, "", [], {}):
            yield _field(name, value)


def _field(name: str, value: object) -> Field:
    spoken = name.replace("_", " ")
    if isinstance(value, dict):
        return Field(spoken, "table", list(fields(value)))
    if isinstance(value, list):
        return Field(spoken, "list", [
            list(fields(item)) if isinstance(item, dict) else str(item) for item in value
        ])  # fmt: skip
    if name in DIFFS:
        return Field(spoken, "diff", str(value).splitlines())
    shape = "exact" if name in AS_IT_IS else "text"
    if isinstance(value, bool):
        return Field(spoken, shape, "yes" if value else "no")
    return Field(spoken, shape, str(value))
