"""What a memory teaches: statistics, advice, context. The work is done next door."""

from typing import TYPE_CHECKING

from gitmem.memory.versioned import Versioned

if TYPE_CHECKING:
    from gitmem.catalog.asking import Answer


class Learned(Versioned):
    """A memory that can be asked what its records teach together."""

    def query(
        self, sql: str, values: tuple[str | float | None, ...] = (), limit: int = -1
    ) -> "Answer":
        """Answer a SELECT over the views of the catalog; nothing can be changed by it.

        Args:
            sql: one statement; see docs/statistics.md for the views and their columns.
            values: of its ``?`` parameters.
            limit: how many rows at most; -1: all.

        Raises:
            UsageError: it is no SELECT, reads something else, or takes more than 30 seconds.

        """
        return self.derived.mended(
            lambda: self.derived.catalog(self.progress).ask(sql, values, limit)
        )
