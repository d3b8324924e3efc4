"""What the tests of the coding memory share: who calls, and how a coroutine is run."""

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from gitmem.compat.coding import CodingMemoryManager

WHO: dict[str, Any] = {"user_id": "dev_john", "project_id": "api-service"}
_Result = TypeVar("_Result")


def done(work: Coroutine[Any, Any, _Result]) -> _Result:
    return asyncio.run(work)


def ended(manager: "CodingMemoryManager") -> dict[str, Any]:
    """Carry out a session, and give what is said at its end."""

    async def work() -> dict[str, Any]:
        await manager.start_coding_session("Make the clock aware")
        return await manager.end_coding_session(success=True)

    return done(work())
