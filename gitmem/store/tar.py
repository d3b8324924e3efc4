"""The members of a tar file, read without ``tarfile``: regular files only, each once, no recursion.

``tarfile`` follows headers that claim sizes below zero round and round, goes down one call for each
header before a file, and searches them with patterns that take the square of their length. What
gitmem writes needs none of that: plain headers, and before a long name one header that says it.
"""

import re
import zlib
from collections.abc import Iterator
from typing import Final

_BLOCK: Final = 512
_NAME: Final = slice(0, 100)
_SIZE: Final = slice(124, 136)
_SUM: Final = slice(148, 156)
_TYPE: Final = slice(156, 157)
_PREFIX: Final = slice(345, 500)
_REGULAR: Final = (b"0", b"\0")
_LONG_NAME: Final = b"x"
_MOST_LONG_NAME: Final = 4096
_NUMBER: Final = re.compile(rb"[0 ]*([0-7]{0,11})[\0 ]*\Z")
_GZIP: Final = 31
"""What zlib calls a gzip file of any window."""


def files_of(path: str) -> dict[str, bytes]:
    """Give the files of a gzipped tar file of the package, by name."""
    with open(path, "rb") as file:
        return dict(members(zlib.decompress(file.read(), _GZIP)))


def members(tar: bytes) -> Iterator[tuple[str, bytes]]:
    """Give name and content of each file.

    Raises:
        ValueError: the tar file is damaged, or has something else than regular files.

    """
    start, name = 0, ""
    while tar[start : start + 1] not in {b"", b"\0"}:
        header = tar[start : start + _BLOCK]
        size = _size(header)
        start += _BLOCK
        content = tar[start : start + size]
        if len(content) != size:
            raise ValueError("it ends too early")
        start += -(-size // _BLOCK) * _BLOCK
        kind = header[_TYPE]
        if kind == _LONG_NAME and not name and size <= _MOST_LONG_NAME:
            name = _long_name(content)
        elif kind in _REGULAR:
            yield name or _name(header), content
            name = ""
        else:
            raise ValueError(f"it holds {name or _name(header)!r}, which is no regular file")


def _size(header: bytes) -> int:
    if len(header) < _BLOCK:
        raise ValueError("it ends too early")
    stated, size = (_NUMBER.match(header[part]) for part in (_SUM, _SIZE))
    blank = header[: _SUM.start] + b" " * 8 + header[_SUM.stop :]
    if not stated or not size or int(stated[1] or b"0", 8) != sum(blank):
        raise ValueError("a header is damaged")
    return int(size[1] or b"0", 8)


def _name(header: bytes) -> str:
    prefix, name = (header[part].partition(b"\0")[0] for part in (_PREFIX, _NAME))
    return (prefix + b"/" * bool(prefix) + name).decode("utf-8", "replace")


def _long_name(content: bytes) -> str:
    """Read the header before a file, of which nothing but its name may be said: ``20 path=a``."""
    length, _, rest = content.partition(b" ")
    key, _, value = rest.partition(b"=")
    if key != b"path" or length != str(len(content)).encode() or not value.endswith(b"\n"):
        raise ValueError("a header says something else than a name")
    return value[:-1].decode("utf-8", "replace")
