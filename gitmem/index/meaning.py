"""What nearness in meaning adds to hits that words have found, where there are vectors.

The index knows nothing of vectors: it is given a function from keys to cosines. What counts is
how much nearer a record is than the other candidates, in standard deviations: cosines of one
question lie close together, and how close differs from question to question, and from one
embedder to the next.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Final

from gitmem.index.protocol import Hit, Near

NAME: Final = "meaning"
CANDIDATES: Final = 50
"""Of what typed words found, so many hits are put in order by meaning, too."""
FEWEST: Final = 20
"""Of fewer hits none can lie far from the others, and whoever asks sees most of them anyway."""
TYPED: Final = 0.08
"""What a standard deviation adds for typed words, as a share of the best hit's score.

Measured on questions about decisions, R@1 / R@5: 58.7 / 78.3 without, 60.9 / 84.8 from 0.08 to
0.12, 60.9 / 80.4 at 0.05, 60.9 / 82.6 at 0.16.
"""


def nearer(cosines: Mapping[int, float]) -> dict[int, float]:
    """Say of those that are nearer than the mean by how many standard deviations."""
    if len(cosines) < 2:  # noqa: PLR2004  one alone is no nearer than others
        return {}
    mean = math.fsum(cosines.values()) / len(cosines)
    apart = math.fsum((one - mean) ** 2 for one in cosines.values())
    deviation = math.sqrt(apart / len(cosines))
    if deviation < 1e-9:  # noqa: PLR2004  rounding
        return {}
    return {key: (one - mean) / deviation for key, one in cosines.items() if one > mean}


def typed(hits: Sequence[Hit], near: Near) -> list[Hit]:
    """Put hits of typed words in order by words and meaning."""
    best = max((hit.score for hit in hits), default=0.0)
    found = nearer(near([hit.key for hit in hits])) if best else {}
    made = []
    for hit in hits:
        added = TYPED * best * found.get(hit.key, 0.0)
        parts = (*hit.terms, (NAME, added)) if added else hit.terms
        made.append(Hit(hit.key, hit.score + added, tuple(sorted(parts, key=lambda p: -p[1]))))
    made.sort(key=lambda hit: (-hit.score, -hit.key))
    return made
