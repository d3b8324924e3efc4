"""Records that are read beside a memory's own and never written, such as packs."""

import os
import zlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

from gitmem.errors import ConflictError
from gitmem.store.files import Store
from gitmem.store.listing import Listing, Stamp, walk

if TYPE_CHECKING:
    from gitmem.config import PackSource


PACK_ARCHIVE: Final = ".tar.gz"
"""How the archives of packs end."""


class ReadOnly(Store):
    """A store of which nothing may be changed; raises ConflictError where somebody tries."""

    def create(self, path: str, data: bytes) -> NoReturn:  # noqa: ARG002  as the store has it
        """Refuse."""
        self._refuse(path)

    def replace(self, path: str, data: bytes) -> NoReturn:  # noqa: ARG002  as the store has it
        """Refuse."""
        self._refuse(path)

    def delete(self, path: str) -> NoReturn:
        """Refuse."""
        self._refuse(path)

    @staticmethod
    def _refuse(path: str) -> NoReturn:
        raise ConflictError(f"{path} is read-only", "copy the record into the memory first")


class PackFiles(ReadOnly):
    """The record files of several packs, each below a name of its own.

    Args:
        places: absolute paths of folders and archives by name; a name is the first part of every
            path of its files.
        max_bytes: the largest record.

    """

    def __init__(self, places: Mapping[str, str], max_bytes: int) -> None:
        super().__init__("", max_bytes)
        self._folders: dict[str, str] = {}
        self._archives: dict[str, str] = {}
        for name, place in places.items():
            kind = self._archives if place.endswith(PACK_ARCHIVE) else self._folders
            kind[name] = os.path.realpath(place)
        self._contents: dict[str, dict[str, bytes]] = {}

    def version(self) -> str:
        """Give what changes with any file: short, and without unpacking an archive."""
        parts = [f"{name} {_version_of(archive)}" for name, archive in self._archives.items()]
        for name, folder in self._folders.items():
            stamps = repr(sorted(walk(folder).files.items())).encode(errors="surrogateescape")
            parts.append(f"{name} {zlib.crc32(stamps):08x}{zlib.adler32(stamps):08x}")
        return "\n".join(parts)

    def listing(self) -> Listing:
        """Stamp every record file; that of an archive by its content."""
        listing = Listing({}, [], {})
        for name in self._archives:
            listing.files.update(
                (f"{name}/{path}", _stamp(data)) for path, data in self._files(name).items()
            )
        for name, folder in self._folders.items():
            here = walk(folder)
            listing.files.update((f"{name}/{path}", stamp) for path, stamp in here.files.items())
            listing.folders.update(
                (f"{name}/{path}", stamp) for path, stamp in here.folders.items()
            )
            listing.problems.extend(
                problem._replace(path=f"{name}/{problem.path}") for problem in here.problems
            )
        return listing

    def stamp(self, path: str) -> Stamp:
        """Stamp one file; raise FileNotFoundError if there is none."""
        name, _, inside = path.partition("/")
        if name not in self._archives:
            return super().stamp(path)
        try:
            return _stamp(self._files(name)[inside])
        except KeyError:
            raise FileNotFoundError(path) from None

    def stamps(self, paths: Iterable[str]) -> dict[str, Stamp]:
        """Stamp some files; those that are not there are left out."""
        wanted = list(paths)
        stamps = super().stamps(
            path for path in wanted if path.partition("/")[0] not in self._archives
        )
        for path in wanted:
            name, _, inside = path.partition("/")
            if name in self._archives and inside in self._files(name):
                stamps[path] = _stamp(self._files(name)[inside])
        return stamps

    def read(self, path: str) -> bytes:
        """Read one record; errors are those of ``Store.read``."""
        name, _, inside = path.partition("/")
        if name not in self._archives:
            return super().read(path)
        try:
            return self._files(name)[inside]
        except KeyError:
            raise FileNotFoundError(path) from None

    def _files(self, name: str) -> dict[str, bytes]:
        if name not in self._contents:
            from gitmem.store.tar import files_of

            self._contents[name] = files_of(self._archives[name])
        return self._contents[name]

    def _full(self, path: str) -> str:
        name, _, inside = path.partition("/")
        if name not in self._folders:
            raise FileNotFoundError(path)
        return os.path.join(self._folders[name], inside) if inside else self._folders[name]


def _stamp(data: bytes) -> Stamp:
    return len(data), 0, 0, zlib.crc32(data)


class Pack(NamedTuple):
    """One pack.

    Attributes:
        name: what it is called.
        about: what is in it, or where it comes from.
        place: the folder or archive of its records; empty: it is not fetched yet.
        on: it is searched.
        source: what the team says of it; None: it is part of gitmem.

    """

    name: str
    about: str
    place: str
    on: bool
    source: "PackSource | None" = None

    @property
    def records(self) -> int:
        """How many record files it has."""
        if self.place.endswith(PACK_ARCHIVE):
            from gitmem.store.tar import files_of

            return len(files_of(self.place))
        return len(walk(self.place).files) if self.place else 0


def _version_of(path: str) -> str:
    """Give what changes with the content of an archive: the checksum and size at its end."""
    with open(path, "rb") as file:
        file.seek(-8, 2)
        return file.read().hex()
