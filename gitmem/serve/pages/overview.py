"""What is open, what came back, what worked, and when it happened."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from gitmem.memory import Memory
from gitmem.serve import view
from gitmem.serve.pages.asking import ask
from gitmem.serve.pages.columns import columns


async def page(request: Request) -> Response:
    """Show how the memory stands."""
    return view.page(request, "overview.html", await ask(request, _values))


def _values(memory: Memory) -> dict[str, Any]:
    attention = memory.editor.attention()
    stats = memory.statistics.stats()
    series = [
        ("errors", [week.errors for week in stats.weeks]),
        ("attempts", [week.attempts for week in stats.weeks]),
        ("worked", [week.worked for week in stats.weeks]),
    ]
    return {
        "stats": stats,
        "attention": attention,
        "failing": memory.failures.attempts(),
        "recurring": memory.statistics.recurring(limit=10),
        "weeks": columns([week.start for week in stats.weeks], series),
    }
