"""A pack of knowledge: a folder of records that is read beside a memory."""

from typing import TYPE_CHECKING, NamedTuple

from gitmem.store.listing import walk

if TYPE_CHECKING:
    from gitmem.config import PackSource


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
