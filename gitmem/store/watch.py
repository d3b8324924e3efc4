"""Notifies listeners when files of a memory or HEAD change: the only user of watchdog.

A watcher only says where to look; the comparison before every answer stays the truth. So it
may say too much, and after lost events it says: look at everything. Where the system can't
tell (no inotify instances or watches left, a network file system), stamps are compared at
intervals instead.
"""

import contextlib
import errno
import logging
import os
import threading
import time
import warnings
from collections.abc import Callable, Iterable
from typing import Final

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch

from gitmem.store.listing import reason
from gitmem.store.lost_events import LostEventFilter
from gitmem.store.poll import Poll, file_system, is_remote
from gitmem.store.store_change import (
    PendingChanges,
    StoreChange,
    WatchedStore,
    is_told_of,
    last_folder,
)
from gitmem.system import relative_path

SETTLE: Final = 0.1
"""Seconds of silence that end a burst."""
LONGEST: Final = 1.0
"""Seconds after which a burst that does not end is told of all the same."""
POLL: Final = 2.0
"""Seconds between two looks where nothing tells of changes."""
_MOST_PATHS: Final = 1000
_POLL_SHARE: Final = 10  # looking takes at most a tenth of the time
# FileCreatedEvent must be among them: files in folders just made are told by it alone.
_EVENTS: Final[list[type[FileSystemEvent]]] = [
    DirCreatedEvent, DirDeletedEvent, DirMovedEvent,
    FileClosedEvent, FileCreatedEvent, FileDeletedEvent, FileMovedEvent,
]  # fmt: skip
_LIMITS: Final = {
    errno.ENOSPC: "the limit of inotify watches is reached",
    errno.EMFILE: "the limit of inotify instances is reached",
}

_log = logging.getLogger(__name__)
# It comes to a folder by two ways when a tree of folders is made, and watches it once.
warnings.filterwarnings("ignore", "Callback with id .* already exists", RuntimeWarning)


Listener = Callable[[StoreChange], None]


class _Watched:
    """One spot, what was heard of it, and how it is watched."""

    def __init__(self, spot: WatchedStore, listener: Listener, *, poll: bool) -> None:
        self.spot = spot
        self.listener = listener
        self.must_poll = poll
        self.why_polled = ""
        self.watches: list[tuple[ObservedWatch, FileSystemEventHandler]] = []
        self.poll: Poll | None = None
        self.next_look = 0.0
        self.heard = PendingChanges()
        self.first = self.last = 0.0

    def take(self) -> PendingChanges:
        """Give what was heard, once."""
        pending, self.heard = self.heard, PendingChanges()
        return pending


