"""The result of a complete comparison, stored in the catalog so that the next one is short.

A seal says: a record file is as the catalog has it unless it is ``loose`` or newer, git names it
as edited by the copy of its index that was made then, or its folder changed. It is kept as a
text of fields between NUL characters, which no path can have.
"""

import zlib
from typing import Final, NamedTuple

from gitmem.git.edits import IndexStamp
from gitmem.store.listing import FolderStamp

NEVER: Final[FolderStamp] = (0, 0, 0)
"""The stamp of a folder that must be looked into each time."""
_NUMBERS: Final = 11  # of the fields that come before the folders
_OF_INDEX: Final = len(IndexStamp._fields)


class Seal(NamedTuple):
    """One seal.

    Attributes:
        git_index: the stamp of git's own index, when this was proved.
        copy: the stamp of the copy that was made of it then.
        files: how many record files there were.
        last: the catalog's highest number of a file; what has a higher one is loose, too.
        folders: the folders of the memory, with their stamps.
        loose: files to stat each time: git does not track them, was told not to look at
            them, knows them as edited, or they were too young to be told apart by time.
            None: so many that git can't help as long as it has this index.

    """

    git_index: IndexStamp
    copy: IndexStamp
    files: int
    last: int
    folders: dict[str, FolderStamp]
    loose: frozenset[str] | None

    def text(self) -> str:
        """Write it down; raise UnicodeEncodeError if a folder's name is no text."""
        count = -1 if self.loose is None else len(self.folders)
        fields = [*map(str, (*self.git_index, *self.copy, self.files, self.last, count))]
        if self.loose is not None:
            for folder, stamp in self.folders.items():
                fields += (folder, *map(str, stamp))
            fields += sorted(self.loose)
        text = "\0".join(fields)
        return f"{zlib.crc32(text.encode())}\0{text}"


def read_seal(text: str) -> Seal | None:
    """Read a seal; None if there is none, or it is damaged."""
    noted, _, rest = text.partition("\0")
    if not rest or noted != str(zlib.crc32(rest.encode(errors="replace"))):
        return None
    fields = rest.split("\0")
    *stamps, files, last, count = map(int, fields[:_NUMBERS])
    index, copy = IndexStamp(*stamps[:_OF_INDEX]), IndexStamp(*stamps[_OF_INDEX:])
    if count < 0:
        return Seal(index, copy, files, last, {}, None)
    end = _NUMBERS + 4 * count
    folders: dict[str, FolderStamp] = {}
    for at in range(_NUMBERS, end, 4):
        mtime, ctime, inode = map(int, fields[at + 1 : at + 4])
        folders[fields[at]] = mtime, ctime, inode
    return Seal(index, copy, files, last, folders, frozenset(fields[end:]))
