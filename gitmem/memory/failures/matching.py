"""What is known about failures: one pipeline for runs, hints, hovers, assistants and advice.

A failure is looked up by its fingerprints among the memory's own records. Where there is none of
it, archives are asked for the same one, then the own records for what looks like it, then packs.
"""

from collections.abc import Collection, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Final

from gitmem.capture.drafts import Drafts
from gitmem.capture.recognising import Match, recognise
from gitmem.memory.anchors.withheld_records import not_stale, withheld
from gitmem.memory.failures.verdicts import judged_hits, judged_matches
from gitmem.memory.reading.layered import LayeredReader
from gitmem.sync.without_sync import NothingYet

if TYPE_CHECKING:
    from gitmem.answers import SearchHit
    from gitmem.capture.fingerprinted import FingerprintedFailure
    from gitmem.capture.learnt import Draft
    from gitmem.memory.core.workspace import Snapshot
    from gitmem.memory.reading.layers import Layers
    from gitmem.memory.reading.reader import Reader

_MOST_LOOKED_UP: Final = 5
"""Failures for which similar ones are looked for: a list is not read further."""
_MOST_SIMILAR: Final = 2
_SPARE: Final = 4
"""So many more are looked at: what is stale is left out."""


class DraftsReadOnce(Drafts):
    """Drafts of which the journal is read once, for many failures."""

    def _folded(self) -> "dict[str, tuple[Draft, str]]":
        return self._once

    @cached_property
    def _once(self) -> "dict[str, tuple[Draft, str]]":
        return super()._folded()


def match(
    reader: "Reader",
    drafts: "Drafts",
    failures: "Iterable[FingerprintedFailure]",
    still: Collection[str] = (),
) -> list[Match]:
    """Tell what is known about failures, in their order.

    The files are compared once for all of them, while they are looked up. Where the text index
    can't be asked (an editor's hover, which must not wait), only fingerprints are.

    Args:
        reader: answers about the memory's records, and those of its layers.
        drafts: what was learnt here.
        failures: redacted and fingerprinted.
        still: the places that the run before showed, too.

    """
    every = tuple(failures)
    workspace = reader.workspace

    def question(now: "Snapshot") -> list[Match]:
        matches = withheld(workspace, _matched(now, reader, drafts, every, still))
        return judged_matches(workspace, matches)

    return workspace.ask(question)


def _matched(
    now: "Snapshot",
    reader: "Reader",
    drafts: "Drafts",
    failures: "tuple[FingerprintedFailure, ...]",
    still: Collection[str],
) -> list[Match]:
    def looked_up() -> list[Match]:
        catalog = now.catalog
        return [
            recognise(catalog, drafts, failure, still=failure.site in still) for failure in failures
        ]

    matches = looked_up()
    if all(match.label for match in matches):
        return matches
    try:
        now.follow_text()
    except NothingYet:
        layers = _layers(reader)
        return [
            match if match.label or layers is None
            else match._replace(similar=layers.alike(match.seen))
            for match in matches
        ]  # fmt: skip
    matches = looked_up()
    new = [at for at, match in enumerate(matches) if not match.label][:_MOST_LOOKED_UP]
    for at in new:
        similar = _resembling_records(reader, matches[at].seen)
        matches[at] = matches[at]._replace(similar=similar)
    return matches


def _layers(reader: "Reader") -> "Layers | None":
    return reader.layers if isinstance(reader, LayeredReader) else None


def _resembling_records(
    reader: "Reader", failure: "FingerprintedFailure"
) -> "tuple[SearchHit, ...]":
    layers = _layers(reader)
    # The same error, archived, says more than another one that looks like it.
    hits = (layers.again(failure) if layers else ()) or _similar(reader, failure)
    return hits or (layers.similar(failure, _similar) if layers else ())


def resembling(reader: "Reader", text: str) -> "tuple[SearchHit, ...]":
    """Give what search finds for a text in which no known failure was recognised.

    A paste may have lost its line breaks, or its indentation: then no failure can be told from
    it, and its words still say much. What is weak is left out.
    """
    from gitmem.search.levels import WEAK  # noqa: PLC0415  start-up

    hits = reader.search(text, _MOST_SIMILAR + _SPARE).hits
    return tuple(hit for hit in hits if hit.label not in {"", WEAK})[:_MOST_SIMILAR]


def _similar(reader: "Reader", failure: "FingerprintedFailure") -> "tuple[SearchHit, ...]":
    """Give records that look like a failure without being the same; none that is a guess."""
    from gitmem.memory.reading.circumstances import circumstances_of  # noqa: PLC0415  start-up
    from gitmem.query import Query  # noqa: PLC0415  start-up
    from gitmem.search.levels import WEAK  # noqa: PLC0415  start-up

    text = str(failure.fields.get("excerpt") or failure.fields.get("message") or "")
    if not any(map(str.isalnum, text)):
        return ()
    question = Query(text, pasted=True)
    workspace = reader.workspace
    around = circumstances_of(workspace, failure)
    result = workspace.ask(lambda now: now.search(question, _MOST_SIMILAR + _SPARE, around))
    hits = [hit for hit in judged_hits(workspace, result).hits if hit.label != WEAK]
    rows = [row for hit in hits for row in (hit.row, *hit.attempts)]
    fresh = {row.id for row in not_stale(workspace, rows)}
    kept = [
        hit._replace(attempts=tuple(fix for fix in hit.attempts if fix.id in fresh))
        for hit in hits
        if hit.row.id in fresh
    ]
    return tuple(kept[:_MOST_SIMILAR])
