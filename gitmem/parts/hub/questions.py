"""Answers questions from an engine, in the order and with the labels of a single memory."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from gitmem.hub.messages import MOST_HITS, ForeignFix, ForeignHit, HubAnswer
from gitmem.hub.prints import LEVELS, label_across, prints_of
from gitmem.index.scoring import Factor, factors, only_adding, parse_question, score
from gitmem.matching.labels import SIMILAR
from gitmem.parts.hub.entries import with_twins
from gitmem.parts.hub.protocol import POSTINGS, Candidate, Engine, Seen, Stored
from gitmem.query import Query
from gitmem.records.convert import decode
from gitmem.records.kinds import Fix, Record

_ALIKE: Final = (50, 1_000)
"""Records of one message that are looked at, the newest first; more, if on none of these anything
was tried. A common message is in thousands."""
_LONGEST: Final = 300


class Story(NamedTuple):
    """A record with what was tried on it in its repository, what helped first."""

    stored: Stored
    record: Record
    label: str
    fixes: tuple[Fix, ...]
    level: str = ""

    @property
    def verified(self) -> list[Fix]:
        """The fixes that are known to have worked."""
        return [fix for fix in self.fixes if is_verified(fix)]

    @property
    def is_similar(self) -> bool:
        """It shows no more than a likeness."""
        return self.label == SIMILAR

    @property
    def rank(self) -> tuple[bool, int, bool, bool]:
        """What is similar comes last, the likest first; else what was verified, then claimed."""
        worked = any(fix.outcome == "worked" for fix in self.fixes)
        likeness = LEVELS.index(self.level) if self.is_similar and self.level in LEVELS else 0
        return self.is_similar, likeness, not self.verified, not worked


def alike(engine: Engine, prints: Sequence[tuple[str, str]], visible: Seen) -> HubAnswer:
    """Say what is known of a failure, by its fingerprints.

    Args:
        engine: of the hub.
        prints: see ``prints.prints_asked``.
        visible: what whoever asks may see.

    """
    tried: list[Story] = []
    for most in _ALIKE:
        hits = [(stored, level) for level, stored in engine.alike(prints, visible, most)]
        # Of an error on which nothing was tried nobody learns anything.
        tried = [story for story in stories(engine, hits, visible) if story.fixes]
        if len(hits) < most or tried:
            break
    read = labelled(tried, prints)
    helping = [story for story in read if story.verified and not story.is_similar]
    people = {fix.author.name for story in helping for fix in story.verified}
    return HubAnswer(
        tuple(map(_hit, _spread(sorted(read, key=lambda story: story.rank)))),
        len({story.stored.repository for story in helping}),
        len(people),
    )


def by_words(engine: Engine, words: Sequence[str], visible: Seen) -> HubAnswer:
    """Find records by words, as a memory does."""
    best = matching(engine, Query(" ".join(words)), visible, 2 * MOST_HITS)
    return HubAnswer(tuple(map(_hit, _spread(best))))


def matching(engine: Engine, query: Query, visible: Seen, limit: int) -> list[Story]:
    """Find records by the words of a query, and by its kinds; the best first."""
    question = parse_question(query)
    counts, alive = engine.counts(question.terms)
    fillers = only_adding(question, lambda term, _: counts.get(term, 0), alive)
    counts = {term: count for term, count in counts.items() if term not in fillers}
    chosen = within_budget(factors(counts, alive, question.faint, question.power), counts)
    if not chosen:
        return []
    values = [(factor.term, factor.value) for factor in chosen]
    terms = [*(factor.term for factor in chosen), *question.every]
    hits = engine.candidates(
        with_twins(values), visible, kinds=query.filters.kinds, reading=list(dict.fromkeys(terms))
    )

    def exact(hit: Candidate) -> float:
        complete = bool(question.every) and question.every <= hit.impacts.keys()
        return score(chosen, hit.impacts, complete=complete)

    best = [(hit.repository, hit.id) for hit in sorted(hits, key=exact, reverse=True)[:limit]]
    records = {
        (record.repository, record.id): record
        for record in engine.newest(visible, limit=len(best), only=best)
    }
    # What was forgotten since the question was answered is not there any more.
    there = [(records[key], SIMILAR) for key in best if key in records]
    return stories(engine, there, visible)


def within_budget(chosen: Iterable[Factor], counts: "dict[str, int]") -> tuple[Factor, ...]:
    """Leave out the commonest terms where reading them all would take too long.

    The rarest says most: it is read in any case.
    """
    room = POSTINGS
    rarest: list[Factor] = []
    for factor in sorted(chosen, key=lambda candidate: counts.get(candidate.term, 0)):
        room -= counts.get(factor.term, 0)
        if rarest and room < 0:
            break
        rarest.append(factor)
    return tuple(rarest)


def stories(engine: Engine, hits: Sequence[tuple[Stored, str]], visible: Seen) -> list[Story]:
    """Read records with labels, and what was tried on each."""
    tried: dict[tuple[str, str], list[Fix]] = defaultdict(list)
    errors = [(stored.repository, stored.id) for stored, _ in hits if stored.kind == "error"]
    for relation, target, linking in engine.linking(errors, visible) if errors else ():
        fix = record_of(linking)
        if relation == "fixes" and isinstance(fix, Fix):
            tried[linking.repository, target].append(fix)
    read = []
    for stored, label in hits:
        if record := record_of(stored):
            fixes = sorted(tried[stored.repository, stored.id], key=_usefulness)
            read.append(Story(stored, record, label, tuple(fixes)))
    return read


def record_of(stored: Stored) -> Record | None:
    """Read what is stored; None: this version can't."""
    return _read(stored.body, stored.path)


@lru_cache(maxsize=2_000)
def _read(body: bytes, path: str) -> Record | None:
    # What failed in many repositories is on every page, and asked for by many.
    return decode(body, path).record


def labelled(stories: Iterable[Story], prints: Sequence[tuple[str, str]]) -> list[Story]:
    """Say what it means that records agree with fingerprints, at the levels that are their labels.

    Args:
        stories: each with the level at which it agrees.
        prints: what was asked for.

    """
    return [
        story._replace(
            label=label_across(story.label, prints_of(story.record), prints), level=story.label
        )
        for story in stories
    ]


def _usefulness(fix: Fix) -> tuple[bool, bool, str]:
    return not is_verified(fix), fix.outcome != "worked", fix.id


def is_verified(fix: Fix) -> bool:
    """Tell whether it is known to have worked: a check passed, or a person says so."""
    after = fix.verification.after if fix.verification else None
    checked = after is not None and after.result == "passed"
    return fix.outcome == "worked" and (checked or fix.author.via == "human")


def _spread(stories: Iterable[Story]) -> list[Story]:
    """Take the best of each repository before the second of any, and what is similar last."""
    taken: list[Story] = []
    rest: list[Story] = []
    for story in stories:
        there = {story.stored.repository for story in taken}
        (rest if story.stored.repository in there else taken).append(story)
    return sorted([*taken, *rest], key=lambda story: story.is_similar)[:MOST_HITS]


def _hit(story: Story) -> ForeignHit:
    stored = story.stored
    return ForeignHit(
        stored.repository[:_LONGEST], stored.path[:_LONGEST], stored.commit, stored.id,
        stored.kind, story.record.title[:_LONGEST], story.record.created.date().isoformat(),
        story.label,
        tuple(
            ForeignFix(fix.id, fix.title[:_LONGEST], fix.outcome, is_verified(fix))
            for fix in story.fixes[:MOST_HITS]
        ),
    )  # fmt: skip
