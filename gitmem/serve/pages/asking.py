"""How a page asks the memory that its address names."""

from collections.abc import Callable
from typing import TypeVar

from starlette.requests import Request

from gitmem.memory import Memory

T = TypeVar("T")


async def ask(request: Request, question: Callable[[Memory], T], *, writes: bool = False) -> T:
    """Ask the repository of the request's address; see ``Repositories.ask``."""
    answer: T = await request.app.state.repositories.ask(
        request.path_params["repository"], question, writes=writes
    )
    return answer
