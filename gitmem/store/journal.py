"""The local journal: streams of events, appended one line at a time, never committed.

A line goes out in one write to a file opened for appending, so processes that write at the
same time do not mix, and it is on disk when ``append`` returns. A process that dies inside a
write leaves half a line: the next append starts on a fresh one, and reading passes it over.

Streams of which only the newest events count are folded now and then: rewritten without what
nobody asks for any more. Appending holds a shared lock on the stream, folding an exclusive one,
so no line goes into the file that is being replaced.
"""

import contextlib
import errno
import json
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import Any, BinaryIO

from gitmem import system
from gitmem.errors import EnvironmentProblem, NotFoundError, UsageError

MAX_LINE_BYTES = 256 * 1024
DONE = "done"
_MOST_FIELDS = 50
_LONGEST_FIELD = 200
_ENDING = ".jsonl"
_STREAM = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}\Z")
_LOCK_SECONDS = 5.0
_TAIL_BYTES = 65_536
_MOST_AT_ONCE = 32
"""Events that are looked through for secrets together, where they are read one after another."""
_FOLDED_BYTES = 65_536
"""A shorter stream is read at once: it is not worth folding."""
_HINTS = {
    errno.ENOSPC: "free some space and try again; what was written before is safe",
    errno.EDQUOT: "free some space and try again; what was written before is safe",
    errno.EROFS: "the file system is read-only: work in a copy that can be written",
}
_NO_PLAIN_FILE = "it is no plain file: move it out of the way, and try again"
_HINTS |= {errno.EINVAL: _NO_PLAIN_FILE, errno.ELOOP: _NO_PLAIN_FILE, errno.ENXIO: _NO_PLAIN_FILE}
_NO_PERMISSION = "give your user write permission on this folder"


Live = Callable[[list[dict[str, Any]]], list[dict[str, Any]]]
"""Given all events of a stream in order, gives those that still count, in order."""


Shown = Callable[[list[bytes], list[dict[str, Any]]], list[dict[str, Any]]]


