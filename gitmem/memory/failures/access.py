"""Reading and writing one memory's records together: what work on failures needs."""

import os
from functools import cached_property
from typing import TYPE_CHECKING

from gitmem.memory.core.workspace import Workspace
from gitmem.memory.reading.layered import LayeredReader
from gitmem.memory.writing.writer import Writer

if TYPE_CHECKING:
    from gitmem.capture.worktree import WorkTree


class RecordAccess:
    """What answers about records, and what adds them; both are of one workspace."""

    def __init__(self, reader: LayeredReader, writer: Writer) -> None:
        self.reader = reader
        self.writer = writer

    @property
    def workspace(self) -> Workspace:
        """Site, files, derived state, clock."""
        return self.reader.workspace

    @cached_property
    def work_tree(self) -> "WorkTree | None":
        """The work tree of the memory, which remembers what git told of it; None outside git."""
        from gitmem.capture.worktree import WorkTree  # noqa: PLC0415  search needs none of it

        site = self.workspace.site
        inside = os.path.relpath(site.folder, site.git_dirs.root) if site.git_dirs else ""
        return WorkTree.of(site.git_dirs, inside, lambda: self.writer.author.email)
