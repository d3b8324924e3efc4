"""What is known about failures: their own records, and else what looks like them."""

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Final

from gitmem.capture.recognising import Recognised, recognise

if TYPE_CHECKING:
    from gitmem.answers import SearchHit
    from gitmem.capture.drafts import Drafts
    from gitmem.capture.runs import Seen
    from gitmem.memory.view import View

_MOST_LOOKED_UP: Final = 5
"""Failures for which similar ones are looked for: a list is not read further."""
_MOST_SIMILAR: Final = 2


def match(
    memory: "View", drafts: "Drafts", seen: "Iterable[Seen]", still: Collection[str] = ()
) -> list[Recognised]:
    """Tell what is known about failures, in their order.

    Args:
        memory: the memory.
        drafts: what was learnt here.
        seen: the failures.
        still: the sites that the run before showed, too.

    """
    catalog = memory.derived.catalog(memory.progress)
    found = [recognise(catalog, drafts, one, still=one.site in still) for one in seen]
    new = [at for at, one in enumerate(found) if not one.label][:_MOST_LOOKED_UP]
    for at in new:
        found[at] = found[at]._replace(similar=similar(memory, found[at].seen))
    return found


def similar(memory: "View", seen: "Seen", most: int = _MOST_SIMILAR) -> "tuple[SearchHit, ...]":
    """Give records that look like a failure without being the same; none that is a guess."""
    from gitmem.memory.asking import of_failure  # noqa: PLC0415  start-up
    from gitmem.query import Query  # noqa: PLC0415  start-up
    from gitmem.search import search  # noqa: PLC0415  start-up
    from gitmem.search.levels import WEAK  # noqa: PLC0415  start-up

    text = str(seen.fields.get("excerpt") or seen.fields.get("message") or "")
    if not any(map(str.isalnum, text)):
        return ()
    question = Query(text, pasted=True)
    around = of_failure(memory, seen)
    hits = memory.derived.mended(
        lambda: search(memory.derived, question, most, around, memory.progress)
    ).hits
    return tuple(hit for hit in hits if hit.label != WEAK)
