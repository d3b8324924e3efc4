"""What a branch teaches: the memory's part of a code review."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from gitmem.memory import Memory
from gitmem.serve import view
from gitmem.serve.pages.asking import ask


async def page(request: Request) -> Response:
    """Show the review of the branch, or of the range that is asked for."""
    span = request.query_params.get("span", "").strip()
    return view.page(request, "review.html", await ask(request, lambda memory: _of(memory, span)))


def _of(memory: Memory, span: str) -> dict[str, Any]:
    return {
        "review": memory.history.review(span),
        "span": span,
        "revisions": memory.history.named_revisions(),
    }
