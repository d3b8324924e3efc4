"""What a branch teaches: the memory's part of a code review."""

from starlette.requests import Request
from starlette.responses import Response

from gitmem.serve import view
from gitmem.serve.pages.asking import ask


async def page(request: Request) -> Response:
    """Show the review of the branch, or of the range that is asked for."""
    span = request.query_params.get("span", "").strip()
    review = await ask(request, lambda memory: memory.history.review(span))
    return view.page(request, "review.html", {"review": review, "span": span})
