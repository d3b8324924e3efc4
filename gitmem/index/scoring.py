"""The one definition of how well a document answers a question.

BM25F in its simple form: S. Robertson and H. Zaragoza, "The Probabilistic Relevance
Framework: BM25 and Beyond", Foundations and Trends in Information Retrieval 3 (4), 2009,
sections 3.5 and 3.6. A term's counts in the fields are weighted and divided by a length
norm, added up, and the sum saturates::

    tf = sum(WEIGHT[f] * count[f] / (1 - B[f] + B[f] * length[f] / TYPICAL[f]))
    impact = tf * (K1 + 1) / (tf + K1)
    score = sum(impact * idf ** power),  idf = ln(1 + (N - n + 0.5) / (n + 0.5))

Lengths are set against fixed typical ones instead of the average, so that an impact
depends on its document alone: it is computed once and stored as a whole number of
``1 / UNIT``. N counts the documents that are alive and n those of them with the term.
The logarithm is kept above zero as Lucene does (its BM25Similarity).

For typed words that is all. Of a pasted text it finds the candidates, which ``clauses`` then
puts in order.
"""

import heapq
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.index.analysis import Token, plain, query_terms, terms
from gitmem.index.fillers import FILLERS, STOP_WORDS, finding, telling
from gitmem.index.protocol import Allow, Hit, TextOf
from gitmem.index.sections import marks
from gitmem.query import Query

if TYPE_CHECKING:
    from collections import Counter

    from gitmem.index.clauses import Demand
    from gitmem.index.document import Document, Impacts

FIELD_WEIGHTS: Final = (2.0, 1.5, 1.0)  # title, names, body
LENGTH_SHARES: Final = (0.3, 0.5, 0.75)  # B of title, names, body
TYPICAL_LENGTHS: Final = (16, 40, 220)  # terms in title, names, body
K1: Final = 1.2
UNIT: Final = 1024
_TOP: Final = UNIT * (K1 + 1)
HIGHEST: Final = int(_TOP)
"""No impact is higher."""

MAX_TERMS: Final = 24
"""Of a long question only the rarest terms count; equally rare ones in order of the text."""
MAX_PASTED: Final = 16
"""The same for a pasted text, whose telling parts have their own rarest terms beside these."""
PASTED_POWER: Final = 2.0
"""Exponent of idf for pasted text, where most words are noise; 1 gives 66.3 % instead of 69.0."""
TYPED_POWER: Final = 1.4
INFLECTED: Final = 0.35
"""What a typed word in its own form is worth beside its root. At 1, which counts every plain
word twice, questions about decisions find the right one first for 41 % instead of 56.
"""
RELATED: Final = 0.85
"""What another word for a typed one is worth; where it has several words, they share it."""
MAX_RELATED: Final = 12
"""Of such words only the rarest count, beside those that were typed. One that is common (more
than ``most_leading``) would tell little, and keep documents in that no typed word brings."""
STOP: Final = 0.3
"""What a word that is in every sentence is worth. In a young memory few records are prose, so
such words are rare there, and would lead a question put in a sentence astray."""
MAX_CONSIDERED: Final = 1024
"""Of a longer question only terms of both ends are looked up, half and half."""
CANDIDATES: Final = 100
"""Of a pasted text so many, found by its words, are put in order by clauses.

Measured with pasted errors (481 in a pool of 3,617) and weights learnt without the source
repository, R@1 / R@5: 75.1 / 87.5 with 50, 75.2 / 88.3 with 100, 74.4 / 87.9 with 200.
"""
MAX_LEAD: Final = 6
"""So many of each telling part of a pasted text: its first line, its names, what it quotes."""
ALWAYS_READ: Final = 300
TOO_COMMON: Final = 50
"""A word of a telling part that more than one document in so many has is left out."""
ALL_TERMS: Final = 1.25
"""Factor for a document with every word of the question."""
FUZZY: Final = (1.0, 0.6, 0.3)
"""Factor of a term at edit distance 0, 1, 2 of the word that is asked for."""
MAX_SPELLINGS: Final = 32


class Phrase(NamedTuple):
    """A text that must, or must not, occur.

    ``leaves`` must be terms of the document, and ``text`` must be in its plain text;
    an empty ``text`` needs no look at the text.
    """

    text: str
    leaves: tuple[str, ...]