class Journal:
    """Streams of events in one folder, each a file of JSON lines; closed ones in ``done/``.

    The folder is made on the first write. Every method raises EnvironmentProblem where the
    machine forbids it, and UsageError for a stream name that is no plain file name.

    Args:
        directory: where the streams lie, an absolute path under the git folder.
        shown: gives events as they may be read, from their lines and themselves: what an older
            version wrote may hold secrets that are known by now.

    """

    def __init__(self, directory: str, shown: Shown | None = None) -> None:
        self.directory = directory
        self._shown = shown

    def append(
        self,
        stream: str,
        event: dict[str, Any],
        *,
        create: bool = True,
        live: Live | None = None,
    ) -> None:
        """Add one event; it is on disk when this returns.

        Args:
            stream: the stream's name.
            event: plain JSON data. Where it is over 256 KiB, its longest texts are cut.
            create: begin the stream if there is none; otherwise that is a NotFoundError.
            live: what to ``fold`` the stream by each time that it has become twice as long.

        """
        path = self._path(stream)
        line = _line(event)
        if self._shown:  # the one way in: whoever wrote the event, its secrets stay outside
            (event,) = self._shown([line], [event])
            line = _line(event)
        with self._translated(stream):
            handle, new = self._open(path, stream, create=create)
            try:
                if _is_torn(handle):
                    line = b"\n" + line
                if system.append(handle, line) < len(line):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                os.fsync(handle)
                size = os.fstat(handle).st_size
            finally:
                os.close(handle)
            if new:
                _sync_folder(self.directory)
        if live and size > _FOLDED_BYTES and size.bit_length() > (size - len(line)).bit_length():
            self.fold(stream, live)

    def fold(self, stream: str, live: Live) -> None:
        """Rewrite an open stream with the events that still count, all at once.

        Nothing happens where nothing would go, there is no stream, the file system has no locks,
        or the disk no room.

        Args:
            stream: the stream's name.
            live: which they are.

        """
        path = self._path(stream)
        with contextlib.suppress(OSError), contextlib.ExitStack() as stack:
            handle = os.open(path, os.O_RDWR | system.OPEN_NO_LINK)
            stack.callback(os.close, handle)
            if not _locked(handle) or _was_replaced(handle, path):
                return
            events = self.read(stream)
            still_live = live(events)
            if len(still_live) < len(events):
                _replace(path, b"".join(map(_line, still_live)))
                _sync_folder(self.directory)

    def remove(self, stream: str) -> None:
        """Delete an open stream that nobody asks for any more, if it is there."""
        with self._translated(stream), contextlib.suppress(FileNotFoundError):
            os.unlink(self._path(stream))

    def read(
        self, stream: str, *, done: bool = False, newest: int | None = None
    ) -> list[dict[str, Any]]:
        """Give the events in the order they were written; an empty list if there are none.

        Half lines and lines that are no JSON object are passed over; ``damaged`` counts them.

        Args:
            stream: the stream's name.
            done: read the closed stream of that name.
            newest: read no more than so many lines from its end; None for all.

        """
        pairs = ((line, _event(line)) for line in self._lines(stream, done=done, newest=newest))
        return self._as_shown([(line, event) for line, event in pairs if event is not None])

    def mentions(self, stream: str, word: str) -> bool:
        """Tell whether an open stream holds a word, of which JSON escapes nothing."""
        wanted = word.encode()
        return any(wanted in line for line in self._lines(stream, done=False))

    def damaged(self, stream: str, *, done: bool = False) -> list[int]:
        """List the numbers (from 1) of lines that can't be read."""
        lines = enumerate(self._lines(stream, done=done), 1)
        return [number for number, line in lines if line and _event(line) is None]

    def streams(self, prefix: str = "", *, done: bool = False) -> list[str]:
        """List the open streams (or the closed ones) whose name starts with ``prefix``."""
        folder = os.path.join(self.directory, DONE) if done else self.directory
        with self._translated(folder):
            try:
                names = os.listdir(folder)
            except FileNotFoundError:
                return []
        streams = (name.removesuffix(_ENDING) for name in names if name.endswith(_ENDING))
        return sorted(name for name in streams if name.startswith(prefix) and _STREAM.match(name))

    def written(self, stream: str) -> float:
        """Tell when an open stream was written to last, in seconds since 1970; 0 if never."""
        try:
            return os.stat(self._path(stream)).st_mtime
        except OSError:
            return 0.0

    def close_stream(self, stream: str) -> None:
        """Move an open stream to ``done/``. Closed under that name before: the events join."""
        source, target = self._path(stream), self._path(stream, done=True)
        with self._translated(stream), self.exclusive():
            if not os.path.lexists(source):
                raise NotFoundError(f"no open stream {stream} in the journal")
            os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
            if os.path.lexists(target):
                _append_file(source, target)
                os.unlink(source)
            else:
                os.rename(source, target)
            _sync_folder(os.path.dirname(target))
            _sync_folder(self.directory)

    @contextlib.contextmanager
    def exclusive(self, name: str = "") -> Iterator[None]:
        """Hold the journal's lock, for looking before leaping. Appending does not need it.

        A lock with a name is another one: who holds it may take the journal's own, too. On a file
        system without locks, or behind one held for 5 seconds, it goes on without.
        """
        with contextlib.ExitStack() as stack:
            # Who then writes says why not.
            with contextlib.suppress(system.LockUnavailable, OSError):
                os.makedirs(self.directory, mode=0o700, exist_ok=True)
                stack.enter_context(
                    system.lock(os.path.join(self.directory, f"{name}.lock"), _LOCK_SECONDS)
                )
            yield

    def newest_first(self, stream: str) -> Iterator[dict[str, Any]]:
        """Give the events of an open stream from its end, and read no more of it than is taken."""
        return self._events(self._pairs_from_end(stream))

    def newest_of(self, streams: Iterable[str], ahead: int) -> list[Iterator[dict[str, Any]]]:
        """Give what ``newest_first`` does, of several streams.

        Args:
            streams: their names.
            ahead: so many events of each will be taken, surely.

        """
        sources = [self._pairs_from_end(stream) for stream in streams]
        newest = [list(islice(source, ahead)) for source in sources]
        # Looking for secrets costs more for each call than for each line, and is remembered.
        self._as_shown([pair for pairs in newest for pair in pairs])
        return [
            self._events(chain(pairs, source))
            for pairs, source in zip(newest, sources, strict=True)
        ]

    def _pairs_from_end(self, stream: str) -> Iterator[tuple[bytes, dict[str, Any]]]:
        """Give the lines of an open stream that can be read, with their events, from its end."""
        with self._translated(stream):
            try:
                file = _opened(self._path(stream))
            except FileNotFoundError:
                return
        with file:
            for line in _lines_from_end(file):
                if (event := _event(line)) is not None:
                    yield line, event

    def _events(self, pairs: Iterator[tuple[bytes, dict[str, Any]]]) -> Iterator[dict[str, Any]]:
        size = 1
        while batch := list(islice(pairs, size)):
            yield from self._as_shown(batch)
            size = min(2 * size, _MOST_AT_ONCE)

    def _as_shown(self, pairs: list[tuple[bytes, dict[str, Any]]]) -> list[dict[str, Any]]:
        events = [event for _, event in pairs]
        return self._shown([line for line, _ in pairs], events) if self._shown and pairs else events

    def _open(self, path: str, stream: str, *, create: bool) -> tuple[int, bool]:
        """Open a stream for appending, shared with others who append; tell whether it is new."""
        flags = os.O_RDWR | os.O_APPEND | system.OPEN_NO_LINK
        new = False
        while True:
            try:
                handle = os.open(path, flags)
            except FileNotFoundError:
                if not create:
                    raise NotFoundError(f"no open stream {stream} in the journal") from None
                os.makedirs(self.directory, mode=0o700, exist_ok=True)
                handle, new = os.open(path, flags | os.O_CREAT, 0o600), True
            _refuse_others(handle)
            if not (_locked(handle, shared=True) and _was_replaced(handle, path)):
                return handle, new
            os.close(handle)  # it was folded meanwhile

    def _lines(self, stream: str, *, done: bool, newest: int | None = None) -> list[bytes]:
        with self._translated(stream):
            try:
                with _opened(self._path(stream, done=done)) as file:
                    if newest is None:
                        return file.read().split(b"\n")
                    # The last one is what comes after the last line's end: nothing.
                    return list(islice(_lines_from_end(file), newest + 1))[::-1]
            except FileNotFoundError:
                return []

    def _path(self, stream: str, *, done: bool = False) -> str:
        if not _STREAM.match(stream):
            raise UsageError(
                f"{stream[:80]!r} is not a valid name of a stream of the journal",
                "use letters, digits, dots, dashes and underscores, a letter or digit first",
            )
        folder = os.path.join(self.directory, DONE) if done else self.directory
        return os.path.join(folder, stream + _ENDING)

    @contextlib.contextmanager
    def _translated(self, what: str) -> Iterator[None]:
        """Turn what the operating system forbids into one line with a hint."""
        try:
            yield
        except OSError as error:
            if isinstance(error, FileNotFoundError) and not os.path.isdir(self.directory):
                raise NotFoundError(f"no journal in {self.directory}") from error
            reason = error.strerror or str(error)
            raise EnvironmentProblem(
                f"journal, {what}: {reason} ({self.directory})",
                _HINTS.get(error.errno or 0, _NO_PERMISSION),
            ) from error


