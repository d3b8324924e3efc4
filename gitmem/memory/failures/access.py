"""Reading and writing one memory's records together: what work on failures needs."""

from functools import cached_property
from typing import TYPE_CHECKING

from gitmem.memory.core.workspace import Workspace
from gitmem.system import relative_path

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.capture.worktree import WorkTree
    from gitmem.memory.reading.layered import LayeredReader
    from gitmem.memory.writing.writer import Writer


class RecordAccess:
    """What answers about records, and what adds them; both are of one workspace.

    Args:
        workspace: site, files, derived state, clock.
        reader: gives what answers about records, once somebody asks.
        writer: likewise what adds them.

    """

    def __init__(
        self,
        workspace: Workspace,
        reader: "Callable[[], LayeredReader]",
        writer: "Callable[[], Writer]",
    ) -> None:
        self.workspace = workspace
        self._make_reader = reader
        self._make_writer = writer

    @cached_property
    def reader(self) -> "LayeredReader":
        """What answers about records."""
        return self._make_reader()

    @cached_property
    def writer(self) -> "Writer":
        """What adds records."""
        return self._make_writer()

    @cached_property
    def work_tree(self) -> "WorkTree | None":
        """The work tree of the memory, which remembers what git told of it; None outside git."""
        from gitmem.capture.worktree import WorkTree  # noqa: PLC0415  search needs none of it

        site = self.workspace.site
        inside = relative_path(site.folder, site.git_dirs.root) if site.git_dirs else ""
        return WorkTree.of(site.git_dirs, inside, lambda: self.writer.author.email)
