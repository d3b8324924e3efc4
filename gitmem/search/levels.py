"""What equal fingerprints are worth, and what a hit is called because of them or its score."""

from collections.abc import Iterable, Sequence

from gitmem.answers import SearchHit
from gitmem.index.weights import WEIGHTS

SIMILAR = "similar"
WEAK = "weak"


def with_levels(
    hits: Sequence[SearchHit], alike: Iterable[tuple[str, SearchHit]]
) -> list[SearchHit]:
    """Add the errors that share a fingerprint, or what that is worth to those found anyway."""
    worth = WEIGHTS["facts"]
    found = {hit.row.id: hit for hit in hits}
    for label, one in alike:
        hit = found.get(one.row.id, one)
        added = worth[label]
        found[one.row.id] = hit._replace(
            score=hit.score + added, parts=((label, added), *hit.parts), label=label
        )
    return list(found.values())


def labelled(hits: Sequence[SearchHit]) -> list[SearchHit]:
    """Say of hits without a fingerprint in common whether they are similar or weak."""
    # Four of five questions without a right record stay below it (docs/recall.md).
    least = WEIGHTS["labels"]["similar"]
    return [
        hit if hit.label else hit._replace(label=SIMILAR if hit.score >= least else WEAK)
        for hit in hits
    ]
