"""Adds semantic similarity to hits that were found by words, where there are vectors.

The index knows nothing of vectors: it is given a function from keys to cosines. What counts is
how much nearer a record is than the other candidates, in standard deviations: cosines of one
question lie close together, and how close differs from question to question, and from one
embedder to the next. Typed words count both ways: who is farther than the mean goes down.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from gitmem.index.protocol import Hit, Near

NAME: Final = "meaning"
CANDIDATES: Final = 50
"""Of what typed words found, so many hits are put in order by meaning, too."""
TYPED: Final = 0.7
"""What a standard deviation adds for typed words, or takes, in deviations of the words' scores.

Measured on questions about decisions, R@1 / R@5 / MRR: 58.7 / 78.3 / 67.9 without, 60.9 / 84.8
and 69.6 to 71.1 from 0.5 to 1.2; 69.9 as a share of the best score, which has the outlier in it.
"""
LEAST: Final = 0.05
"""It adds at least this share of the best score: hits of equal words have no deviation."""
BROUGHT: Final = 30
"""So many of the nearest records are candidates, whether words have found them or not."""
SENTENCE: Final = 2 / 3
"""Share of the score of typed words that nearness makes up where sentences are read.

R@5 of the public questions by split (described dev / test, decisions dev / test), and of questions
about decisions: 61, 57, 86, 48, 85 with a third; 79, 71, 95, 86, 89 with 5/9; 77, 77, 95, 90, 87
with 2/3; 75, 74, 95, 90, 85 with 3/4; 58, 48, 81, 43, 80 without.
"""
LEAST_LEFT: Final = 0.5
"""No hit of typed words loses more than the rest of its score: words have found it."""


def nearer(cosines: Mapping[int, float]) -> dict[int, float]:
    """Say of those that are nearer than the mean by how many standard deviations."""
    mean, deviation = _spread(cosines.values())
    if not deviation:
        return {}
    return {key: (cosine - mean) / deviation for key, cosine in cosines.items() if cosine > mean}


def _spread(values: Collection[float]) -> tuple[float, float]:
    """Give mean and standard deviation; 0 for the latter where there is next to none."""
    if not values:
        return 0.0, 0.0
    mean = math.fsum(values) / len(values)
    deviation = math.sqrt(math.fsum((cosine - mean) ** 2 for cosine in values) / len(values))
    return mean, deviation if deviation >= 1e-9 else 0.0  # noqa: PLR2004  rounding


def with_meaning(hits: Sequence[Hit], near: Near, brought: Collection[int]) -> list[Hit]:
    """Put hits of typed words in order by words and meaning.

    Args:
        hits: what words have found, and what nearness has brought.
        near: tells how near they are.
        brought: the keys of the latter.

    """
    if near.nearest is None:
        return typed(hits, near)
    return _joined(hits, near.cosines([hit.key for hit in hits]), brought)


def _joined(
    hits: Sequence[Hit], cosines: Mapping[int, float], brought: Collection[int]
) -> list[Hit]:
    """Add the shares of the best words' score and of the best cosine."""
    top = max((hit.score for hit in hits), default=0.0)
    unit = top or 1.0
    best = max(cosines.values(), default=0.0)
    added = []
    for hit in hits:
        cosine = max(0.0, cosines.get(hit.key, 0.0))
        meant = SENTENCE * unit * cosine / best if cosine else 0.0
        parts = [(term, (1 - SENTENCE) * value) for term, value in hit.terms]
        parts += [(NAME, meant)] if meant else []
        score = (1 - SENTENCE) * hit.score + meant
        terms = tuple(sorted(parts, key=lambda part: -part[1]))
        added.append(Hit(hit.key, score, terms, brought=hit.key in brought))
    added.sort(key=lambda hit: (-hit.score, -hit.key))
    return added


def typed(hits: Sequence[Hit], near: Near) -> list[Hit]:
    """Put hits of typed words in order by words and meaning."""
    scores = [hit.score for hit in hits]
    worth = max(TYPED * _spread(scores)[1], LEAST * max(scores, default=0.0))
    cosines = near.cosines([hit.key for hit in hits])
    mean, deviation = _spread(cosines.values())
    scale = worth / deviation if deviation else 0.0
    hits_with_meaning = []
    for hit in hits:
        cosine = cosines.get(hit.key, mean)
        added = max(scale * (cosine - mean), -LEAST_LEFT * hit.score)
        parts = (*hit.terms, (NAME, added)) if added else hit.terms
        hits_with_meaning.append(
            Hit(hit.key, hit.score + added, tuple(sorted(parts, key=lambda p: -p[1])))
        )
    hits_with_meaning.sort(key=lambda hit: (-hit.score, -hit.key))
    return hits_with_meaning
