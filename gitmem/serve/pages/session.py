"""Sessions: those that are live, those that ended, and one as it went, event by event."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from gitmem.memory import Memory
from gitmem.serve import view
from gitmem.serve.pages.asking import ask

_MOST = 50


async def sessions(request: Request) -> Response:
    """Show live sessions and the newest that ended."""
    return view.page(request, "sessions.html", await ask(request, _listed))


def _listed(memory: Memory) -> dict[str, Any]:
    return {
        "live": memory.sessions.live(everywhere=True),
        "ended": memory.list("kind:session", limit=_MOST),
    }


async def page(request: Request) -> Response:
    """Show a session step by step."""
    reference = request.path_params["id"]
    return view.page(
        request, "session.html", await ask(request, lambda memory: _values(memory, reference))
    )


def _values(memory: Memory, reference: str) -> dict[str, Any]:
    shown = memory.show(memory.find(reference, "session").id)
    return {"shown": shown, "row": shown.row, "record": shown.record}
