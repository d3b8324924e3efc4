"""Reading and writing one memory's records together: what work on failures needs."""

from typing import NamedTuple

from gitmem.memory.core.workspace import Workspace
from gitmem.memory.reading.layered import LayeredReader
from gitmem.memory.writing.writer import Writer


class RecordAccess(NamedTuple):
    """What answers about records, and what adds them; both are of one workspace."""

    reader: LayeredReader
    writer: Writer

    @property
    def workspace(self) -> Workspace:
        """Site, files, derived state, clock."""
        return self.reader.workspace
