"""Which repository a call is about, among the folders that the client has open."""

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

from gitmem.errors import GitmemError, NotFoundError, UsageError
from gitmem.hosting.memory_pool import MemoryPool
from gitmem.memory import Memory
from gitmem.system import from_uri

_PATIENCE_SECONDS: Final = 5.0


class Asker(NamedTuple):
    """Who asks.

    Attributes:
        client: name of the assistant; it becomes the records' author's tool.
        author: name and e-mail of the author, where that is not who git says; the e-mail may be
            empty.

    """

    client: str = ""
    author: tuple[str, str] | None = None


MOST_OPEN: Final = 8
"""Folders whose memories are kept open: each has an index in memory, and hears of changes."""


class Projects:
    """The memories that one connection may ask; the last few stay open. Close it at the end.

    Args:
        start: the folder that the server was started for.
        environ: environment variables.
        waiting: what is written becomes drafts that wait for a person.

    """

    def __init__(self, start: str, environ: Mapping[str, str], *, waiting: bool = False) -> None:
        self._start = os.path.realpath(start)
        self._waiting = waiting
        self._environ = environ
        self._open: dict[tuple[str, Asker], MemoryPool] = {}  # the one used last is the last
        self._opening = threading.Lock()

    def __len__(self) -> int:
        """Count the folders whose memories are kept open, for each assistant."""
        return len(self._open)

    def close(self) -> None:
        """Close all memories, each when the call that has begun is over."""
        with self._opening:
            for project in self._open.values():
                project.wait(_PATIENCE_SECONDS)
                project.close()
            self._open.clear()

    def folder(self, project: str, roots: Sequence[str], *, any_name: bool = False) -> str:
        """Tell which folder a call is about.

        Args:
            project: as the caller names it: the path of an open folder or of one inside it, or
                its name; empty: the one that there is.
            roots: URIs of the folders that the client has open; none: it does not say.
            any_name: where only one folder is open, take any other name for it.

        Raises:
            UsageError: that can't be told, or names a folder that is not open here.

        """
        folders = self._folders(roots)
        single = len(folders) == 1
        if project and not (single and any_name and not os.path.isabs(project)):
            return _named(project, folders)
        if single:
            return folders[0]
        around = [folder for folder in folders if _is_inside(self._start, folder)]
        if around:
            return max(around, key=len)
        with_memory = [folder for folder in folders if _has_memory(folder, self._environ)]
        if len(with_memory) == 1:
            return with_memory[0]
        names = ", ".join(sorted(os.path.basename(folder) for folder in folders))
        raise UsageError("several folders are open here", f"name one as project: {names}")

    def any_memory(self, roots: Sequence[str]) -> bool:
        """Tell whether one of the open folders has a memory."""
        return any(_has_memory(folder, self._environ) for folder in self._folders(roots))

    def _folders(self, roots: Sequence[str]) -> list[str]:
        return list(dict.fromkeys(filter(None, map(path_of, roots)))) or [self._start]

    @contextmanager
    def memory(self, folder: str, asker: Asker, *, writes: bool = False) -> Iterator[Memory]:
        """Give a memory of a folder, for one call; questions run beside each other.

        Args:
            folder: as ``folder`` gives it.
            asker: who asks; what is written bears it.
            writes: the call writes: one at a time does.

        Raises:
            NotFoundError: there is no memory.

        """
        key = (folder, asker)
        with self._opening:
            project = self._open.pop(key, None) or MemoryPool(lambda: self._opened(*key))
            self._open[key] = project
            project.calls += 1
            idle = [name for name, project in self._open.items() if not project.calls]
            for name in idle[: max(len(self._open) - MOST_OPEN, 0)]:
                self._open.pop(name).close()
        try:
            with project.taken(writes=writes) as memory:
                yield memory
        finally:
            with self._opening:
                project.calls -= 1

    def _opened(self, folder: str, asker: Asker) -> Memory:
        settings = {"actor": f"agent:{asker.client}"} if asker.client else {}
        if asker.author:
            settings["author.name"], settings["author.email"] = asker.author
        return Memory.open(
            folder, settings=settings, environ=self._environ, proposing=self._waiting
        )


def path_of(uri: str) -> str:
    """Give the folder of a ``file:`` URI, links resolved; empty if it is none that is here."""
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in {"", "localhost"}:
        return ""
    path = os.path.realpath(from_uri(unquote(parts.path)))
    return path if os.path.isdir(path) else ""


def _named(project: str, folders: Sequence[str]) -> str:
    """Find an open folder by its name, or by a path to it or into it."""
    if os.path.isabs(project):
        path = os.path.realpath(project)
        inside = [folder for folder in folders if _is_inside(path, folder)]
        if inside and os.path.isdir(path):
            return path
    named = [folder for folder in folders if os.path.basename(folder) == project]
    if len(named) == 1:
        return named[0]
    names = ", ".join(sorted(os.path.basename(folder) for folder in folders))
    raise UsageError(f"no folder {project} is open here", f"name one of: {names}")


def _is_inside(path: str, folder: str) -> bool:
    try:
        return os.path.commonpath([path, folder]) == folder
    except ValueError:  # another drive
        return False


def _has_memory(folder: str, environ: Mapping[str, str]) -> bool:
    try:
        Memory.open(folder, environ=environ).close()
    except NotFoundError:
        return False
    except GitmemError:
        return True  # there is one, and it says itself what is wrong with it
    return True
