"""Vectors in one memory-mapped file: row n belongs to the catalog's file number n.

Rows are written in place; which of them count is the catalog's to say, which notes a row
only when it is written. A reader that sees half a row gets one odd score for one question.
"""

import mmap
import os
import struct
from collections.abc import Iterable, Iterator, Sequence
from operator import mul
from typing import Final

from gitmem.semantic.protocol import Vector

_HEAD: Final = 64
_MAGIC: Final = b"gmvectors1"
_NORM: Final = struct.Struct("<f")


class VectorsDamaged(Exception):  # noqa: N818  it names a state of the file
    """The file is not one of vectors of this embedder."""


class Vectors:
    """The vectors of one memory.

    Args:
        path: the file; it need not exist.
        name, size: the embedder's.

    Raises:
        VectorsDamaged: the file holds something else; ``wipe`` it and store all anew.

    """

    def __init__(self, path: str, name: str, size: int) -> None:
        self._path = path
        self._size = size
        self._step = size + _NORM.size
        self._head = _MAGIC + struct.pack("<I", size) + name.encode()[: _HEAD - 16]
        self._data: mmap.mmap | None = None
        self._open()

    def _open(self) -> None:
        self.close()
        try:
            with open(self._path, "rb") as stream:
                if os.fstat(stream.fileno()).st_size < _HEAD:
                    raise VectorsDamaged(self._path)
                self._data = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        except FileNotFoundError:
            return
        if self._data[:_HEAD] != self._head.ljust(_HEAD, b"\0"):
            self.close()
            raise VectorsDamaged(self._path)

    def close(self) -> None:
        """Let go of the file."""
        if self._data is not None:
            self._data.close()
            self._data = None

    def __len__(self) -> int:
        """Count the rows, used or not."""
        return (len(self._data) - _HEAD) // self._step if self._data else 0

    def write(self, rows: Iterable[tuple[int, Vector]]) -> None:
        """Put vectors into their rows. Callers exclude other writers."""
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            if os.fstat(file).st_size < _HEAD:
                os.pwrite(file, self._head.ljust(_HEAD, b"\0"), 0)
            for row, vector in rows:
                data = _NORM.pack(vector.norm) + vector.values
                os.pwrite(file, data, _HEAD + row * self._step)
        finally:
            os.close(file)
        self._open()

    def nearness(self, question: Sequence[float], rows: Iterable[int]) -> dict[int, float]:
        """Give the cosine of a question with each row that means something.

        Args:
            question: as the embedder's ``question`` gives it.
            rows: row numbers; those that were never written are left out.

        """
        data, step, size = self._data, self._step, self._size
        found: dict[int, float] = {}
        if data is None or not question:
            return found
        count = len(self)
        view = memoryview(data)
        signed = view.cast("b")
        try:
            for row in rows:
                if row < count:
                    at = _HEAD + row * step
                    (norm,) = _NORM.unpack_from(data, at)
                    if norm > 0:
                        at += _NORM.size
                        found[row] = sum(map(mul, question, signed[at : at + size])) / norm
        finally:
            signed.release()
            view.release()
        return found

    def all_rows(self) -> Iterator[int]:
        """Give every row number."""
        return iter(range(len(self)))


def wipe(path: str) -> None:
    """Remove the file, if it is there."""
    if os.path.lexists(path):
        os.unlink(path)
