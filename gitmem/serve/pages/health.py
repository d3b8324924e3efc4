"""How the memory is: problems of files, places that hold no more, every way in and out tried."""

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from gitmem.errors import GitmemError
from gitmem.memory import Memory
from gitmem.serve import view
from gitmem.serve.pages.asking import ask


async def page(request: Request) -> Response:
    """Show what check and status say; what takes longer is a part of its own."""
    return view.page(request, "health.html", await ask(request, _values))


def _values(memory: Memory) -> dict[str, Any]:
    problems = memory.checks.files(secrets=False)
    notices = [*memory.checks.notices(problems), *memory.checks.complaints()]
    return {"problems": problems, "notices": notices}


async def stale(request: Request) -> Response:
    """Show the places in the code that records name and that are gone."""
    return view.page(request, "stale.html", await ask(request, _asked(_stale)))


async def doctor(request: Request) -> Response:
    """Try every way in and out of the memory, and show what came of it."""
    return view.page(request, "doctor.html", await ask(request, _asked(_doctor)))


def _stale(memory: Memory) -> list[Any]:
    return list(memory.history.stale())


def _doctor(memory: Memory) -> list[Any]:
    return list(memory.checks.doctor())


def _asked(question: Callable[[Memory], list[Any]]) -> Callable[[Memory], dict[str, Any]]:
    """Ask what may need git or more, and tell why not where that is not there."""

    def asked(memory: Memory) -> dict[str, Any]:
        try:
            return {"found": question(memory), "why_not": ""}
        except GitmemError as error:
            return {"found": [], "why_not": error.message}

    return asked
