"""What the tests of the coding memory share: who calls, and how a coroutine is run."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

WHO: dict[str, Any] = {"user_id": "dev_john", "project_id": "api-service"}
_Result = TypeVar("_Result")


def done(work: Coroutine[Any, Any, _Result]) -> _Result:
    return asyncio.run(work)
