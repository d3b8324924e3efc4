"""Calls that ask the same while they wait for their turn are answered together."""

from collections.abc import Awaitable, Callable, Hashable
from typing import Any, TypeVar

import anyio

from gitmem.errors import GitmemError

T = TypeVar("T")


class _Shared:
    """A question that has not begun, and what comes of it."""

    def __init__(self) -> None:
        self.over = anyio.Event()
        self.answers: list[Any] = []
        self.errors: list[GitmemError] = []


class SameCalls:
    """The questions that wait, by what they ask.

    Who comes after a question has begun asks anew: something may have changed since.
    """

    def __init__(self) -> None:
        self._waiting: dict[Hashable, _Shared] = {}

    async def answer(
        self, question: Hashable, ask: Callable[[Callable[[], None]], Awaitable[T]]
    ) -> T:
        """Give the answer of the same question that waits, or ask.

        Args:
            question: what is asked, of which memory and by whom.
            ask: asks; calls what it is given when the question begins, in any thread.

        Raises:
            GitmemError: what went wrong, for all who asked it.

        """
        while waiting := self._waiting.get(question):
            await waiting.over.wait()
            if waiting.errors:
                raise waiting.errors[0]
            if waiting.answers:
                answer: T = waiting.answers[0]
                return answer
            # Whoever asked has gone.
        mine = self._waiting[question] = _Shared()

        def begun() -> None:
            if self._waiting.get(question) is mine:
                del self._waiting[question]

        try:
            answer = await ask(begun)
        except GitmemError as error:
            mine.errors.append(error)
            raise
        else:
            mine.answers.append(answer)
            return answer
        finally:
            begun()
            mine.over.set()
