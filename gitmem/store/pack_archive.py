"""The archive of a pack that is part of gitmem: a gzipped tar file, read without unpacking it.

``scripts/packs.py`` writes them. ``tarfile`` is not imported for reading one: it takes longer than
the reading.
"""

import zlib
from collections.abc import Iterator
from typing import Final

_BLOCK: Final = 512
_NAME: Final = 100
_SIZE: Final = 124
_DIGITS: Final = 11
"""Where a header of a tar file has the size of its file, in octal digits, and how many."""
_GZIP: Final = 31
"""What zlib calls a gzip file of any window."""


def files_of(path: str) -> dict[str, bytes]:
    """Give the record files of an archive by path."""
    with open(path, "rb") as file:
        return dict(_members(zlib.decompress(file.read(), _GZIP)))


def _members(tar: bytes) -> Iterator[tuple[str, bytes]]:
    start = 0
    while tar[start : start + 1] not in {b"", b"\0"}:
        name = tar[start : start + _NAME].rstrip(b"\0").decode()
        size = int(tar[start + _SIZE : start + _SIZE + _DIGITS], 8)
        start += _BLOCK
        yield name, tar[start : start + size]
        start += -(-size // _BLOCK) * _BLOCK
