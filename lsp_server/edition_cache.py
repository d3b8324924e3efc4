"""Answers that are cached until a memory changes."""

from collections.abc import Callable
from typing import Any, TypeVar

from gitmem.memory import Memory

_Answer = TypeVar("_Answer")


class EditionCache:
    """Answers to questions about one edition of a memory, by their names.

    Views ask at every change of a diagnostic; counting 100,000 records takes 0.3 s. It is for
    the thread that reads the memory.

    Args:
        memory: an optimistic one: only its editions can be told apart.

    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._edition: tuple[object, ...] = ()
        self._answers: dict[str, Any] = {}

    def answer(self, name: str, memory: Memory, question: Callable[[Memory], _Answer]) -> _Answer:
        """Ask once for each edition; a memory other than the cached one is always asked."""
        if memory is not self._memory:
            return question(memory)
        now = memory.workspace.edition()
        if now != self._edition:
            self._edition = now
            self._answers.clear()
        if name not in self._answers:
            self._answers[name] = question(memory)
        answer: _Answer = self._answers[name]
        return answer
