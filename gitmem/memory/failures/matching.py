"""What is known about failures: one pipeline for runs, hints, hovers, assistants and advice.

A failure is looked up by its fingerprints among the memory's own records, at all levels: what
helped on the same message stays in sight whatever the best record is. Where nothing that helped
is found, archives are asked for the same one, then the own records for what looks like it, then
packs.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from gitmem.answers.found import Resembling, SearchResult
from gitmem.capture.drafts import Drafts
from gitmem.capture.observed import Match
from gitmem.capture.recognising import recognise
from gitmem.lazy_pattern import lazily
from gitmem.matching.labels import IN_MEANING, SAME_MESSAGE, SIMILAR, WEAK
from gitmem.matching.normalise import template
from gitmem.memory.core.fingerprints import seen_in
from gitmem.memory.reading.circumstances import circumstances_of
from gitmem.memory.reading.layered import LayeredReader
from gitmem.query import Query
from gitmem.sync import NothingYet

if TYPE_CHECKING:
    from gitmem.answers.found import SearchHit
    from gitmem.capture.fingerprinted import FingerprintedFailure
    from gitmem.capture.learnt import Draft
    from gitmem.catalog.rows import Row
    from gitmem.memory.core.derived_state import Snapshot
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.reading.layers import Layers
    from gitmem.memory.reading.reader import Reader

_MOST_LOOKED_UP: Final = 5
"""Failures for which similar ones are looked for: a list is not read further."""
_MOST_SIMILAR: Final = 2
_NAME: Final = lazily(r"[\w.]+")
_MOST_OF: Final = 0.8
"""Of a text; what else it says would not find other records."""
_SPARE: Final = 4
"""So many more are looked at: what is stale is left out."""


class _DraftsReadOnce(Drafts):
    """What was learnt here; the journal is read once, for many failures."""

    def _folded(self) -> "dict[str, tuple[Draft, str]]":
        return self._once

    @cached_property
    def _once(self) -> "dict[str, tuple[Draft, str]]":
        return super()._folded()


def match(
    reader: "Reader", failures: "Iterable[FingerprintedFailure]", still: Collection[str] = ()
) -> list[Match]:
    """Tell what is known about failures, in their order.

    The files are compared once for all of them, while they are looked up. Where the text index
    can't be asked (an editor's hover, which must not wait), only fingerprints are.

    Args:
        reader: answers about the memory's records, and those of its layers.
        failures: redacted and fingerprinted.
        still: the sites that are red since an earlier run.

    """
    every = tuple(failures)
    workspace = reader.workspace
    drafts = _DraftsReadOnce(workspace.journal)

    def question(now: "Snapshot") -> list[Match]:
        matches = _judged(workspace, _matched(now, reader, drafts, every, still))
        if any(match.label == SAME_MESSAGE for match in matches):
            from gitmem.memory.failures.raised_again import raised_again

            matches = raised_again(workspace, matches)
        if not any(match.errors for match in matches):
            return matches
        from gitmem.memory.failures.occurrences import counted

        return counted(workspace, matches)

    return workspace.ask(question)


def leave_out(ids: Collection[str], matches: list[Match]) -> list[Match]:
    """Forget errors of these ids at failures that go on: what was just learnt did not help them."""
    return [
        each._replace(label="", errors=(), attempts=(), closest=())
        if each.still and each.errors and all(error.id in ids for error in each.errors)
        else each
        for each in matches
    ]


def _judged(workspace: "Workspace", matches: list[Match]) -> list[Match]:
    """Say of the attempts which are stale, and what came of them, where anything was tried."""
    tried = (hit for match in matches for hit in match.similar if hit.attempts and not hit.layer)
    if not any(match.attempts for match in matches) and not any(tried):
        return matches
    from gitmem.memory.anchors.withheld_records import withheld
    from gitmem.memory.failures.verdicts import judged_matches

    return judged_matches(workspace, withheld(workspace, matches))


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

    catalog = now.catalog
    state = catalog.state()
    matches = looked_up()
    if all(match.answered for match in matches):
        return matches
    try:
        now.follow_text()
    except NothingYet:
        layers = _layers(reader)
        return [
            match
            if match.label or match.answered or layers is None
            else _with(match, layers.alike(match.seen))
            for match in matches
        ]
    if now.catalog is not catalog or catalog.state() != state:
        matches = looked_up()
    unanswered = [at for at, match in enumerate(matches) if not match.answered]
    for at in unanswered[:_MOST_LOOKED_UP]:
        matches[at] = _with_resembling(reader, matches[at])
    return matches


def _layers(reader: "Reader") -> "Layers | None":
    return reader.layers if isinstance(reader, LayeredReader) else None


def _with(match: Match, *groups: "tuple[SearchHit, ...]") -> Match:
    """Add hits to a match, each record once, behind those that it has."""
    hits = {hit.row.id: hit for hit in match.similar}
    own_ids = {row.id for row in match.errors}
    for hit in (hit for group in groups for hit in group):
        if hit.row.id not in own_ids:
            hits.setdefault(hit.row.id, hit)
    return match._replace(similar=tuple(hits.values()))


def _with_resembling(reader: "Reader", match: Match) -> Match:
    """Add records that look like a failure: own ones, archived ones, then those of packs."""
    failure = match.seen
    layers = _layers(reader)
    # The same error, archived, says more than another one that looks like it.
    archived = layers.again(failure) if layers else ()
    if archived:
        return _with(match, archived)
    helpful, alike = _similar(reader, failure)
    match = _with(match, helpful)
    # A pack speaks only where the memory itself has nothing to say.
    if layers and not match.similar and not match.label:
        helpful, of_layers = layers.similar(failure, _similar)
        match = _with(match, helpful)
        alike = alike if alike is None else alike or of_layers
    return match._replace(alike=alike)


def resembling(
    reader: "Reader", text: str, matches: "Sequence[Match]" = ()
) -> "tuple[SearchHit, ...]":
    """Give what search finds for a text in which no known failure was recognised.

    A paste may have lost its line breaks, or its indentation: then no failure can be told from
    it, and its words still say much. So does the title of a record. What is weak is left out.

    Args:
        reader: answers about the memory's records, and those of its layers.
        text: what was pasted.
        matches: the failures in it, as ``match`` gave them: of one that is most of the text, its
            lines were searched for already.

    """
    if len(matches) == 1 and matches[0].alike is not None and _is_most(matches[0].seen, text):
        alike = matches[0].alike[:_MOST_SIMILAR]
        own = SearchResult([hit for hit in alike if not hit.layer], None)
        if not own.hits:
            return alike
        from gitmem.memory.anchors.withheld_records import marked

        return (*marked(reader.workspace, own).hits, *(hit for hit in alike if hit.layer))
    from gitmem.memory.reading.relevance import LONGEST_TITLE

    # What is weak counts only where the text is its title.
    weak = len(text) <= LONGEST_TITLE
    hits = _likely(reader.search(text, _MOST_SIMILAR + _SPARE, weak=weak).hits, text)
    failures = [match.seen for match in matches] or seen_in(reader.workspace, text)
    if len(failures) == 1:
        hits = list(_sharing_names(reader, failures[0], hits))
    return tuple(hits[:_MOST_SIMILAR])


def _is_most(failure: "FingerprintedFailure", text: str) -> bool:
    return len(_lines(failure)) >= _MOST_OF * len(text.strip())


def _lines(failure: "FingerprintedFailure") -> str:
    return str(failure.fields.get("excerpt") or failure.fields.get("message") or "")


def _says_nothing(failure: "FingerprintedFailure") -> bool:
    """An exit code, or a bare assertion: the words are those of any other."""
    return not failure.template and bool(failure.fields.get("message"))


def _sharing_names(
    reader: "Reader", failure: "FingerprintedFailure", hits: "Iterable[SearchHit]"
) -> "Iterator[SearchHit]":
    """Leave out hits that share but a type or an assertion with a failure that says little more."""
    from gitmem.matching.sameness import names_alone

    wanted = names_alone(template(str(failure.fields.get("message", ""))))
    if not (wanted or _says_nothing(failure)):
        yield from hits
        return
    for hit in hits:
        row = hit.row
        if _is_title(row, failure.title):
            yield hit
        elif wanted:
            message = getattr(reader.show(row.id).record, "message", "")
            if not wanted.isdisjoint(_NAME.findall(f"{row.title} {row.gist} {message}")):
                yield hit


def _is_title(row: "Row", title: str) -> bool:
    """Tell whether a record bears a title, behind its test's name or not."""
    return f": {row.title}".endswith(f": {title.removeprefix('AssertionError: ')}")


