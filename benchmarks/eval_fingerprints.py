"""How well fingerprints tell the same failure from another one, on labelled outputs.

Every text is read by gitmem's own parsers; two items of one family count as *told the same*
if their ``place`` is equal. Precision, recall and F1 are over pairs within a family, with
95 % intervals from resampling groups. Run it with ``make eval`` or::

    python -m benchmarks.eval_fingerprints --data ../shared/data/dev --json figures.json
"""

import argparse
import json
import os
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple

from gitmem.matching.fingerprint import fingerprints
from gitmem.matching.parse import main_failure

DATA: Final = os.path.join("..", "shared", "data", "dev")
FILE: Final = "groups.jsonl"
ACROSS: Final = "ghcause"
"""The same cause in other projects and languages: a task of retrieval, counted apart."""
_RUNS: Final = 400


class Item(NamedTuple):
    """A labelled output and what gitmem makes of it."""

    id: str
    family: str
    group: str
    site: str
    key: str


class Pair(NamedTuple):
    """Whether two outputs are the same failure, and whether gitmem says so."""

    family: str
    groups: tuple[str, str]
    same: bool
    told: bool
    ids: tuple[str, str]


class Score(NamedTuple):
    """Counts of pairs, and the three figures."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        """How many of the pairs told the same are the same."""
        decided = self.right + self.wrong
        return self.right / decided if decided else 1.0

    @property
    def recall(self) -> float:
        """How many of the same pairs are told the same."""
        same = self.right + self.missed
        return self.right / same if same else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    def figures(self) -> dict[str, float]:
        """Give the figures by name."""
        return {"precision": self.precision, "recall": self.recall, "f1": self.f1}


def read(path: str) -> list[Item]:
    """Parse and fingerprint every text of a file of labelled outputs."""
    items = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            prints = fingerprints(main_failure(row["text"]))
            items.append(Item(row["id"], row["family"], row["group"], prints.place, prints.keys[2]))
    return items


def pairs(items: Iterable[Item]) -> list[Pair]:
    """Make the pairs that count: within a family, without those whose label is open."""
    families = defaultdict(list)
    for item in items:
        families[item.family].append(item)
    return [
        Pair(first.family, (first.group, other.group), first.group == other.group,
             first.site == other.site, (first.id, other.id))
        for members in families.values()
        for first, other in combinations(members, 2)
        if not _open(first, other)
    ]  # fmt: skip


def _open(first: Item, other: Item) -> bool:
    """Tell pairs of one bug or one test under different labels: neither right nor wrong."""
    if first.family != "swe" or first.group == other.group:
        return False
    parts, others = first.group.split("|"), other.group.split("|")
    same_bug = parts[:2] == others[:2]
    same_test = (parts[0], parts[2:3]) == (others[0], others[2:3])
    return same_bug or same_test


def score(chosen: Iterable[Pair]) -> Score:
    """Count."""
    right = wrong = missed = 0
    for pair in chosen:
        right += pair.same and pair.told
        wrong += pair.told and not pair.same
        missed += pair.same and not pair.told
    return Score(right, wrong, missed)


def interval(chosen: Sequence[Pair], figure: str) -> tuple[float, float]:
    """Give the 95 % interval of a figure when groups are drawn anew."""
    telling = [pair for pair in chosen if pair.same or pair.told]
    groups = sorted({group for pair in telling for group in pair.groups})
    if not groups:
        return 1.0, 1.0
    draw = random.Random(20_261_121)
    values = []
    for _ in range(_RUNS):
        weight: defaultdict[str, int] = defaultdict(int)
        for group in draw.choices(groups, k=len(groups)):
            weight[group] += 1
        counts = [0, 0, 0]
        for pair in telling:
            first, other = pair.groups
            times = weight[first] if first == other else weight[first] * weight[other]
            counts[0 if pair.same and pair.told else 1 if pair.told else 2] += times
        values.append(float(getattr(Score(*counts), figure)))
    values.sort()
    return values[len(values) // 40], values[-1 - len(values) // 40]


def evaluate(path: str) -> dict[str, Any]:
    """Give the figures: overall (without causes across projects), and by family."""
    counted = pairs(read(path))
    main = [pair for pair in counted if pair.family != ACROSS]
    families = {}
    for family in sorted({pair.family for pair in counted}):
        family_score = score(pair for pair in counted if pair.family == family)
        families[family] = family_score.figures() | family_score._asdict()
    overall = score(main)
    return {
        "fingerprint": overall.figures(),
        "fingerprint_pairs": overall._asdict(),
        "fingerprint_intervals": {name: interval(main, name) for name in overall.figures()},
        "fingerprint_with_causes_across_projects": score(counted).figures(),
        "families": families,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures, and write them if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", default=DATA, help="folder of the labelled outputs")
    parser.add_argument("--json", help="write the figures to this file")
    parser.add_argument("--errors", action="store_true", help="list the pairs told wrong")
    options = parser.parse_args(arguments)
    path = os.path.join(options.data, FILE)
    if not os.path.exists(path):
        print(f"fingerprints: skipped, there is no {FILE} in {options.data}")
        return 0
    figures = evaluate(path)
    show(figures)
    if options.errors:
        _errors(read(path))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=2)
    return 0


def show(figures: dict[str, Any]) -> None:
    """Print the table, and whether the targets are met."""
    print(f"{'fingerprints':34}{'precision':>10}{'recall':>8}{'F1':>7}   right wrong missed")
    for family, row in figures["families"].items():
        note = " (a task of retrieval)" if family == ACROSS else ""
        print(_row(family + note, row, row))
    print(_row("all, without causes across", figures["fingerprint"], figures["fingerprint_pairs"]))
    spans = figures["fingerprint_intervals"]
    ranges = (f"{name} {100 * low:.1f}-{100 * high:.1f}" for name, (low, high) in spans.items())
    print(f"{'  95 % interval':34}{'  '.join(ranges)}")
    wide = figures["fingerprint_with_causes_across_projects"]
    print(_row("all", wide, {}))
    ours = figures["fingerprint"]
    for name, least in (("precision", 0.985), ("f1", 0.97)):
        met = "met" if ours[name] >= least else "not met"
        print(f"  target {name} >= {100 * least:g}: {met}")


def _row(label: str, row: dict[str, float], counts: dict[str, int]) -> str:
    figures = f"{100 * row['precision']:10.1f}{100 * row['recall']:8.1f}{100 * row['f1']:7.1f}"
    tail = "".join(f"{counts[name]:7}" for name in ("right", "wrong", "missed") if counts)
    return f"{label:34}{figures} {tail}"


def _errors(items: Sequence[Item]) -> None:
    items_by_id = {item.id: item for item in items}
    for pair in pairs(items):
        if pair.same != pair.told:
            first, other = (items_by_id[name] for name in pair.ids)
            print(f"{'missed' if pair.same else 'wrong '} {first.id}  {first.key}")
            print(f"       {other.id}  {other.key}")


if __name__ == "__main__":
    sys.exit(main())
