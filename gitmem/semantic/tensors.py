"""Files of named tensors in the safetensors form, read as they lie and written.

The form: eight bytes, little endian, with the length of a JSON header; the header, which names
each tensor's type, shape and place; then the tensors' bytes. Nothing in it is ever executed.
See https://github.com/huggingface/safetensors#format.
"""

import contextlib
import json
import math
import mmap
import os
import struct
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

METADATA: Final = "__metadata__"
_LONGEST_HEADER: Final = 16 << 20
_HEAD: Final = 8
_ALIGNED: Final = 64
_SIZES: Final = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "I8": 1, "U8": 1}
_TYPES: Final = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I8": "i1",
                 "U8": "u1", "BF16": "<u2"}  # fmt: skip


class TensorsDamaged(Exception):  # noqa: N818  it names a state of the file
    """The file is none of this form, or cut off."""


class TensorEntry(NamedTuple):
    """Where a tensor lies: its type, its shape, and its first and last byte in the file."""

    type: str
    shape: tuple[int, ...]
    begin: int
    end: int


class TensorFile:
    """Tensors of one file, which is mapped into memory.

    Args:
        path: of the file.

    Attributes:
        entries: the tensors by name.
        metadata: texts that its writer put beside them.

    Raises:
        TensorsDamaged: the file is something else.
        OSError: it can't be read.

    """

    def __init__(self, path: str) -> None:
        with open(path, "rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            if size < _HEAD:
                raise TensorsDamaged("it is cut off")
            self._data = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        try:
            self.entries, self.metadata = _header(self._data, size)
        except TensorsDamaged:
            self._data.close()
            raise

    def close(self) -> None:
        """Let go of the file; where ``array`` gave is still in use, when it is not any more."""
        with contextlib.suppress(BufferError):
            self._data.close()

    def view(self, name: str) -> memoryview:
        """Give the bytes of a tensor as they lie in the file."""
        entry = self._entry(name)
        return memoryview(self._data)[entry.begin : entry.end]

    def array(self, name: str) -> "NDArray[np.generic]":
        """Give a tensor as it lies in the file, or copied where its type is numpy's not.

        Raises:
            TensorsDamaged: there is none of that name.

        """
        import numpy as np

        entry = self._entry(name)
        count = math.prod(entry.shape)
        array = np.frombuffer(self._data, _TYPES[entry.type], count, entry.begin)
        if entry.type == "BF16":  # the upper half of a single float
            array = (array.astype(np.uint32) << 16).view(np.float32)
        return array.reshape(entry.shape)

    def _entry(self, name: str) -> TensorEntry:
        try:
            return self.entries[name]
        except KeyError:
            raise TensorsDamaged(f"it has no tensor {name}") from None


def _header(data: mmap.mmap, size: int) -> tuple[dict[str, TensorEntry], dict[str, str]]:
    (length,) = struct.unpack_from("<Q", data)
    if length > _LONGEST_HEADER or _HEAD + length > size:
        raise TensorsDamaged("its header is longer than the file or than any should be")
    begin = _HEAD + int(length)
    try:
        header: dict[str, Any] = json.loads(data[_HEAD:begin])
        metadata = {str(name): str(text) for name, text in header.pop(METADATA, {}).items()}
        entries = {name: _entry_of(given, begin, size) for name, given in header.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise TensorsDamaged(f"its header can't be read ({error})") from None
    return entries, metadata


def _entry_of(given: dict[str, Any], begin: int, size: int) -> TensorEntry:
    kind, shape = str(given["dtype"]), tuple(map(int, given["shape"]))
    first, last = (begin + int(offset) for offset in given["data_offsets"])
    if kind in _SIZES and (min(shape, default=0) < 0 or last - first != _bytes_of(kind, shape)):
        raise ValueError("a tensor has another size than its shape")
    if not begin <= first <= last <= size:
        raise ValueError("a tensor lies outside the file")
    return TensorEntry(kind, shape, first, last)


def _bytes_of(kind: str, shape: tuple[int, ...]) -> int:
    return _SIZES[kind] * math.prod(shape)


def write(
    path: str, tensors: "Mapping[str, NDArray[np.generic]]", metadata: Mapping[str, str]
) -> None:
    """Write tensors to a file, atomically.

    Args:
        path: of the file, whose folder exists.
        tensors: of types that numpy and the form both know.
        metadata: texts to put beside them.

    """
    import numpy as np

    names = {np.dtype(text): kind for kind, text in _TYPES.items() if kind != "BF16"}
    header: dict[str, Any] = {METADATA: dict(metadata)}
    arrays = []
    at = 0
    for name, tensor in tensors.items():
        array = np.asarray(tensor, order="C")
        header[name] = {"dtype": names[array.dtype], "shape": list(array.shape),
                        "data_offsets": [at, at + array.nbytes]}  # fmt: skip
        at += array.nbytes
        arrays.append(array)
    head = json.dumps(header).encode()
    head += b" " * (-(_HEAD + len(head)) % _ALIGNED)
    draft = f"{path}.{os.getpid()}.tmp"
    try:
        with open(draft, "wb") as stream:
            stream.write(struct.pack("<Q", len(head)) + head)
            stream.writelines(array.tobytes() for array in arrays)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(draft, path)
    except OSError:
        if os.path.lexists(draft):
            os.unlink(draft)
        raise
