"""How a swarm's memory recalls: patterns for a task, advice, resolutions of errors."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.matching.labels import WEAK
from gitmem.parts.compat.arguments import whole
from gitmem.parts.compat.coding_search import own_first
from gitmem.parts.compat.shared import ask_once, opened, words

if TYPE_CHECKING:
    from gitmem.answers.found import SearchHit
    from gitmem.memory import Memory, Row
    from gitmem.records.kinds import Pattern, Record

SEEDED: Final = "foundations"
"""The pack that ``seed_initial_knowledge`` speaks of."""
_HITS_OF_ONE: Final = 4
"""So many times more errors are searched than answers are wanted: nothing was tried on some."""


class Recalled(NamedTuple):
    """Something that was found.

    Attributes:
        id: of the record.
        title: its title.
        content: the code, the solution or the text.
        metadata: what else it says.
        score: how well it fits; only good for comparing within one answer.

    """

    id: str
    title: str
    content: str
    metadata: dict[str, Any]
    score: float = 0.0


def resolutions(memory: "Memory", message: str, most: int) -> list[Recalled]:
    """Find fixes by the errors that they are of, then by what they say themselves."""
    text = words(message)
    hits = own_first(memory.search(f"kind:error {text}", most * _HITS_OF_ONE).hits)
    hit_fixes = [
        (fix, hit, hit.row.title)
        for hit in hits
        for fix in sorted(hit.attempts, key=lambda fix: fix.usefulness)
    ]
    if len(hit_fixes) < most:
        more = memory.search(f"kind:fix {text}", most).hits
        hit_fixes += [(hit.row, hit, "") for hit in own_first(more) if hit.label != WEAK]
    ways: dict[str, tuple[Row, SearchHit, str]] = {}
    for each in hit_fixes:
        ways.setdefault(each[0].id, each)
    return [
        Recalled(
            fix.id,
            fix.title,
            str(getattr(memory.show(fix.id).record, "approach", fix.title)),
            {"success": fix.helped, "outcome": fix.verdict, "error": error, "layer": hit.layer},
            hit.score,
        )
        for fix, hit, error in list(ways.values())[:most]
    ]


def stored_or_seeded() -> dict[str, str]:
    """Give settings that leave out the packs of other tools' errors, which nobody stored."""
    with opened() as memory:
        off = [
            pack.name
            for pack in memory.transfer.packs()
            if not (pack.on and (pack.source or pack.name == SEEDED))
        ]
    return {"packs.off": ",".join(off)}


def patterns_for(task: str, language: str | None, limit: int) -> list[Recalled]:
    """Find patterns for a task, and practices where they are few."""
    most = whole(limit, "n_results")
    with opened() as memory:
        suggestions = memory.advice.suggest(task, language or "", most)
        patterns = [
            _recalled(pattern.record, pattern.hit, _shape(memory, pattern.record))
            for pattern in suggestions
        ]
    left = most - len(patterns)
    return [*patterns, *(recall("kind:note", task, left, is_practice) if left else [])]


def _shape(memory: "Memory", record: "Pattern") -> dict[str, Any]:
    """Tell what kind of code a pattern is: its category, complexity and number of methods."""
    shape: dict[str, Any] = {"category": record.category, "complexity": record.complexity}
    if record.category == "class":
        # Computed from the code at each question, as everything that can be.
        code = memory.code.extract(record.code, record.language)
        shape["methods"] = next((piece.methods for piece in code if piece.what == "class"), 0)
    return shape


def recall(
    filters: str, text: str, limit: int, wanted: "Callable[[Record], bool] | None" = None
) -> list[Recalled]:
    """Search, and give the content of what was found, or of those that are wanted."""
    most = whole(limit, "n_results")

    def question(memory: "Memory") -> list[Recalled]:
        hits = memory.search(f"{filters} {words(text)}", most * _HITS_OF_ONE if wanted else most)
        read = [(hit, memory.show(hit.row.id).record) for hit in hits.hits if hit.label != WEAK]
        return [_recalled(record, hit) for hit, record in read if not wanted or wanted(record)]

    return ask_once(".", question)[:most]


def is_practice(record: "Record") -> bool:
    """Tell whether a note is advice on how to do a thing."""
    return getattr(record, "type", "") == "practice"


def is_advice(record: "Record") -> bool:
    """Tell whether a note is a solution that was stored, or a practice."""
    return "solution" in record.tags or is_practice(record)


def _recalled(
    record: "Record", hit: "SearchHit", shape: Mapping[str, Any] | None = None
) -> Recalled:
    content = _first(record, ("code", "body", "summary", "goal"))
    metadata = {
        "kind": record.kind,
        "created": record.created.isoformat(),
        "tags": list(record.tags),
        "language": getattr(record, "language", ""),
        "context": getattr(record, "when_to_use", ""),
        "success": getattr(record, "success", None),
        "layer": hit.layer,
        **(shape or {}),
        **getattr(record, "metrics", {}),
    }
    return Recalled(record.id, record.title, content, metadata, hit.score)


def _first(record: object, names: Sequence[str]) -> str:
    return next((str(text) for name in names if (text := getattr(record, name, ""))), "")
