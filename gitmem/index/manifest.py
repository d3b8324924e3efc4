"""The list of an index's files, by which damage is noticed.

Whoosh's files carry no checksums: a damaged one gives wrong answers without a word. Beside
the table of contents of each generation lies a text file with the size, modification time
and CRC-32 of every file. A file whose size and time are the noted ones is taken for whole
(0.02 ms); any other has to have the noted checksum (1 ms a megabyte), so that a copied or
restored index stays good.
"""

import os
import zlib
from collections.abc import Iterable
from typing import Final, NamedTuple

from gitmem.index import VERSION
from gitmem.index.protocol import IndexDamaged

_HEAD: Final = f"gitmem {VERSION}"


class ManifestEntry(NamedTuple):
    """What is known of a file: bytes, nanoseconds, checksum."""

    size: int
    mtime_ns: int
    crc: int


def name(generation: int) -> str:
    """Name the manifest of a generation."""
    return f"gitmem_{generation}.files"


def take(directory: str, files: Iterable[str]) -> dict[str, ManifestEntry]:
    """Note files as they are now."""
    return {file: _entry(os.path.join(directory, file)) for file in files}


def write(directory: str, generation: int, toc: bytes, entries: dict[str, ManifestEntry]) -> None:
    """Write the manifest of a generation whose table of contents is ``toc``."""
    lines = [_HEAD, f"toc {len(toc)} 0 {zlib.crc32(toc)}"]
    lines += [f"{file} {e.size} {e.mtime_ns} {e.crc}" for file, e in sorted(entries.items())]
    text = "\n".join(lines).encode()
    with open(os.path.join(directory, name(generation)), "wb") as stream:
        stream.write(b"%s\n%d" % (text, zlib.crc32(text)))


def read(directory: str, generation: int) -> tuple[ManifestEntry, dict[str, ManifestEntry]]:
    """Give the entry of the table of contents and those of all other files.

    Raises:
        IndexDamaged: not readable, or written by another version.
        FileNotFoundError: there is none.

    """
    with open(os.path.join(directory, name(generation)), "rb") as stream:
        text, _, crc = stream.read().rpartition(b"\n")
    try:
        if int(crc) != zlib.crc32(text):
            raise IndexDamaged("its list of files is damaged")
        version, *lines = text.decode().split("\n")
        if version != _HEAD:
            raise IndexDamaged("another version of gitmem wrote it")
        entries: dict[str, ManifestEntry] = {}
        for line in lines:
            file, *numbers = line.split(" ")
            entries[file] = ManifestEntry(*map(int, numbers))
        return entries.pop("toc"), entries
    except (ValueError, TypeError, KeyError):
        raise IndexDamaged("its list of files is damaged") from None


def check(directory: str, entries: dict[str, ManifestEntry]) -> None:
    """Raise IndexDamaged if a file is not as noted, FileNotFoundError if it is gone."""
    for file, noted in entries.items():
        path = os.path.join(directory, file)
        status = os.stat(path)
        if status.st_size != noted.size or (
            status.st_mtime_ns != noted.mtime_ns and _entry(path).crc != noted.crc
        ):
            raise IndexDamaged(f"{file} is damaged")


def _entry(path: str) -> ManifestEntry:
    crc = 0
    with open(path, "rb") as stream:
        status = os.fstat(stream.fileno())
        while piece := stream.read(1 << 20):
            crc = zlib.crc32(piece, crc)
    return ManifestEntry(status.st_size, status.st_mtime_ns, crc)
