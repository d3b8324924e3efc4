"""Past errors like one at hand, as a coding memory shows them: each failure once."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from gitmem.parts.compat.shared import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.answers.found import SearchHit
    from gitmem.memory import Memory

_MET_HERE: Final = frozenset({"", "archived"})
_RECORDS_OF_ONE: Final = 4
"""So many times more records are searched than answers are wanted."""


@dataclass
class RecalledError:
    """An error that may be given its solution; see ``CodingMemoryManager.store``."""

    id: str
    error_type: str
    message: str
    solution: str = ""
    resolved: bool = False


def own_first(hits: "Sequence[SearchHit]") -> "list[SearchHit]":
    """Put what a pack says behind all that was met here."""
    return sorted(hits, key=lambda hit: hit.layer not in _MET_HERE)


def similar_errors(memory: "Memory", query: str, most: int) -> list[dict[str, Any]]:
    """Find past errors by what is said of them; best first, each with what was tried.

    Records of one failure are one answer, and ``seen`` counts them; general advice of a pack was
    not seen here. Its ``solution`` is what worked on it, or on the same message elsewhere. With
    ``few_words`` none of them shares more than a third of the words: it was likely never recorded.
    """
    result = memory.search(f"kind:error {words(query)}", most * _RECORDS_OF_ONE)
    hits = own_first(result.hits)
    return [
        {
            "id": hit.row.id,
            "seen": times,
            "error_type": hit.row.error_type,
            "message": hit.row.title.removeprefix(f"{hit.row.error_type}: "),
            "status": hit.row.status,
            "timestamp": hit.row.created,
            "score": hit.score,
            "layer": hit.layer,
            "few_words": result.few_words,
            "solution": next((fix.title for fix in reversed(hit.attempts) if fix.helped), None),
            "attempts": [
                {"id": fix.id, "approach": fix.title, "outcome": fix.verdict}
                for fix in hit.attempts
            ],
        }
        for hit, times in memory.failures.each_failure(hits, most)
    ]