class Asked(NamedTuple):
    """A question after analysis. ``terms`` are what is ranked; ``every`` earns the bonus."""

    terms: tuple[str, ...]
    every: frozenset[str]
    phrases: tuple[Phrase, ...]
    excluded: tuple[Phrase, ...]
    ranked: bool
    power: float
    faint: Mapping[str, float] = {}
    """Factors of terms that say little: words as they were typed, whose roots are terms, too,
    and words that are in every sentence."""
    demand: "Demand | None" = None
    """What puts the candidates in order; None: their words alone."""
    related: Mapping[str, float] = {}
    """Factors of terms that nobody typed: other words for what was."""
    telling: Sequence[Token] | None = None
    """The words that find records; others only add to the score. None: every term finds."""


class Factor(NamedTuple):
    """A term that counts, and what one unit of impact is worth."""

    term: str
    value: float


def impacts(document: "Document | Impacts") -> "Impacts":
    """Weigh the terms of a document, in units of 1 / UNIT, each at least 1, and its marks.

    What is weighed already (by another process) is given back as it is.
    """
    if isinstance(document, dict):
        return document
    title, names, body = map(terms, document[:3])
    in_title, in_names, in_body = map(_norm, (title, names, body), range(3))
    # Most terms stand in the body alone, a few times: they have few values.
    times = body.values()
    values = {count: _impact(in_body * count) for count in set(times)}
    found_impacts: Impacts = dict(zip(body, map(values.__getitem__, times), strict=True))
    for term, count in names.items():
        tf = in_names * count
        if term in body:
            tf += in_body * body[term]
        found_impacts[term] = int(_TOP * tf / (tf + K1)) or 1
    for term, count in title.items():
        tf = in_title * count + in_names * names.get(term, 0)
        found_impacts[term] = _impact(tf + in_body * body.get(term, 0))
    found_impacts.update(marks(document, title))
    return found_impacts


def _norm(counts: "Counter[str]", field: int) -> float:
    """Give what one occurrence counts in a field of so many terms."""
    share = LENGTH_SHARES[field]
    return FIELD_WEIGHTS[field] / (1 - share + share * counts.total() / TYPICAL_LENGTHS[field])


def _impact(tf: float) -> int:
    return int(_TOP * tf / (tf + K1)) or 1


@lru_cache(maxsize=1)
def parse_question(query: Query) -> Asked:
    """Analyse a question; the memory's own index is asked it, and then that of the packs."""
    words = query_terms(query.words)
    phrases = tuple(map(_phrase, query.phrases))
    of_bonus = [word for word in words if word.terms[0] not in STOP_WORDS] or words
    leaves = frozenset(leaf for word in of_bonus for leaf in word.leaves)
    term_keys = dict.fromkeys(term for word in words for term in word.terms)
    for phrase in query.phrases:
        term_keys.update(dict.fromkeys(t for token in query_terms(phrase) for t in token.terms))
    considered = tuple(term_keys)
    if len(considered) > MAX_CONSIDERED:
        half = MAX_CONSIDERED // 2
        considered = considered[:half] + considered[-half:]
    return Asked(
        considered,
        leaves if 1 < len(leaves) <= MAX_TERMS else frozenset(),
        phrases,
        tuple(phrase for phrase in map(_excluded, query.excluded) if any(phrase)),
        ranked=bool(query.words.strip() or query.fuzzy),
        power=PASTED_POWER if query.pasted else TYPED_POWER,
        faint={} if query.pasted else _faint(words, leaves),
        demand=_demand(query.words) if query.pasted else None,
        related=_related(query.related, term_keys) if query.words.strip() else {},
        telling=None if query.pasted or query.phrases else telling(words, also=bool(query.fuzzy)),
    )


def _demand(text: str) -> "Demand":
    from gitmem.index.clauses import demand

    return demand(text)


def _faint(words: Sequence[Token], leaves: frozenset[str]) -> dict[str, float]:
    faint = dict.fromkeys(frozenset(map(_inflected, words)) - leaves - {""}, INFLECTED)
    for word in words:
        if word.terms[0] in STOP_WORDS:
            faint |= dict.fromkeys(word.terms, STOP)
    return faint


def _related(texts: Iterable[str], asked_for: Mapping[str, None]) -> dict[str, float]:
    related: dict[str, float] = {}
    for text in texts:
        leaves = dict.fromkeys(leaf for word in query_terms(text) for leaf in word.leaves)
        for leaf in leaves:
            if leaf not in STOP_WORDS and leaf not in asked_for:
                related[leaf] = max(related.get(leaf, 0.0), RELATED / len(leaves))
    return related


def _inflected(word: Token) -> str:
    """Give a plain word whose root is another term; nothing for a name out of code."""
    plain_word = len(word.leaves) == 1 and word.terms[1:] == word.leaves
    return word.terms[0] if plain_word else ""


def _phrase(text: str) -> Phrase:
    tokens = query_terms(text)
    return Phrase(plain(text), tuple(dict.fromkeys(t for token in tokens for t in token.leaves)))


