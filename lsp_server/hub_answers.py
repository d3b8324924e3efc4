"""What the organisation's hub knows about diagnostics: asked beside hovers, in a thread of its own.

No hover waits for a hub: an answer that comes in time is shown, a later one with the next hover.
"""

import asyncio
import time
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

from gitmem.render.elsewhere_quoted import markdown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.memory import Memory
    from gitmem.output.failure import Failure

_SECONDS: Final = 0.3
"""After which an answer is given up."""
_FRESH: Final = 300.0
"""Seconds in which the hub is not asked about the same failure again."""
_MOST: Final = 500


class HubAnswers:
    """Answers of a hub, by failure.

    Args:
        memory: of the developer; nothing but its settings and rules is used.

    """

    def __init__(self, memory: "Memory") -> None:
        self._memory = memory
        self._pool = ThreadPoolExecutor(1, "hub")
        self._texts: OrderedDict[Failure, tuple[float, str]] = OrderedDict()
        self._under_way: dict[Failure, Future[str | None]] = {}

    async def about(self, failures: "Sequence[Failure]", seconds: float) -> list[str]:
        """Give what the hub knows about failures, as Markdown; what is not known yet it is asked.

        Args:
            failures: of which the memory does not have the same error.
            seconds: to wait at most.

        """
        if not self._memory.workspace.site.config.hub_url:
            return []
        now = time.monotonic()
        for failure in failures:
            asked_at = self._texts.get(failure, (-_FRESH, ""))[0]
            if now - asked_at >= _FRESH and failure not in self._under_way:
                self._under_way[failure] = self._pool.submit(self._ask, failure)
        waiting = [self._under_way[failure] for failure in failures if failure in self._under_way]
        if waiting and seconds > 0:
            await asyncio.wait(map(asyncio.wrap_future, waiting), timeout=seconds)
        self._collect()
        return [text for failure in failures if (text := self._texts.get(failure, (0.0, ""))[1])]

    def _collect(self) -> None:
        for failure, answer in list(self._under_way.items()):
            if answer.done():
                del self._under_way[failure]
                # Without an answer the next hover asks again, unless the hub is left alone.
                if not answer.cancelled() and (text := answer.result()) is not None:
                    self._texts[failure] = (time.monotonic(), text)
        while len(self._texts) > _MOST:
            self._texts.popitem(last=False)

    def _ask(self, failure: "Failure") -> str | None:
        answers = self._memory.failures.elsewhere_of_failure(failure, _SECONDS)
        return markdown(answers) if answers else None

    def close(self) -> None:
        """Ask nothing more."""
        self._pool.shutdown(wait=False, cancel_futures=True)
