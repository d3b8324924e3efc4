"""Which repository a call is about: among the folders that the client has open, and no others."""

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final
from urllib.parse import unquote, urlsplit

from gitmem.errors import GitmemError, NotFoundError, UsageError
from gitmem.memory import Memory

_DRIVE: Final = 2


class Projects:
    """The memories that one connection may ask, each opened once. Close it at the end.

    Args:
        start: the folder that the server was started for.
        environ: environment variables.

    """

    def __init__(self, start: str, environ: Mapping[str, str]) -> None:
        self._start = os.path.realpath(start)
        self._environ = environ
        self._open: dict[tuple[str, str], tuple[Memory, threading.RLock]] = {}
        self._opening = threading.Lock()

    def close(self) -> None:
        """Close all memories."""
        with self._opening:
            for memory, _ in self._open.values():
                memory.close()
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
        folders = list(dict.fromkeys(filter(None, map(path_of, roots)))) or [self._start]
        single = len(folders) == 1
        if project and not (single and any_name and not os.path.isabs(project)):
            return _named(project, folders)
        if single:
            return folders[0]
        around = [one for one in folders if _is_inside(self._start, one)]
        if around:
            return max(around, key=len)
        with_memory = [one for one in folders if _has_memory(one, self._environ)]
        if len(with_memory) == 1:
            return with_memory[0]
        names = ", ".join(sorted(os.path.basename(one) for one in folders))
        raise UsageError("several folders are open here", f"name one as project: {names}")

    @contextmanager
    def memory(self, folder: str, client: str) -> Iterator[Memory]:
        """Give the memory of a folder, for one call at a time.

        Args:
            folder: as ``folder`` gives it.
            client: name of the assistant that writes; it becomes the records' author's tool.

        Raises:
            NotFoundError: there is no memory.

        """
        key = (folder, client)
        with self._opening:
            if key not in self._open:
                settings = {"actor": f"agent:{client}"} if client else {}
                opened = Memory.open(folder, settings=settings, environ=self._environ)
                self._open[key] = (opened, threading.RLock())
            memory, lock = self._open[key]
        with lock:
            memory.derived.notices.clear()
            yield memory


def path_of(uri: str) -> str:
    """Give the folder of a ``file:`` URI, links resolved; empty if it is none that is here."""
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in {"", "localhost"}:
        return ""
    path = unquote(parts.path)
    if os.name == "nt" and path[_DRIVE : _DRIVE + 1] == ":":
        path = path[1:]
    path = os.path.realpath(path)
    return path if os.path.isdir(path) else ""


def _named(project: str, folders: Sequence[str]) -> str:
    """Find an open folder by its name, or by a path to it or into it."""
    if os.path.isabs(project):
        path = os.path.realpath(project)
        inside = [one for one in folders if _is_inside(path, one)]
        if inside and os.path.isdir(path):
            return path
    named = [one for one in folders if os.path.basename(one) == project]
    if len(named) == 1:
        return named[0]
    names = ", ".join(sorted(os.path.basename(one) for one in folders))
    raise UsageError(f"no folder {project} is open here", f"name one of: {names}")


def _is_inside(path: str, folder: str) -> bool:
    try:
        return os.path.commonpath([path, folder]) == folder
    except ValueError:  # another drive
        return False


def _has_memory(folder: str, environ: Mapping[str, str]) -> bool:
    from gitmem.memory.site import find_site  # noqa: PLC0415  start-up

    try:
        find_site(folder, {}, environ)
    except NotFoundError:
        return False
    except GitmemError:
        return True  # there is one, and it says itself what is wrong with it
    return True
