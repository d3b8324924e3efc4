"""What can be asked of other revisions of a memory than the one that is checked out."""

from functools import cached_property
from typing import TYPE_CHECKING

from gitmem.memory.reading.layered import LayeredReader
from gitmem.memory.view import View

if TYPE_CHECKING:
    from gitmem.memory.reading.layers import Layers
    from gitmem.records.problems import Problem

    # The class has a method named list, so types of lists are named out here.
    Problems = list[Problem]


class Versioned(View):
    """A memory with a history in git."""

    @cached_property
    def reader(self) -> LayeredReader:
        """What answers questions about records, those of archives and packs too."""
        from gitmem.memory.anchors.withholding import marked  # noqa: PLC0415  start-up
        from gitmem.memory.failures.verdicts import judged, judged_hits  # noqa: PLC0415  start-up

        workspace = self.workspace
        return LayeredReader(
            workspace, lambda result: judged_hits(workspace, marked(workspace, result)), judged
        )

    @property
    def layers(self) -> "Layers":
        """What is read beside the memory's own files: its archives, and packs of knowledge."""
        return self.reader.layers
