"""The local journal: streams of events, appended one line at a time, never committed.

A line goes out in one write to a file opened for appending, so processes that write at the
same time do not mix, and it is on disk when ``append`` returns. A process that dies inside a
write leaves half a line: the next append starts on a fresh one, and reading passes it over.
"""

import contextlib
import errno
import json
import os
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from gitmem.errors import EnvironmentProblem, NotFoundError, UsageError
from gitmem.store.lock import LockUnavailable, lock

MAX_LINE_BYTES = 256 * 1024
DONE = "done"
_MOST_FIELDS = 50
_LONGEST_FIELD = 200
_ENDING = ".jsonl"
_STREAM = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}\Z")
_LOCK_SECONDS = 5.0
_TAIL_BYTES = 65_536
_HINTS = {
    errno.ENOSPC: "free some space and try again; what was written before is safe",
    errno.EDQUOT: "free some space and try again; what was written before is safe",
    errno.EROFS: "the file system is read-only: work in a copy that can be written",
}
_NO_PERMISSION = "give your user write permission on this folder"


class Journal:
    """Streams of events in one folder, each a file of JSON lines; closed ones in ``done/``.

    The folder is made on the first write. Every method raises EnvironmentProblem where the
    machine forbids it, and UsageError for a stream name that is no plain file name.

    Args:
        directory: where the streams lie, an absolute path under the git folder.

    """

    def __init__(self, directory: str) -> None:
        self.directory = directory

    def append(self, stream: str, event: dict[str, Any], *, create: bool = True) -> None:
        """Add one event; it is on disk when this returns.

        Args:
            stream: the stream's name.
            event: plain JSON data. Where it is over 256 KiB, its longest texts are cut.
            create: begin the stream if there is none; otherwise that is a NotFoundError.

        """
        path = self._path(stream)
        line = _line(event)
        with self._translated(stream):
            handle, new = self._open(path, stream, create=create)
            try:
                if _is_torn(handle):
                    line = b"\n" + line
                if os.write(handle, line) < len(line):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                os.fsync(handle)
            finally:
                os.close(handle)
            if new:
                _sync_folder(self.directory)

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
        events = map(_event, self._lines(stream, done=done, newest=newest))
        return [event for event in events if event is not None]

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
    def exclusive(self) -> Iterator[None]:
        """Hold the journal's lock, for looking before leaping. Appending does not need it.

        On a file system without locks, or behind one held for 5 seconds, it goes on without.
        """
        with contextlib.ExitStack() as stack:
            with self._translated("lock"):
                os.makedirs(self.directory, mode=0o700, exist_ok=True)
            with contextlib.suppress(LockUnavailable):
                stack.enter_context(lock(os.path.join(self.directory, ".lock"), _LOCK_SECONDS))
            yield

    def _open(self, path: str, stream: str, *, create: bool) -> tuple[int, bool]:
        """Open a stream for appending; tell whether it is new."""
        flags = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
        try:
            return os.open(path, flags), False
        except FileNotFoundError:
            if not create:
                raise NotFoundError(f"no open stream {stream} in the journal") from None
        os.makedirs(self.directory, mode=0o700, exist_ok=True)
        return os.open(path, flags | os.O_CREAT, 0o600), True

    def _lines(self, stream: str, *, done: bool, newest: int | None = None) -> list[bytes]:
        with self._translated(stream):
            try:
                with open(self._path(stream, done=done), "rb") as file:
                    return file.read().split(b"\n") if newest is None else _last(file, newest)
            except FileNotFoundError:
                return []

    def _path(self, stream: str, *, done: bool = False) -> str:
        if not _STREAM.match(stream):
            raise UsageError(
                f"{stream[:80]!r} can't name a stream of the journal",
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


def _last(file: BinaryIO, newest: int) -> list[bytes]:
    """Read the last lines of a file, and no more of it than they are long."""
    start, pieces, ends = os.fstat(file.fileno()).st_size, list[bytes](), 0
    while start and ends <= newest:
        size = min(start, _TAIL_BYTES)
        start -= size
        file.seek(start)
        pieces.append(file.read(size))
        ends += pieces[-1].count(b"\n")
    return b"".join(reversed(pieces)).split(b"\n")[-newest - 1 :]


def _event(line: bytes) -> dict[str, Any] | None:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) else None


def _is_torn(handle: int) -> bool:
    end = os.fstat(handle).st_size
    return end > 0 and os.pread(handle, 1, end - 1) != b"\n"


def _append_file(source: str, target: str) -> None:
    with open(source, "rb") as read, open(target, "ab+") as written:
        rest = read.read()
        written.write((b"\n" if _is_torn(written.fileno()) else b"") + rest)
        written.flush()
        os.fsync(written.fileno())


def _sync_folder(path: str) -> None:
    """Make a new or moved name last; some file systems can't, and need not."""
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):
            os.fsync(handle)
    finally:
        os.close(handle)


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