class Watcher:
    """Watches memories until it is closed, with one observer for all of them.

    Listeners are called in the watcher's own thread, one after the other.

    Args:
        settle, poll_seconds: see SETTLE and POLL.
        on_notice: is told in a line when a memory is watched another way than it should.

    """

    def __init__(
        self,
        *,
        settle: float = SETTLE,
        poll_seconds: float = POLL,
        on_notice: Callable[[str], None] = _log.info,
    ) -> None:
        self._settle = settle
        self._poll_seconds = poll_seconds
        self._on_notice = on_notice
        self._spots: dict[str, _Watched] = {}
        # Never taken by what hears: the observer calls that with its own lock held.
        self._arming = threading.RLock()
        self._wake = threading.Condition()
        self._closing = False
        self._why_no_observer = ""
        self._observer = self._start_observer()
        self._lost = LostEventFilter(self._hear_of_loss)
        self._thread = threading.Thread(target=self._run, name="gitmem-watch", daemon=True)
        self._thread.start()

    def add(self, spot: WatchedStore, listener: Listener, *, poll: bool = False) -> None:
        """Watch a memory; every change after the return is reported.

        Args:
            spot: what to watch; one that is watched already gets the new listener.
            listener: is called for each burst of changes.
            poll: compare stamps even where the system would tell of changes.

        """
        watched = _Watched(spot, listener, poll=poll)
        with self._arming:
            self.remove(spot.folder)
            self._arm(watched)
            with self._wake:
                self._spots[spot.folder] = watched
                self._wake.notify_all()

    def remove(self, folder: str) -> None:
        """Stop watching a memory."""
        with self._arming:
            with self._wake:
                watched = self._spots.pop(folder, None)
            if watched:
                self._disarm(watched)

    def why_polled(self, folder: str) -> str:
        """Say why a memory is watched by its stamps; empty if it is not."""
        return self._spots[folder].why_polled

    def close(self) -> None:
        """Stop watching. When this returns, no listener is called any more."""
        with self._wake:
            self._closing = True
            self._wake.notify_all()
        if threading.current_thread() is not self._thread:
            self._thread.join()
        self._lost.close()
        if self._observer:
            self._observer.stop()
            self._observer.join()
            self._observer = None

    # What is heard, in the observer's threads

    def _hear(self, watched: _Watched, *, path: str = "", folder: str = "", what: str = "") -> None:
        """Note something; ``what`` is everything, head or rearm."""
        now = time.monotonic()
        with self._wake:
            pending = watched.heard
            fresh = not pending
            if path:
                pending.paths.add(path)
            if folder:
                pending.folder = folder
            if what:
                setattr(pending, what, True)
            watched.last = now
            if fresh:
                watched.first = now
                self._wake.notify_all()

    def _hear_of_loss(self) -> None:
        with self._wake:
            spots = list(self._spots.values())
        # watchdog itself watches anew now and drops what comes meanwhile. Only watches that are
        # made before everything is told of leave no gap.
        for watched in spots:
            self._hear(watched, what="rearm")
            self._hear(watched, what="head")

    # What is told, in the watcher's own thread

    def _run(self) -> None:
        while True:
            with self._wake:
                while not self._closing and not (due := self._due()):
                    self._wake.wait(self._wait_seconds())
                if self._closing:
                    return
            for watched in due:
                self._settle_one(watched)

    def _due(self) -> list[_Watched]:
        now = time.monotonic()
        return [watched for watched in self._spots.values() if self._due_at(watched) <= now]

    def _wait_seconds(self) -> float | None:
        next_due = min(map(self._due_at, self._spots.values()), default=float("inf"))
        return None if next_due == float("inf") else max(0.0, next_due - time.monotonic())

    def _due_at(self, watched: _Watched) -> float:
        settled = min(watched.last + self._settle, watched.first + LONGEST)
        look = watched.next_look if watched.poll else float("inf")
        return min(settled, look) if watched.heard else look

    def _settle_one(self, watched: _Watched) -> None:
        with self._wake:
            pending = watched.take()
        with self._arming:
            if self._spots.get(watched.spot.folder) is not watched:
                return
            paths, is_everything, head = set(pending.paths), pending.everything, pending.head
            if pending.rearm:
                self._arm(watched)
                is_everything = True
            elif pending.folder and not watched.poll and not self._is_heard(pending.folder):
                self._fall_back(watched, _LIMITS[errno.ENOSPC])
                is_everything = True
            if watched.poll:
                changed, moved = self._look(watched, watched.poll)
                paths |= changed
                head |= moved
        if len(paths) > _MOST_PATHS:
            is_everything = True
        if paths or is_everything or head:
            self._tell(watched, StoreChange(frozenset(paths), is_everything, head))

    def _look(self, watched: _Watched, poll: Poll) -> tuple[set[str], bool]:
        began = time.monotonic()
        changed = poll.changed()
        took = time.monotonic() - began
        watched.next_look = began + took + max(self._poll_seconds, took * _POLL_SHARE)
        if watched.why_polled == _GONE and os.path.isdir(os.path.dirname(watched.spot.folder)):
            self._hear(watched, what="rearm")
        return changed

    @staticmethod
    def _tell(watched: _Watched, changed: StoreChange) -> None:
        try:
            watched.listener(changed)
        except Exception:  # noqa: BLE001  its fault must not end the watching
            _log.exception("a listener of %s failed", watched.spot.folder)

    # How it is watched

    def _start_observer(self) -> BaseObserver | None:
        try:
            observer = Observer()
            observer.start()
        except OSError as error:
            self._why_no_observer = _LIMITS.get(error.errno or 0, reason(error))
            return None
        return observer

    def _arm(self, watched: _Watched) -> None:
        """Watch the folder, the folder above (it may come and go) and the git folder."""
        self._disarm(watched)
        folder = watched.spot.folder
        kind = file_system(folder)
        if watched.must_poll:
            self._fall_back(watched, "polling is asked for", quiet=True)
        elif is_remote(kind):
            self._fall_back(watched, f"{folder} is on a network file system ({kind})")
        elif self._observer is None:
            self._fall_back(watched, self._why_no_observer)
        else:
            above = os.path.dirname(folder)
            try:
                self._schedule(watched, above, _Above(self, watched))
                if head := watched.spot.head:
                    self._schedule(watched, os.path.dirname(head), _GitDir(self, watched))
                with contextlib.suppress(FileNotFoundError):
                    self._schedule(watched, folder, _Inside(self, watched), recursive=True)
                    if not self._is_heard(last_folder(folder)):
                        raise OSError(errno.ENOSPC, "")  # noqa: TRY301  one end for both
            except OSError as error:
                why = _LIMITS.get(error.errno or 0, reason(error))
                gone = isinstance(error, FileNotFoundError | NotADirectoryError)
                self._fall_back(watched, _GONE if gone else why, quiet=gone)

    def _schedule(
        self,
        watched: _Watched,
        path: str,
        handler: FileSystemEventHandler,
        *,
        recursive: bool = False,
    ) -> None:
        assert self._observer  # noqa: S101  armed only with one
        watch = self._observer.schedule(handler, path, recursive=recursive, event_filter=_EVENTS)
        watched.watches.append((watch, handler))

    def _disarm(self, watched: _Watched) -> None:
        others = {
            pair[0]
            for other in self._spots.values()
            if other is not watched
            for pair in other.watches
        }
        for watch, handler in watched.watches:
            if not (observer := self._observer):
                break
            with contextlib.suppress(KeyError):
                if watch not in others:
                    observer.unschedule(watch)
                else:  # several memories of one work tree share its git folder
                    observer.remove_handler_for_watch(handler, watch)
        watched.watches = []
        watched.poll, watched.why_polled = None, ""

    def _is_heard(self, folder: str) -> bool:
        """Tell whether a folder below is watched: watchdog says nothing where it can't.

        To watch it once more by itself takes no further watch if it is, and fails if it can't be.
        """
        assert self._observer  # noqa: S101  asked only of what it watches
        try:
            probe = self._observer.schedule(FileSystemEventHandler(), folder, event_filter=_EVENTS)
        except OSError as error:
            return error.errno != errno.ENOSPC
        self._observer.unschedule(probe)
        return True

    def _fall_back(self, watched: _Watched, why: str, *, quiet: bool = False) -> None:
        self._disarm(watched)
        watched.poll = Poll(watched.spot)
        watched.why_polled = why
        watched.next_look = time.monotonic() + self._poll_seconds
        if not quiet:
            self._on_notice(
                f"{why}: gitmem looks for changes every {self._poll_seconds:g} s instead"
            )


