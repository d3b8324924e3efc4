"""Drafts: what was learnt here and waits to be kept or dropped."""

from starlette.requests import Request
from starlette.responses import Response

from gitmem.serve import view
from gitmem.serve.pages.asking import ask


async def page(request: Request) -> Response:
    """Show the drafts, the newest first."""
    drafts = await ask(request, lambda memory: memory.failures.drafts.open())
    return view.page(request, "drafts.html", {"drafts": drafts[::-1]})
