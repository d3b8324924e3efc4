"""What can be asked of a memory without changing any of its files."""

import os
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from gitmem.answers import SearchResult, Shown
from gitmem.catalog.rows import Row
from gitmem.memory.core.site import Site, find_site
from gitmem.memory.core.workspace import Workspace
from gitmem.memory.reading.reader import Reader
from gitmem.query import Filters
from gitmem.store.files import Store
from gitmem.sync import Derived, Progress

if TYPE_CHECKING:
    from datetime import datetime

    from gitmem.records.problems import Problem


# The class has a method named list, so types of lists are named out here.
Rows = list[Row]
Lines = list[str]
if TYPE_CHECKING:
    Problems = list[Problem]


class View:
    """Reading one repository's memory. Use as a context manager, or call ``close``.

    Every method catches up with the files first, and changes none of them.
    """

    def __init__(self, workspace: Workspace, *, proposing: bool = False) -> None:
        self.workspace = workspace
        self._proposing = proposing

    @cached_property
    def reader(self) -> Reader:
        """What answers questions about records."""
        return Reader(self.workspace)

    @property
    def site(self) -> Site:
        """Where the memory is, with its settings."""
        return self.workspace.site

    @property
    def start(self) -> str:
        """The folder that paths are typed in."""
        return self.workspace.start

    @property
    def environ(self) -> Mapping[str, str]:
        """Environment variables."""
        return self.workspace.environ

    @property
    def store(self) -> Store:
        """The record files."""
        return self.workspace.store

    @property
    def derived(self) -> Derived:
        """Catalog and index."""
        return self.workspace.derived

    @property
    def progress(self) -> Progress:
        """What is told how long work goes."""
        return self.workspace.progress

    @progress.setter
    def progress(self, progress: Progress) -> None:
        self.workspace.progress = progress

    @classmethod
    def open(
        cls,
        start: str = ".",
        *,
        settings: Mapping[str, Any] | None = None,
        environ: Mapping[str, str] | None = None,
        proposing: bool = False,
    ) -> Self:
        """Open the memory that the folder ``start`` belongs to.

        Args:
            start: any folder of the work tree.
            settings: settings that win over all others, by key (``{"search.limit": 5}``).
            environ: environment variables, by default the process's own.
            proposing: what is written becomes a draft that waits for a person.

        Raises:
            NotFoundError: there is no memory.
            ConflictError: the folder is another tool's, or of a newer format.

        """
        environ = os.environ if environ is None else environ
        workspace = Workspace(find_site(start, settings or {}, environ), environ, start)
        return cls(workspace, proposing=proposing)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close files."""
        self.reader.close()

    # Reading

    def search(self, text: str, limit: int | None = None) -> SearchResult:
        """Find records, best first; see ``Reader.search``."""
        return self.reader.search(text, limit)

    def list(
        self, filters: str = "", *, sort: str = "created", limit: int = -1, offset: int = 0
    ) -> Rows:
        """List records by filters; see ``Reader.list``."""
        return self.reader.list(filters, sort=sort, limit=limit, offset=offset)

    def log(self, filters: str = "", *, limit: int = -1, oldest_first: bool = False) -> Rows:
        """Give the timeline: records by time, newest first."""
        order = "oldest" if oldest_first else "created"
        return self.list(filters, sort=order, limit=limit)

    def _filters(self, text: str) -> Filters:
        return self.reader.filters(text)

    def find(self, reference: str, kind: str | None = None) -> Row:
        """Find the one record that an id or a unique prefix of one names; see ``Reader.find``."""
        return self.reader.find(reference, kind)

    def show(self, reference: str) -> Shown:
        """Give one record with the records around it."""
        return self.reader.show(reference)

    @property
    def others_environ(self) -> Mapping[str, str]:
        """The environment without our own variables."""
        return self.workspace.others_environ

    # Where and when

    def path(self, typed: str) -> str:
        """Make a path that was typed in the folder ``start`` relative to the repository."""
        return self.workspace.path(typed)

    def now(self) -> "datetime":
        """The present, in UTC."""
        return self.workspace.clock()
