"""Search as you type: the hits of a question, ordered as the terminal orders them."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from gitmem.answers.found import SearchResult
from gitmem.errors import UsageError
from gitmem.records.kinds import KINDS
from gitmem.serve import view
from gitmem.serve.pages.asking import ask
from gitmem.serve.pages.numbers import number_of

_USUAL: Final = 20
_MOST: Final = 100
_FILTERS: Final = (*(f"kind:{kind}" for kind in KINDS), "status:open", "status:worked",
                   "status:failed", "since:7d", "since:30d")  # fmt: skip


async def page(request: Request) -> Response:
    """Show the hits, or the newest records where nothing was asked."""
    query = request.query_params
    text, why = query.get("q", "").strip(), "why" in query
    most = number_of(query.get("limit"), _USUAL, _MOST)
    values = {
        "query": text,
        "why": why,
        "filters": _chips(text),
        "suggestion": "",
        "completed": "",
        "hits": [],
        "rows": [],
        "more": 0,
        "problem": "",
    }
    if text:
        try:
            # One more than is shown tells whether there is more.
            result = await ask(request, lambda memory: memory.search(text, most + 1))
            # Who types may not be at the end of the word.
            if not result.hits and (whole := _completed(text, result.suggestion or "")):
                values["completed"] = whole
                result = await ask(request, lambda memory: memory.search(whole, most + 1))
        except UsageError as error:  # what was typed stays where it can be mended
            result = SearchResult([], None)
            values["problem"] = ": ".join(filter(None, (error.message, error.hint)))
        values |= {
            "hits": result.hits[:most],
            "suggestion": result.suggestion or "",
            "few_words": result.few_words,
        }
        values["more"] = min(most + _USUAL, _MOST) if len(result.hits) > most < _MOST else 0
    else:
        values["rows"] = await ask(request, lambda memory: memory.list(limit=_USUAL))
    part = "search.html" if view.is_whole(request) else "search_hits.html"
    return view.page(request, part, values)


def _completed(text: str, suggestion: str) -> str:
    """Give a question with its last word completed; empty if what is suggested is another word."""
    last, word = text.rsplit(maxsplit=1)[-1], suggestion.rpartition(" ")[2]
    if not word.startswith(last.casefold()):
        return ""
    return text[: len(text) - len(last)] + word


def _chips(text: str) -> list[tuple[str, bool, str]]:
    """Give filters to click: what each is, whether it is on, the question after a click."""
    words = text.split()
    return [
        (
            chip,
            chip in words,
            " ".join(word for word in words if word != chip)
            if chip in words
            else f"{text} {chip}".strip(),
        )
        for chip in _FILTERS
    ]
