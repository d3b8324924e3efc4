"""How often *the same error* is said rightly, on labelled queries and a pool of past errors.

Of the queries for which the pool holds a record with an equal fingerprint, those count as
right that have a relevant one among them. Run it with::

    python -m benchmarks.eval_sameness --data ../shared/data/dev
"""

import argparse
import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from benchmarks.eval_fingerprints import DATA
from gitmem.matching.parse import main_failure
from gitmem.matching.recorded import levels, prints_of_failure

POOL: Final = "errors_pool.jsonl"
QUERIES: Final = "errors_queries.jsonl"
LEVELS: Final = ("exact", "site")
"""``exact`` is said to be the same error, ``site`` the same failure again, or the same message."""
TARGET: Final = 0.98


class LevelCounts(NamedTuple):
    """Of so many queries, for how many records are told the same, and a right one is among them."""

    asked: int
    queries: int
    right: int

    @property
    def precision(self) -> float:
        """The share of right ones of those that are told."""
        return self.right / self.queries if self.queries else 1.0


class Sameness(NamedTuple):
    """What is told by each level, and by ``exact`` for each family of queries."""

    levels: dict[str, LevelCounts]
    families: dict[str, LevelCounts]


def evaluate(data: str) -> Sameness:
    """Look every query up in the pool, level by level.

    Raises:
        FileNotFoundError: the folder has no errors.

    """
    pool: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in _rows(os.path.join(data, POOL)):
        for key in levels(prints_of_failure(main_failure(row["body"] or row["title"]))):
            pool[key].add(row["id"])
    by_level = {level: LevelCounts(0, 0, 0) for level in LEVELS}
    families: dict[str, LevelCounts] = defaultdict(lambda: LevelCounts(0, 0, 0))
    for row in _rows(os.path.join(data, QUERIES)):
        prints = dict(levels(prints_of_failure(main_failure(row["text"]))))
        for level in LEVELS:
            matches = pool.get((level, prints.get(level, "")), set()) - set(row.get("ignore", ()))
            right = not matches.isdisjoint(row["relevant"])
            by_level[level] = _counted(by_level[level], bool(matches), right)
            if level == LEVELS[0]:
                family = row.get("family", "")
                families[family] = _counted(families[family], bool(matches), right)
    return Sameness(by_level, dict(families))


def _counted(counts: LevelCounts, is_answered: bool, right: bool) -> LevelCounts:  # noqa: FBT001  two counts
    return LevelCounts(counts.asked + 1, counts.queries + is_answered, counts.right + right)


def lines(sameness: Sameness) -> Iterator[str]:
    """Write the figures, and whether the target is met."""
    for level, counts in sameness.levels.items():
        share = f"{100 * counts.precision:.1f} %"
        rightly = f"{counts.right} of {counts.queries} queries ({share})"
        yield f"told by {level:6} a right one for {rightly}"
    for family, counts in sorted(sameness.families.items()):
        if counts.queries:
            told_of = f"{counts.queries:3} of {counts.asked:3} are told"
            yield f"  {family:18} {told_of}, {counts.right:3} rightly"
    precision = sameness.levels[LEVELS[0]].precision
    met = "met" if precision >= TARGET else "not met"
    yield f"  target same error >= {100 * TARGET:.0f} %: {100 * precision:.1f}, {met}"


def _rows(path: str) -> Iterator[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        yield from map(json.loads, file)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", default=DATA, help="folder of the labelled queries")
    options = parser.parse_args(arguments)
    if not os.path.exists(os.path.join(options.data, POOL)):
        print(f"same error: skipped, there is no {POOL} in {options.data}")
        return 0
    print("\n".join(lines(evaluate(options.data))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
