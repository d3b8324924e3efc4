"""What is known about failures: their own records, and else what looks like them."""

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Final

from gitmem.capture.recognising import Match, recognise
from gitmem.memory.anchors.withholding import not_stale, withheld
from gitmem.memory.reading.layered import LayeredReader

if TYPE_CHECKING:
    from gitmem.answers import SearchHit
    from gitmem.capture.drafts import Drafts
    from gitmem.capture.runs import FingerprintedFailure
    from gitmem.memory.core.workspace import Snapshot
    from gitmem.memory.reading.reader import Reader

_MOST_LOOKED_UP: Final = 5
"""Failures for which similar ones are looked for: a list is not read further."""
_MOST_SIMILAR: Final = 2
_SPARE: Final = 4
"""So many more are looked at: what is stale is left out."""


def match(
    reader: "Reader",
    drafts: "Drafts",
    seen: "Iterable[FingerprintedFailure]",
    still: Collection[str] = (),
) -> list[Match]:
    """Tell what is known about failures, in their order.

    The files are compared once for all of them, while they are looked up.

    Args:
        reader: answers about the memory's records, and those of its layers.
        drafts: what was learnt here.
        seen: the failures.
        still: the sites that the run before showed, too.

    """
    every = tuple(seen)
    workspace = reader.workspace
    return workspace.ask(
        lambda now: withheld(workspace, _matched(now, reader, drafts, every, still))
    )


def _matched(
    now: "Snapshot",
    reader: "Reader",
    drafts: "Drafts",
    seen: "tuple[FingerprintedFailure, ...]",
    still: Collection[str],
) -> list[Match]:
    def looked_up() -> list[Match]:
        catalog = now.catalog
        return [recognise(catalog, drafts, one, still=one.site in still) for one in seen]

    found = looked_up()
    if all(one.label for one in found):
        return found
    # An index that was behind follows the files now, and the catalog with it.
    _ = now.index
    found = looked_up()
    new = [at for at, one in enumerate(found) if not one.label][:_MOST_LOOKED_UP]
    for at in new:
        one = found[at].seen
        layers = reader.layers if isinstance(reader, LayeredReader) else None
        # The same error, archived, says more than another one that looks like it.
        similar = (layers.again(one) if layers else ()) or _similar(reader, one)
        if not similar and layers:
            similar = layers.similar(one, _similar)
        found[at] = found[at]._replace(similar=similar)
    return found


def resembling(reader: "Reader", text: str) -> "tuple[SearchHit, ...]":
    """Give what search finds for a text in which no known failure was recognised.

    A paste may have lost its line breaks, or its indentation: then no failure can be told from
    it, and its words still say much. What is weak is left out.
    """
    from gitmem.search.levels import WEAK  # noqa: PLC0415  start-up

    hits = reader.search(text, _MOST_SIMILAR + _SPARE).hits
    return tuple(hit for hit in hits if hit.label not in {"", WEAK})[:_MOST_SIMILAR]


def _similar(reader: "Reader", seen: "FingerprintedFailure") -> "tuple[SearchHit, ...]":
    """Give records that look like a failure without being the same; none that is a guess."""
    from gitmem.memory.reading.circumstances import circumstances_of  # noqa: PLC0415  start-up
    from gitmem.query import Query  # noqa: PLC0415  start-up
    from gitmem.search.levels import WEAK  # noqa: PLC0415  start-up

    text = str(seen.fields.get("excerpt") or seen.fields.get("message") or "")
    if not any(map(str.isalnum, text)):
        return ()
    question = Query(text, pasted=True)
    workspace = reader.workspace
    around = circumstances_of(workspace, seen)
    most = _MOST_SIMILAR + _SPARE
    hits = workspace.ask(lambda now: now.search(question, most, around)).hits
    hits = [hit for hit in hits if hit.label != WEAK]
    rows = [row for hit in hits for row in (hit.row, *hit.attempts)]
    standing = {row.id for row in not_stale(workspace, rows)}
    kept = [
        hit._replace(attempts=tuple(fix for fix in hit.attempts if fix.id in standing))
        for hit in hits if hit.row.id in standing
    ]  # fmt: skip
    return tuple(kept[:_MOST_SIMILAR])
