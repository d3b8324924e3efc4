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
"""``exact`` is said to be the same error, ``site`` the same place or message."""


class Told(NamedTuple):
    """Of so many queries with records of an equal fingerprint how many have a right one."""

    queries: int
    right: int

    @property
    def precision(self) -> float:
        """The share of right ones."""
        return self.right / self.queries if self.queries else 1.0


def evaluate(data: str) -> dict[str, Told]:
    """Look every query up in the pool, level by level."""
    pool: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in _rows(os.path.join(data, POOL)):
        for key in levels(prints_of_failure(main_failure(row["body"] or row["title"]))):
            pool[key].add(row["id"])
    counts = {level: [0, 0] for level in LEVELS}
    for row in _rows(os.path.join(data, QUERIES)):
        for key in levels(prints_of_failure(main_failure(row["text"]))):
            found = pool.get(key, set()) - set(row.get("ignore", ()))
            if found and key[0] in counts:
                counts[key[0]][0] += 1
                counts[key[0]][1] += not found.isdisjoint(row["relevant"])
    return {level: Told(*count) for level, count in counts.items()}


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
    for level, told in evaluate(options.data).items():
        share = f"{100 * told.precision:.1f} %"
        print(f"told by {level:6} a right one for {told.right} of {told.queries} queries ({share})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
