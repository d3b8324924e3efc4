"""Watches memories and reports changed records one by one."""

import queue
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from gitmem.git.state import branch
from gitmem.memory.core.workspace import Workspace
from gitmem.query import Filters
from gitmem.records.layout import id_in, kind_of
from gitmem.store.store_change import StoreChange, WatchedStore
from gitmem.store.watch import Watcher

if TYPE_CHECKING:
    from gitmem.memory.core.derived_state import Snapshot

What = Literal["added", "changed", "removed", "head"]
_UNREADABLE: Final = "(can't be read; see: gitmem check)"

__all__ = ["Following", "MemoryEvent", "StoreChange", "Watch"]


class Watch:
    """Watches the files and HEAD of memories, without reading any; one is enough for a process.

    Args:
        on_notice: is told in a line where a memory is watched another way than it should.

    """

    def __init__(self, on_notice: Callable[[str], None]) -> None:
        self._on_notice = on_notice
        self._watcher: Watcher | None = None

    def listen(self, workspace: Workspace, on_change: Callable[[StoreChange], None]) -> None:
        """Call ``on_change`` after each burst of changes, in the watch's own thread.

        A memory that is listened to already gets the new listener.
        """
        config, git_dirs = workspace.site.config, workspace.site.git_dirs
        if self._watcher is None:
            self._watcher = Watcher(
                poll_seconds=config.watch_poll_seconds or 1.0, on_notice=self._on_notice
            )
        spot = WatchedStore(workspace.site.folder, git_dirs.git_dir if git_dirs else None)
        self._watcher.add(spot, on_change, poll=config.watch_mode == "poll")

    def why_polled(self, folder: str) -> str:
        """Say why a memory is polled; empty if the system reports its changes."""
        return self._watcher.why_polled(folder) if self._watcher else ""

    def close(self) -> None:
        """End the watch and its threads."""
        if self._watcher:
            self._watcher.close()


class MemoryEvent(NamedTuple):
    """One change of one record, or of HEAD.

    Attributes:
        what: added, changed or removed; or head: something else is checked out.
        kind, id, title: the record's; for head, ``title`` names the branch, empty if detached.
        path: the record's file, relative to the memory.

    """

    what: What
    kind: str = ""
    id: str = ""
    title: str = ""
    path: str = ""


class _KnownFile(NamedTuple):
    kind: str
    id: str
    title: str
    digest: bytes


class Following:
    """Tells what changes in a memory from now on. Use it in the memory's own thread.

    Args:
        workspace: of the memory, which is read after each burst of changes.
        on_notice: is told in a line where it is watched another way than it should.

    """

    def __init__(self, workspace: Workspace, on_notice: Callable[[str], None]) -> None:
        self._workspace = workspace
        self._changes: queue.SimpleQueue[StoreChange] = queue.SimpleQueue()
        self._watch = Watch(on_notice)
        self._watch.listen(workspace, self._changes.put)
        self._files = self._look(None)
        self._branch = self._checked_out()

    def close(self) -> None:
        """Stop following."""
        self._watch.close()

    def events(self, seconds: float) -> list[MemoryEvent]:
        """Wait for changes, at most so long; give what they come to, perhaps nothing."""
        try:
            changed = self._changes.get(timeout=seconds)
        except queue.Empty:
            return []
        events = list(self._differences(changed))
        if changed.head:
            before, self._branch = self._branch, self._checked_out()
            if not before or before != self._branch:  # its file may be written with each commit
                events.insert(0, MemoryEvent("head", title=self._branch))
        return events

    def _checked_out(self) -> str:
        git_dirs = self._workspace.site.git_dirs
        return branch(git_dirs) if git_dirs else ""

    def _differences(self, changed: StoreChange) -> Iterable[MemoryEvent]:
        paths = None if changed.everything or changed.head else changed.paths
        now = self._look(paths)
        paths_compared = self._files.keys() | now.keys() if paths is None else paths
        before = {path: self._files[path] for path in paths_compared if path in self._files}
        for path in paths_compared:
            self._files.pop(path, None)
        self._files |= now
        moved = {state.id for path, state in before.items() if path not in now and state.id}
        for path in sorted(paths_compared):
            old, new = before.get(path), now.get(path)
            if new and (old is None or old.digest != new.digest):
                is_old = old is not None or new.id in moved
                yield MemoryEvent("changed" if is_old else "added", *new[:3], path)
            elif old and not new and old.id not in {state.id for state in now.values()}:
                yield MemoryEvent("removed", *old[:3], path)

    def _look(self, paths: Iterable[str] | None) -> dict[str, _KnownFile]:
        """Read what there is at some paths, or at all of them."""

        def look(now: "Snapshot") -> dict[str, _KnownFile]:
            catalog = now.catalog
            if paths is None:
                states = catalog.states()
                rows = {row.file: row for row in catalog.rows(Filters())}
            else:
                states = catalog.states_of(paths)
                rows = catalog.by_file(state.file for state in states.values())
            files = {}
            for path, state in states.items():
                row = rows.get(state.file)
                named = id_in(path) or ""
                kind = kind_of(named) or ""
                files[path] = (
                    _KnownFile(row.kind, row.id, row.title, state.digest)
                    if row
                    else _KnownFile(kind, named, _UNREADABLE, state.digest)
                )
            return files

        return self._workspace.ask(look)
