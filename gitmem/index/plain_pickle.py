"""Reads pickles without running code that is in them.

Whoosh keeps its table of contents and its postings as pickles. Loading a pickle may call
anything; here nothing is called: only plain values come out, and of Whoosh's own classes
just their attributes. A crafted index can lie, it can't act.
"""

import array
import io
from pickle import Unpickler, UnpicklingError
from typing import Any, Final


class Shell:
    """Stands for an object of a class that is not loaded: its attributes and nothing else."""

    def __init__(self, *args: object) -> None:
        self.args = args


# How arrays are pickled; it takes a type code and bytes and checks both.
_RECONSTRUCT_ARRAY: Final = getattr(array, "_array_reconstructor")  # noqa: B009  not in the stubs
_KNOWN: Final[dict[tuple[str, str], Any]] = {
    ("whoosh.codec.whoosh3", "W3Segment"): Shell,
    ("whoosh.codec.whoosh3", "W3Codec"): Shell,
    ("builtins", "set"): set,
    ("__builtin__", "set"): set,
    ("array", "array"): array.array,
    ("array", "_array_reconstructor"): _RECONSTRUCT_ARRAY,
}


class _Unpickler(Unpickler):
    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401
        try:
            return _KNOWN[module, name]
        except KeyError:
            raise UnpicklingError(f"{module}.{name} has no place in an index") from None


def loads(data: bytes) -> Any:  # noqa: ANN401
    """Give the value that is pickled at the start of ``data``."""
    return _Unpickler(io.BytesIO(data)).load()


def loads_all(data: bytes, count: int) -> tuple[list[Any], int]:
    """Give ``count`` values that are pickled one behind the other, and where they end."""
    # Buffered, so that the unpickler looks ahead instead of reading byte by byte.
    stream: Any = io.BytesIO(data)
    stream = io.BufferedReader(stream)
    return [_Unpickler(stream).load() for _ in range(count)], stream.tell()
