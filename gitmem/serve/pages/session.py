"""Sessions: those that are live, those that ended, and one as it went, step by step."""

from typing import TYPE_CHECKING, Any, cast

from starlette.requests import Request
from starlette.responses import Response

from gitmem.memory import Memory
from gitmem.serve import view
from gitmem.serve.pages.asking import ask
from gitmem.serve.pages.replay import steps_of, steps_so_far

if TYPE_CHECKING:
    from gitmem.records.kinds import Session
    from gitmem.records.parts import Usage

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
    """Show a session step by step, also one that has not ended."""
    reference = request.path_params["id"]
    return view.page(
        request, "session.html", await ask(request, lambda memory: _values(memory, reference))
    )


def _values(memory: Memory, reference: str) -> dict[str, Any]:
    for live in memory.sessions.live(everywhere=True):
        if live.id == reference:
            return {
                "row": None,
                "title": live.goal,
                "author": live.actor.name,
                "started": live.started,
                "ended": None,
                "summary": "",
                "usage": "",
                "steps": steps_so_far(live),
            }
    shown = memory.show(memory.find(reference, "session").id)
    record = cast("Session", shown.record)
    return {
        "row": shown.row,
        "title": record.goal or shown.row.title,
        "author": shown.row.author,
        "started": record.started,
        "ended": record.ended,
        "summary": record.summary,
        "usage": _usage(record.llm) if record.llm else "",
        "steps": steps_of(record),
    }


def _usage(usage: "Usage") -> str:
    """Say in a line what the calls of language models took, as far as it was handed in."""
    figures = (
        (usage.calls, "{:,} calls"),
        (usage.input_tokens, "{:,} tokens in"),
        (usage.output_tokens, "{:,} tokens out"),
        (usage.cost_usd, "{:,.2f} USD"),
    )
    named = [form.format(figure) for figure, form in figures if figure is not None]
    return ", ".join([*named, *usage.models])