_GONE: Final = "the folder is gone"


class _EventHandler(FileSystemEventHandler):
    def __init__(self, watcher: Watcher, watched: _Watched) -> None:
        self._hear = watcher._hear  # noqa: SLF001  two parts of one module
        self._watched = watched

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Note what an event says."""
        for path in _ends(event):
            self.on_path(event, path)

    def on_path(self, event: FileSystemEvent, path: str) -> None:
        """Note what it says about one path."""


class _Inside(_EventHandler):
    """Hears what happens in the memory's folder and below."""

    def on_path(self, event: FileSystemEvent, path: str) -> None:
        folder = self._watched.spot.folder
        if event.is_directory:
            self._on_folder(event, path)
        elif is_told_of(inside := relative_path(path, folder)):
            self._hear(self._watched, path=inside)

    def _on_folder(self, event: FileSystemEvent, path: str) -> None:
        if isinstance(event, DirCreatedEvent):
            self._hear(self._watched, folder=path)
        else:  # its files are not named one by one when it is moved away
            self._hear(self._watched, what="everything")


class _Above(_EventHandler):
    """Hears when the memory's folder comes, goes or is replaced."""

    def on_path(self, event: FileSystemEvent, path: str) -> None:
        folder = self._watched.spot.folder
        above_is_gone = isinstance(event, DirDeletedEvent) and path == os.path.dirname(folder)
        if path == folder or above_is_gone:
            self._hear(self._watched, what="rearm")


class _GitDir(_EventHandler):
    """Hears when HEAD or the list of tables is written; git does so under another name first."""

    def on_path(self, event: FileSystemEvent, path: str) -> None:
        if os.path.basename(path) in {"HEAD", "tables.list"} and not event.is_directory:
            self._hear(self._watched, what="head")


def _ends(event: FileSystemEvent) -> Iterable[str]:
    return [os.fsdecode(path) for path in (event.src_path, event.dest_path) if path]
