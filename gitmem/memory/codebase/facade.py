"""``Memory.code``: profile, import graph, patches and patterns of the code around a memory."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gitmem.errors import UsageError

if TYPE_CHECKING:
    from gitmem.learning.graphs import Graph
    from gitmem.learning.pattern_results import Extracted
    from gitmem.learning.patterns import CodePattern
    from gitmem.learning.profile import Profile
    from gitmem.memory.codebase.patches import FileChange, TextOf
    from gitmem.memory.codebase.project import ProjectDescription
    from gitmem.memory.failures.access import RecordAccess
    from gitmem.records.kinds import Record


class Code:
    """The part of a memory that is about the code around it; ``memory.code``.

    Args:
        records: of the memory.

    """

    def __init__(self, records: "RecordAccess") -> None:
        self._records = records

    def profile(self, *, most: int = 3_000, seconds: float = 60.0) -> "Profile":
        """Describe how the repository's code is written: every claim with what was counted.

        Args:
            most: how many source files are read; of more, a sample that is always the same.
            seconds: stop then, with a note that says so.

        Raises:
            EnvironmentProblem: this is no git repository.

        """
        from gitmem.memory.codebase.code_profile import profile

        return profile(self._records.workspace, most=most, seconds=seconds)

    def project(self) -> "ProjectDescription":
        """Read what the project says of itself: README, manifests, layout, last commits."""
        from gitmem.memory.codebase.project import project

        return project(self._records.workspace.site)

    def graph(
        self,
        which: str = "imports",
        start: str = "",
        *,
        depth: int = 2,
        limit: int = 200,
        folders: bool = False,
        people: bool = False,
    ) -> "Graph":
        """Give a graph: what imports what, or what records say about each other and about files.

        Args:
            which: ``imports`` or ``memory``.
            start: only what is around it: a file as typed in the folder ``start`` (of the
                memory's graph also a record's id); empty: all.
            depth: how many steps around it.
            limit: of the memory's graph, how many records and files at most.
            folders: of the graph of imports, fold files into their folders.
            people: of the memory's graph, also who wrote the records.

        """
        if which == "imports":
            from gitmem.memory.codebase.import_graph import import_graph

            return import_graph(self._records.workspace, start, depth, folders=folders)
        if which != "memory":
            raise UsageError(f"there is no graph of {which}", "imports or memory")
        from gitmem.memory.codebase.record_graph import record_graph

        return record_graph(self._records.reader, start, depth, limit, people=people)

    def changes_of(self, patch: str, text_of: "TextOf") -> "tuple[FileChange, ...]":
        """Find what a patch does to the files as they are now. Nothing is written.

        Args:
            patch: a unified diff; its paths are relative to the repository.
            text_of: gives the texts of an editor.

        Raises:
            ConflictError: it does not apply, is already applied, or leads out of the repository.

        """
        from gitmem.memory.codebase.patches import applied

        return applied(self._records.workspace.site, patch, text_of)

    # Patterns of code

    def extract(self, text: str, language: str) -> "list[CodePattern]":
        """Find functions, classes and error handling in a piece of source; nothing is written.

        Args:
            text: the source; what can't be read of it is passed over.
            language: python, javascript, typescript, go, rust or java.

        Raises:
            UsageError: no grammar of that language is known.
            EnvironmentProblem: it needs the extra ``code``, which is not installed.

        """
        from gitmem.memory.codebase.code_patterns import of_text

        return of_text(text, language)

    def extract_from(
        self,
        source: str = "",
        *,
        fixes: bool = False,
        language: str = "",
        only: Sequence[str] = (),
        record: bool = False,
    ) -> "Extracted":
        """Find patterns in what was accepted that no record holds yet.

        Args:
            source: a range of commits as ``review`` takes it, the id of a fix that worked, or a
                file as typed in the folder ``start``; empty: since this branch left the main one.
            fixes: all fixes that worked, instead.
            language: only this one; empty: all.
            only: only patterns with these names, in which ``*`` stands for anything.
            record: also write them as pattern records.

        """
        from gitmem.memory.codebase.code_patterns import extract

        return extract(
            self._records, source, fixes=fixes, language=language, only=only, record=record
        )

    def keep_patterns(
        self, patterns: "Iterable[CodePattern]", fields: Mapping[str, Any] | None = None
    ) -> "list[Record]":
        """Write patterns that ``extract`` found as records: new ones that can teach something.

        Args:
            patterns: the patterns.
            fields: further fields of each record, such as when_to_use, source or metrics.

        """
        from gitmem.memory.codebase.code_patterns import keep

        return keep(self._records, patterns, fields or {})
