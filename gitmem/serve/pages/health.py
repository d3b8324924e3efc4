"""How the memory is: problems of files, and places that hold no more."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from gitmem.memory import Memory
from gitmem.serve import view
from gitmem.serve.pages.asking import ask


async def page(request: Request) -> Response:
    """Show what check, status and stale say."""
    return view.page(request, "health.html", await ask(request, _values))


def _values(memory: Memory) -> dict[str, Any]:
    return {
        "problems": memory.checks.files(secrets=False),
        "status": memory.checks.status(),
        "stale": memory.history.stale(),
    }