def _opened(path: str) -> BinaryIO:
    """Open a stream for reading; a pipe or a link in its place is neither awaited nor followed."""
    handle = os.open(path, os.O_RDONLY | system.OPEN_NO_LINK)
    _refuse_others(handle)
    return open(handle, "rb")


def _refuse_others(handle: int) -> None:
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "not a file")


def _lines_from_end(file: BinaryIO) -> Iterator[bytes]:
    start, rest = os.fstat(file.fileno()).st_size, b""
    while start:
        size = min(start, _TAIL_BYTES)
        start -= size
        file.seek(start)
        rest, *lines = (file.read(size) + rest).split(b"\n")
        yield from reversed(lines)
    yield rest


def _locked(handle: int, *, shared: bool = False) -> bool:
    """Lock a stream, also against ourselves; False where that can't be done within 5 seconds."""
    try:
        return system.locked_within(handle, _LOCK_SECONDS, shared=shared)
    except OSError:
        return False


def _was_replaced(handle: int, path: str) -> bool:
    """Tell whether another file took the place of an open one; a closed stream has none."""
    try:
        now = os.lstat(path)
    except FileNotFoundError:
        return False
    here = os.fstat(handle)
    return (here.st_dev, here.st_ino) != (now.st_dev, now.st_ino)


def _replace(path: str, data: bytes) -> None:
    """Put other content in the place of a file; a killed writer leaves one file, used again."""
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | system.OPEN_NO_LINK
    handle = os.open(temporary, flags, 0o600)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(handle, view) :]
        os.fsync(handle)
    finally:
        os.close(handle)
    system.replace(temporary, path)


def _event(line: bytes) -> dict[str, Any] | None:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) else None


def _is_torn(handle: int) -> bool:
    end = os.fstat(handle).st_size
    return end > 0 and system.pread(handle, 1, end - 1) != b"\n"


def _append_file(source: str, target: str) -> None:
    with open(source, "rb") as read, open(target, "ab+") as written:
        rest = read.read()
        written.write((b"\n" if _is_torn(written.fileno()) else b"") + rest)
        written.flush()
        os.fsync(written.fileno())


def _sync_folder(path: str) -> None:
    """Make a new or moved name last; some file systems can't, and need not."""
    with contextlib.suppress(OSError):
        system.sync_folder(path)


def _line(event: dict[str, Any]) -> bytes:
    """Write one event as a bounded line."""
    line = _encoded(event)
    longest = MAX_LINE_BYTES
    while len(line) > MAX_LINE_BYTES and longest:
        longest //= 4
        line = _encoded(_cut(event, longest))
    if len(line) > MAX_LINE_BYTES:  # too many fields, not too long ones
        short = {key: value for key, value in event.items() if _is_short(value)}
        shortened = dict(list(short.items())[:_MOST_FIELDS])
        line = _encoded(shortened | {"cut": f"an event of {len(_encoded(event))} bytes"})
    return line


def _is_short(value: object) -> bool:
    plain = value is None or isinstance(value, bool | int | float)
    return plain or (isinstance(value, str) and len(value) <= _LONGEST_FIELD)


def _encoded(event: dict[str, Any]) -> bytes:
    text = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    # Half of a surrogate pair is no UTF-8; as a backslash escape it is JSON and reads back.
    return text.encode(errors="backslashreplace") + b"\n"


def _cut(value: Any, longest: int) -> Any:  # noqa: ANN401  any JSON value
    """Shorten every text over ``longest`` characters and every list in proportion."""
    if isinstance(value, str) and len(value) > longest:
        return f"{value[:longest]}… [cut: {len(value) - longest} more characters]"
    if isinstance(value, dict):
        return {key: _cut(item, longest) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_cut(item, longest) for item in value[: max(1, longest // 16)]]
    return value
