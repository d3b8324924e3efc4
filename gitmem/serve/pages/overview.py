"""What is open, what came back, what worked, when it happened, and in which files."""

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from gitmem.memory import Memory
from gitmem.serve import view
from gitmem.serve.pages.asking import ask
from gitmem.serve.pages.columns import columns

_MOST: Final = 10


async def page(request: Request) -> Response:
    """Show how the memory stands."""
    return view.page(request, "overview.html", await ask(request, _values))


def _values(memory: Memory) -> dict[str, Any]:
    stats = memory.statistics.stats()
    series = [
        ("errors", [week.errors for week in stats.weeks]),
        ("attempts", [week.attempts for week in stats.weeks]),
        ("worked", [week.worked for week in stats.weeks]),
    ]
    return {
        "stats": stats,
        "attention": memory.editor.attention(),
        "failing": memory.failures.attempts(),
        "recurring": memory.statistics.recurring(limit=_MOST),
        "weeks": columns([week.start for week in stats.weeks], series),
        "live": memory.sessions.live(),
        "kept": bool(memory.list(limit=1)),
        "hot": memory.statistics.hot_files(_MOST),
    }
