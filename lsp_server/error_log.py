"""Handlers whose errors go to the log instead of popping up in the editor."""

import functools
import logging
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from gitmem.errors import GitmemError

_log = logging.getLogger(__name__)
_Answer = TypeVar("_Answer")


def log_errors(
    handler: Callable[..., Coroutine[Any, Any, _Answer]],
) -> Callable[..., Coroutine[Any, Any, _Answer | None]]:
    """Make a handler that logs an error and answers nothing, instead of failing the request."""

    @functools.wraps(handler)
    async def logged(ls: Any, params: Any) -> _Answer | None:  # noqa: ANN401  any request's
        try:
            return await handler(ls, params)
        except GitmemError as error:
            _log.info("%s", error.message)
        except Exception:  # noqa: BLE001  whatever it is, it is logged and must not pop up
            _log.exception("fault in %s", handler.__name__)
        return None

    return logged