def _excluded(text: str) -> Phrase:
    """A single plain word is excluded as it would be found: in every inflection."""
    phrase = _phrase(text)
    tokens: list[Token] = query_terms(text)
    if len(tokens) == 1 and len(phrase.leaves) == 1 and tokens[0].terms[0] == phrase.text:
        return Phrase("", phrase.leaves)
    return phrase


def spellings(
    near: Mapping[str, int], count: Callable[[str], int], most: int = MAX_SPELLINGS
) -> dict[str, float]:
    """Choose among terms near a fuzzy word (term: distance) those that count, with factors."""
    counted = {term: n for term in near if (n := count(term))}
    best = sorted(counted, key=lambda term: (near[term], -counted[term], term))[:most]
    return {term: FUZZY[near[term]] for term in best}


def factors(
    counts: Mapping[str, int],
    alive: int,
    loose: Mapping[str, float],
    power: float,
    leads: Sequence[Sequence[str]] = (),
    related: Mapping[str, float] | None = None,
    adding: Collection[str] = (),
) -> tuple[Factor, ...]:
    """Choose the terms that count, rarest first, and weigh them.

    Args:
        counts: for each term that is asked for the number n of documents that have it.
        alive: the number N of documents.
        loose: terms that a fuzzy word brought in, with their factor.
        power: the exponent of idf.
        leads: of a pasted text the terms of each telling part, whose rarest count in any case.
        related: those of ``counts`` that nobody typed, with their factor; they count beside,
            in their place by rarity, or rare ones behind would keep all others' documents in.
        adding: those of ``counts`` that find nothing by themselves; they are the last.

    """
    related = related or {}
    most = most_leading(alive)
    others = {term: n for term, n in counts.items() if 0 < n <= most and term in related}
    present = {term: n for term, n in counts.items() if n and term not in related}

    def rarity(term: str) -> tuple[bool, int]:
        return term in adding, counts[term]

    rarest = heapq.nsmallest(MAX_PASTED if leads else MAX_TERMS, present, key=rarity)
    for lead in leads:
        leading = [term for term in lead if present.get(term, most + 1) <= most]
        rarest += heapq.nsmallest(MAX_LEAD, leading, key=present.__getitem__)
    if others:
        rarest += heapq.nsmallest(MAX_RELATED, others, key=others.__getitem__)
        rarest.sort(key=rarity)
    worth = {**loose, **related}
    return tuple(
        Factor(term, _idf(alive, counts[term]) ** power * worth.get(term, 1.0) / UNIT)
        for term in dict.fromkeys(rarest)
    )


def only_adding(question: Asked, count: Callable[[str, int], int], alive: int) -> frozenset[str]:
    """Give the terms of a question that find no record by themselves; see ``fillers``.

    Args:
        question: what is asked.
        count: counts the documents that have a term; above its second argument only roughly.
        alive: the number of documents.

    """
    if question.telling is None:
        return frozenset()
    finds = finding(question.telling, count, alive)
    finds.update(term for term in question.related if term not in FILLERS)
    return frozenset((*question.terms, *question.related)).difference(finds)


def most_leading(alive: int) -> int:
    """Say how many documents may have a word of a telling part that counts in any case."""
    return max(ALWAYS_READ, alive // TOO_COMMON)


def _idf(alive: int, having: int) -> float:
    return math.log(1 + (alive - having + 0.5) / (having + 0.5))


def score(chosen: Sequence[Factor], impact: Mapping[str, int], *, complete: bool) -> float:
    """Add up what the terms give, in the order of ``chosen``."""
    total = 0.0
    for term, value in chosen:
        if term in impact:
            total += value * impact[term]
    return total * ALL_TERMS if complete else total


def hit(key: int, chosen: Sequence[Factor], impact: Mapping[str, int], *, complete: bool) -> Hit:
    """Build a hit with the parts of its score."""
    bonus = ALL_TERMS if complete else 1.0
    parts = [(term, value * impact[term] * bonus) for term, value in chosen if term in impact]
    parts.sort(key=lambda part: -part[1])
    return Hit(key, score(chosen, impact, complete=complete), tuple(parts))


def allowed(allow: Allow, key: int) -> bool:
    """Tell whether ``key`` may be found."""
    if allow is None:
        return True
    return bool(allow(key)) if callable(allow) else key in allow


def occurs(phrases: Iterable[Phrase], key: int, text_of: TextOf) -> bool:
    """Tell whether the text of ``key`` has every one of the phrases."""
    wanted = [phrase.text for phrase in phrases if phrase.text]
    if not wanted:
        return True
    text = text_of(key)
    return all(phrase in text for phrase in wanted)
