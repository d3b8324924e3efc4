"""``Memory.code``: the repository's code itself."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gitmem.learning.extracted import Extracted
    from gitmem.learning.patterns import CodePattern
    from gitmem.memory.failures.access import RecordAccess
    from gitmem.records.kinds import Record


class Code:
    """Reads the repository's code, with what records say of it.

    Args:
        records: of the memory.

    """

    def __init__(self, records: "RecordAccess") -> None:
        self._records = records

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
        self, found: "Iterable[CodePattern]", fields: Mapping[str, Any] | None = None
    ) -> "list[Record]":
        """Write patterns that ``extract`` found as records, those that no record holds yet.

        Args:
            found: the patterns.
            fields: further fields of each record, such as when_to_use, source or metrics.

        """
        from gitmem.memory.codebase.code_patterns import keep

        return keep(self._records, found, fields or {})
