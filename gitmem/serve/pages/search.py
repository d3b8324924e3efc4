"""Search as you type: the hits of a question, ordered as the terminal orders them."""

from starlette.requests import Request
from starlette.responses import Response

from gitmem.records.kinds import KINDS
from gitmem.serve import view
from gitmem.serve.pages.asking import ask

_MOST = 100


async def page(request: Request) -> Response:
    """Show the hits, or the newest records where nothing was asked."""
    query = request.query_params
    text, why = query.get("q", "").strip(), "why" in query
    values = {
        "query": text,
        "why": why,
        "kinds": list(KINDS),
        "suggestion": "",
        "hits": [],
        "rows": [],
    }
    if text:
        result = await ask(request, lambda memory: memory.search(text, _limit(query.get("limit"))))
        values |= {"hits": result.hits, "suggestion": result.suggestion or ""}
    else:
        values["rows"] = await ask(request, lambda memory: memory.list(limit=20))
    part = "search_hits.html" if "hx-request" in request.headers else "search.html"
    return view.page(request, part, values)


def _limit(text: str | None) -> int | None:
    return min(int(text), _MOST) if text and text.isdecimal() and int(text) else None
