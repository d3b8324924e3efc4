"""The page about the interface for programs, made of the table of its verbs."""

from collections.abc import Iterator
from typing import NamedTuple, get_type_hints

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from gitmem.serve import view
from gitmem.serve.api.verbs import VERBS, Verb


class DescribedVerb(NamedTuple):
    """A verb as the page shows it; ``fields`` have a name, a type and what they are unless said."""

    method: str
    path: str
    summary: str
    writes: bool
    fields: list[tuple[str, str, str]]


async def page(request: Request) -> Response:
    """Describe every verb."""
    described = [
        DescribedVerb(verb.method, verb.path, verb.summary, verb.writes, list(_fields(verb)))
        for verb in VERBS
    ]
    values = {"verbs": described, "writes": request.app.state.writes}
    return view.page(request, "api.html", values)


def _fields(verb: Verb) -> Iterator[tuple[str, str, str]]:
    hints = get_type_hints(verb.asks)
    for field in msgspec.structs.fields(verb.asks):
        kind = hints[field.name]
        usual = "" if field.required or field.default in ("", msgspec.NODEFAULT) else field.default
        yield field.encode_name, getattr(kind, "__name__", str(kind)), str(usual)
