"""``Memory.checks``: health checks of a memory, and repair of its derived state."""

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.memory.checks.status import MeaningState, MemoryStatus
    from gitmem.memory.checks.trial_checks import Check
    from gitmem.memory.reading.layered import LayeredReader
    from gitmem.records.problems import Problem


class MemoryChecks:
    """The part of a memory that looks after its files and derived state; ``memory.checks``.

    Args:
        reader: of the memory.

    """

    def __init__(self, reader: "LayeredReader") -> None:
        self._reader = reader
        self._workspace = reader.workspace

    def files(self, *, secrets: bool = True) -> "list[Problem]":
        """List everything that is wrong with the memory's files, and with those of archives.

        Args:
            secrets: also read every file for secrets, which takes a while in a large memory.

        """
        from gitmem.memory.checks.problems import problems

        return problems(self._reader, secrets=secrets)

    def status(self) -> "MemoryStatus":
        """Count what is there, and tell what slows gitmem down or is in its way."""
        from gitmem.memory.checks.status import status

        return status(self._reader)

    def notices(self, problems: "list[Problem]") -> list[str]:
        """Tell what slows gitmem down or is in its way, a line each.

        Args:
            problems: what ``files`` listed.

        """
        from gitmem.memory.checks.status import notices

        return notices(self._workspace, problems)

    def complaints(self) -> list[str]:
        """List what is wrong with the settings and is passed over, with file and line."""
        from gitmem.memory.core.team_rules import complaints, with_place

        site = self._workspace.site
        return [with_place(site, text) for text in complaints(site)]

    def doctor(self, here: str = "") -> "Iterator[Check]":
        """Try every way in and out of the memory, one after the other; see ``doctor``.

        Args:
            here: where it is looked up what is set up; empty: around the memory.

        """
        from gitmem.memory.checks.doctor import examine

        return examine(self._reader, here or self._workspace.start)

    def rebuild(self) -> None:
        """Delete catalog and index and rebuild them from the files."""
        derived, progress = self._workspace.derived, self._workspace.progress
        derived.rebuild(progress)
        if derived.sentences.embedder():
            derived.make_vectors(progress)

    def read_for_meaning(self, seconds: float | None = None) -> bool:
        """Make the vectors that are missing; tell whether every record has its own now.

        Args:
            seconds: after which no more are begun; None: however long it takes.

        """
        workspace = self._workspace
        return workspace.derived.make_vectors(workspace.progress, seconds or math.inf)

    def meaning(self) -> "MeaningState":
        """Tell what tells nearness in meaning, and of how many records."""
        from gitmem.memory.checks.status import meaning_state

        return meaning_state(self._workspace)

    def verify(self) -> list[str]:
        """Compare catalog and index with a fresh reading of the files; list differences."""
        from gitmem.memory.core.derived_check import differences

        return differences(self._workspace.derived)

    def catch_up(self, *, indexed: bool = True) -> None:
        """Bring derived state in step with the files, as every question does first.

        Args:
            indexed: the text index and that of the layers, too, which takes longer.

        """
        self._reader.catch_up(indexed=indexed)

    def catch_up_apart(self) -> None:
        """Catch up as ``catch_up`` does; where many files wait for the index, in another process.

        Other threads of this one go on meanwhile.
        """
        from gitmem.memory.core.index_process import update_index
        from gitmem.sync.derived import MANY

        workspace = self._workspace
        waiting, _ = workspace.ask(lambda now: now.catalog.index_backlog())
        if len(waiting) >= MANY:
            update_index(workspace.site.root, workspace.environ)
        self.catch_up()

    def without_sync(self) -> None:
        """Answer from now on from what lies there, without catching up."""
        self._workspace.without_sync()

    def watch_incrementally(self) -> None:
        """Compare from now on what the system says was touched: for who asks again and again."""
        from gitmem.memory.core.incremental import watch_incrementally

        watch_incrementally(self._workspace)
