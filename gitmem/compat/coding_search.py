"""Past errors like one at hand, as a coding memory shows them: each failure once."""

from typing import TYPE_CHECKING, Any, Final

from gitmem.compat.shared import words
from gitmem.learning.advice import WORKED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.answers.found import SearchHit
    from gitmem.memory import Memory

_RECORDS_OF_ONE: Final = 4
"""So many times more records are searched than answers are wanted."""
_SAME_FAILURE: Final = """
SELECT DISTINCT other.id FROM fingerprints own
JOIN fingerprints other ON other.level = own.level AND other.value = own.value
WHERE own.id = ? AND own.level = 'exact'
"""


def similar_errors(memory: "Memory", query: str, most: int) -> list[dict[str, Any]]:
    """Find past errors by what is said of them; best first, each with what was tried.

    Records of one failure are one answer: ``seen`` counts them. Its ``solution`` is what worked on
    it, or on the same message elsewhere.
    """
    hits = memory.search(f"kind:error {words(query)}", most * _RECORDS_OF_ONE).hits
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
            "solution": _solution(memory, hit),
            "attempts": [
                {"id": x.id, "approach": x.title, "outcome": x.verdict} for x in hit.attempts
            ],
        }
        for hit, times in _each_failure_once(memory, hits)[:most]
    ]


def _solution(memory: "Memory", hit: "SearchHit") -> str | None:
    """Give what worked on an error; a newer record of its message must not hide it."""
    own = next((fix.title for fix in reversed(hit.attempts) if fix.helped), None)
    if own or hit.layer:
        return own
    offered = memory.advice.solutions(memory.hint(hit.row.title))
    alike = (each for each in offered if each.label.startswith("same") and not each.layer)
    return next((each.approach for each in alike if each.verdict == WORKED), None)


def _each_failure_once(
    memory: "Memory", hits: "Iterable[SearchHit]"
) -> "list[tuple[SearchHit, int]]":
    """Give the best record of each failure, and how many records that failure has."""
    shown: set[str] = set()
    each: list[tuple[SearchHit, int]] = []
    for hit in hits:
        if hit.row.id not in shown:
            rows = memory.statistics.query(_SAME_FAILURE, (hit.row.id,)).rows
            same = {hit.row.id, *(str(row[0]) for row in rows)}
            each.append((hit, len(same)))
            shown |= same
    return each
