"""Git's index as a file: the same one without the entries of a folder.

Git takes 0.6 s to take 100,000 entries out, as each one moves all that follow; here it is one
walk over them. What stays keeps its stamps, so git need not read those files again. The format
is that of ``gitformat-index(5)``, versions 2 and 3.
"""

import hashlib
import os
import re
import struct
from bisect import bisect_left
from typing import Final

_HEADER: Final = struct.Struct(">4sII")
_EXTENSION: Final = struct.Struct(">4sI")
_HASHES: Final = {20: "sha1", 32: "sha256"}
_STAMPS: Final = 40
"""Bytes of an entry before its hash: times, device, inode, mode, owner, size."""
_LONG: Final = 0xFFF
"""Length that stands for every name this long or longer."""
_EXTENDED: Final = 0x40
"""In the first byte of the flags: two more bytes of flags follow."""
_NODE: Final = re.compile(rb"([^\0]*)\0(-?\d+) (\d+)\n")
_FAULTS: Final = (IndexError, ValueError, struct.error)


def without(index: bytes, folder: str) -> bytes | None:
    """Give an index without what lies in a folder, and without what bears its very name.

    Of git's extensions, which only save time, the one of known trees is kept.

    Args:
        index: the bytes of an index file.
        folder: relative to the work tree's top, not empty.

    Returns:
        The bytes of the new index file; None for a form that can't be read here: version 4,
        split, sparse, or damaged.

    """
    for size in _HASHES:
        try:
            starts, end = _entries(index, size)
            extensions = _extensions(index, end, size)
        except _FAULTS:
            continue
        if any(name[:1].islower() for name in extensions):
            return None  # the entries are not the whole truth
        return _cut(index, starts, end, extensions.get(b"TREE", b""), os.fsencode(folder), size)
    return None


def _entries(index: bytes, size: int) -> tuple[list[int], int]:
    """List where the entries begin, and where the last one ends; ``size`` is that of a hash.

    Raises ValueError, IndexError or struct.error where it is no such index; a wrong size of the
    hash may stay unnoticed until the extensions are read.
    """
    magic, version, count = _HEADER.unpack_from(index)
    if magic != b"DIRC" or version not in {2, 3}:
        raise ValueError(version)
    high, low, fixed = _STAMPS + size, _STAMPS + size + 1, _STAMPS + size + 2
    padded = fixed + 8  # at least one NUL, and on to a multiple of eight
    starts = []
    at = _HEADER.size
    for _ in range(count):
        starts.append(at)
        flags = index[at + high]
        length = (flags & 0xF) << 8 | index[at + low]
        if length == _LONG:
            length = index.index(b"\0", at + fixed + _LONG) - at - fixed
        elif flags & _EXTENDED:
            length += 2
        at += padded + length & -8
    return starts, at


def _extensions(index: bytes, at: int, size: int) -> dict[bytes, bytes]:
    """Read the extensions, which reach up to the closing hash; raise ValueError if they do not."""
    found = {}
    last = len(index) - size
    while at < last:
        name, length = _EXTENSION.unpack_from(index, at)
        at += _EXTENSION.size
        found[name] = index[at : at + length]
        at += length
    if at != last:
        raise ValueError(at)
    return found


def _cut(
    index: bytes, starts: list[int], end: int, trees: bytes, folder: bytes, size: int
) -> bytes:
    def name(start: int) -> bytes:
        flags = start + _STAMPS + size
        at = flags + (4 if index[flags] & _EXTENDED else 2)
        return index[at : index.index(b"\0", at)]

    gone = []
    for low, high in ((folder, folder + b"\0"), (folder + b"/", folder + b"0")):  # "0" follows "/"
        gone.append((bisect_left(starts, low, key=name), bisect_left(starts, high, key=name)))
    (one, two), (three, four) = gone
    edges = [*starts, end]
    left = len(starts) - (two - one) - (four - three)
    _, version, _ = _HEADER.unpack_from(index)
    made = bytearray(_HEADER.pack(b"DIRC", version, left))
    made += index[edges[0] : edges[one]]
    made += index[edges[two] : edges[three]]
    made += index[edges[four] : end]
    known = _known_trees(trees, folder.split(b"/"), size) if trees else b""
    if known:
        made += _EXTENSION.pack(b"TREE", len(known)) + known
    return bytes(made + hashlib.new(_HASHES[size], made, usedforsecurity=False).digest())


def _known_trees(trees: bytes, path: list[bytes], size: int) -> bytes:
    """Forget a folder among the known trees, and the ids of those it lies in.

    Args:
        trees: a node for each folder, its own folders after it: name, count of entries (-1:
            not known), count of folders, and the id if it is known.
        path: the folder's name, part by part.
        size: of an id.

    Returns:
        The same without it; empty where it can't be read: then git makes it anew.

    """
    made = bytearray()

    def node(at: int, below: list[bytes]) -> int:
        """Copy the nodes on the way to the folder; give where the last of them ends."""
        found = _NODE.match(trees, at)
        if not found:
            raise ValueError(at)
        count = int(found[3])
        at = found.end() + (size if int(found[2]) >= 0 else 0)
        children = []
        for _ in range(count):
            after = _after(trees, at, size)
            children.append((trees[at : trees.index(b"\0", at)], at, after))
            at = after
        kept = [one for one in children if below[1:] or one[0] != below[0]]
        made.extend(found[1] + b"\0-1 %d\n" % len(kept))
        for name, first, last in kept:
            if name == below[0]:
                node(first, below[1:])
            else:
                made.extend(trees[first:last])
        return at

    try:
        node(0, path)
    except _FAULTS:
        return b""
    return bytes(made)


def _after(trees: bytes, at: int, size: int) -> int:
    """Give where a folder and all that lie in it end."""
    pending = 1
    while pending:
        found = _NODE.match(trees, at)
        if not found:
            raise ValueError(at)
        pending += int(found[3]) - 1
        at = found.end() + (size if int(found[2]) >= 0 else 0)
    return at
