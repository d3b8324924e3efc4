"""Counts of what a memory holds."""

from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.memory.failures.shown_counts import shown_counts

if TYPE_CHECKING:
    from gitmem.memory.core.derived_state import Snapshot
    from gitmem.memory.core.workspace import Workspace

_MOST_TAGS: Final = 200
_SERIOUS: Final = ("error", "warning")


class Overview(NamedTuple):
    """What a memory holds, in numbers.

    Attributes:
        counts: (kind, status as lists show it, how many).
        tags: (tag, how many), the most used first, at most 200.
        problems: how many errors and warnings files have by themselves and between them. What
            only ``check`` looks at (attachments, settings, strange files, secrets) is not in it.

    """

    counts: list[tuple[str, str, int]]
    tags: list[tuple[str, int]]
    problems: int

    @property
    def total(self) -> int:
        """How many records there are."""
        return sum(count for _, _, count in self.counts)


def overview(workspace: "Workspace") -> Overview:
    """Count what there is, without reading any file."""

    def question(now: "Snapshot") -> Overview:
        catalog = now.catalog
        problems = [*catalog.problems(), *now.file_problems]
        serious = sum(problem.severity in _SERIOUS for problem in problems)
        return Overview([], catalog.tags(limit=_MOST_TAGS), serious)

    return workspace.ask(question)._replace(counts=shown_counts(workspace))