def _likely(hits: "Iterable[SearchHit]", text: str) -> "list[SearchHit]":
    """Leave out hits that are weak or of typed words, unless the text is their title."""
    from gitmem.memory.reading.relevance import names

    unsure = {"", WEAK, IN_MEANING}
    return [
        hit._replace(label=SIMILAR) if hit.label in unsure else hit
        for hit in hits
        if hit.label not in unsure or (names(hit.row, text) or _is_title(hit.row, text))
    ]


def _similar(reader: "Reader", failure: "FingerprintedFailure") -> Resembling:
    """Give records that look like a failure, and of these what says what came of it."""
    text = _lines(failure)
    if _says_nothing(failure) or not any(map(str.isalnum, text)):
        return Resembling((), None)
    question = Query(text, pasted=True)
    workspace = reader.workspace
    around = circumstances_of(workspace, failure)
    result = workspace.ask(
        lambda now: now.search(question, _MOST_SIMILAR + _SPARE, around, weak=False)
    )
    likely = list(_sharing_names(reader, failure, _likely(result.hits, failure.title)))
    if not likely:
        return Resembling((), ())
    from gitmem.memory.anchors.withheld_records import not_stale
    from gitmem.memory.failures.verdicts import judged_hits

    hits = tuple(judged_hits(workspace, SearchResult(likely, None)).hits)
    rows = [row for hit in hits for row in (hit.row, *hit.attempts)]
    fresh = {row.id for row in not_stale(workspace, rows)}
    standing = [
        hit._replace(attempts=tuple(fix for fix in hit.attempts if fix.id in fresh))
        for hit in hits
        if hit.row.id in fresh
    ]
    # Of an error on which nothing was tried nobody learns anything.
    helpful = (hit for hit in standing if hit.attempts or hit.row.kind != "error")
    return Resembling(tuple(helpful)[:_MOST_SIMILAR], hits)
