"""Folders of records that are read beside a memory's own and never written, such as packs."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from gitmem.errors import ConflictError
from gitmem.store.files import Store
from gitmem.store.listing import Listing, walk

if TYPE_CHECKING:
    from gitmem.config import PackSource


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


class Folders(ReadOnly):
    """The record files of several folders, each below a name of its own.

    Args:
        folders: absolute paths by name; a name is the first part of every path of its files.
        max_bytes: the largest record.

    """

    def __init__(self, folders: Mapping[str, str], max_bytes: int) -> None:
        super().__init__("", max_bytes)
        self.folders = {name: os.path.realpath(folder) for name, folder in folders.items()}

    def listing(self) -> Listing:
        """Stat every record file of every folder."""
        listing = Listing({}, [], {})
        for name, folder in self.folders.items():
            here = walk(folder)
            listing.files.update((f"{name}/{path}", stamp) for path, stamp in here.files.items())
            listing.folders.update(
                (f"{name}/{path}", stamp) for path, stamp in here.folders.items()
            )
            listing.problems.extend(
                problem._replace(path=f"{name}/{problem.path}") for problem in here.problems
            )
        return listing

    def _full(self, path: str) -> str:
        name, _, inside = path.partition("/")
        if name not in self.folders:
            raise FileNotFoundError(path)
        return os.path.join(self.folders[name], inside) if inside else self.folders[name]


class Pack(NamedTuple):
    """One pack.

    Attributes:
        name: what it is called.
        about: what is in it, or where it comes from.
        folder: where its records lie; empty: it is not fetched yet.
        on: it is searched.
        source: what the team says of it; None: it is part of gitmem.

    """

    name: str
    about: str
    folder: str
    on: bool
    source: "PackSource | None" = None

    @property
    def records(self) -> int:
        """How many record files it has."""
        return len(walk(self.folder).files) if self.folder else 0
