"""A form for a new record of a kind."""

from starlette.requests import Request
from starlette.responses import Response

from gitmem.serve import view
from gitmem.serve.pages.writing import KINDS, LINES, TEXTS


async def page(request: Request) -> Response:
    """Show the form of the kind that is asked for; of a note, where none is."""
    kind = request.query_params.get("kind", "")
    shown = kind if kind in KINDS else "note"
    values = {"kind": shown, "kinds": KINDS, "names": TEXTS[shown], "lines": LINES}
    return view.page(request, "new.html", values)
