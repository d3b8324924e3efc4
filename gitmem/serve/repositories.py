"""The memories that are served, by the names that addresses have for them."""

import contextlib
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

import anyio.to_thread

from gitmem.errors import GitmemError
from gitmem.hosting.memory_pool import MemoryPool
from gitmem.memory import Memory

T = TypeVar("T")
_PATIENCE_SECONDS = 5.0


class Repositories:
    """Memories by name; close them at the end.

    Args:
        folders: of their work trees; each must have a memory.
        environ: environment variables.

    """

    def __init__(self, folders: Sequence[str], environ: Mapping[str, str]) -> None:
        self._environ = environ
        self.folders = named(folders)
        self._pools = {
            name: MemoryPool(partial(self._opened, folder)) for name, folder in self.folders.items()
        }

    async def ask(self, name: str, question: Callable[[Memory], T], *, writes: bool = False) -> T:
        """Ask a memory in a thread of its own, beside other questions.

        Args:
            name: of the memory.
            question: what to ask.
            writes: one question that writes runs at a time.

        Raises:
            KeyError: there is none of this name.
            GitmemError: as the memory says.

        """
        pool = self._pools[name]

        def asked() -> T:
            with pool.taken(writes=writes) as memory:
                return question(memory)

        return await anyio.to_thread.run_sync(asked)

    def prepare(self) -> None:
        """Bring each memory in step with its files in the background, before anybody asks.

        Where many files wait for the index, another process takes them in: this one would hold
        several times its memory afterwards.
        """
        for pool in self._pools.values():
            threading.Thread(target=_prepared, args=[pool], daemon=True).start()

    def close(self) -> None:
        """Close all memories, each when what was asked of it is answered."""
        for pool in self._pools.values():
            pool.wait(_PATIENCE_SECONDS)
            pool.close()

    def _opened(self, folder: str) -> Memory:
        return Memory.open(folder, environ=self._environ)


def _prepared(pool: MemoryPool) -> None:
    # What is wrong is told to whoever asks for a page.
    with contextlib.suppress(GitmemError, MemoryError), pool.taken() as memory:
        memory.checks.catch_up_apart()


def named(folders: Sequence[str]) -> dict[str, str]:
    """Name folders by their last part; where two are alike, by a number behind it."""
    names: dict[str, str] = {}
    for folder in dict.fromkeys(map(os.path.realpath, folders)):
        base = os.path.basename(folder) or "root"
        name, number = base, 1
        while name in names:
            number += 1
            name = f"{base}-{number}"
        names[name] = folder
    return names
