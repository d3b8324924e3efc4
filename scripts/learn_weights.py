"""Learn the weights of ``gitmem/index/weights.py`` from questions with known answers.

``python scripts/learn_weights.py --data FOLDER`` learns from a folder of evaluation data and
prints how well weights learnt without a source repository do on that repository; ``--write``
keeps them. ``--feedback REPOSITORY``, as often as you like, takes in what was said there with
``gitmem helpful`` and ``gitmem helpful --not``. Where there is no data but feedback, the weights
that there are move as far as the feedback wants them to.

The loss is the negative logarithm of the right records' share of all candidates, under a
softmax of their scores, with a quadratic penalty; it is convex. What outputs and reports have
in common is learnt from both: the weights of a kind are those that all share plus its own.
Weights that speak for a record can't be negative and the one against it can't be positive:
with so little data, signs that make no sense are the first thing that is learnt by heart.
"""

import argparse
import json
import math
import os
import sys
import time
import zlib
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from benchmarks.retrieval_data import Question, Task, read
from benchmarks.retrieval_features import Case, cases
from benchmarks.retrieval_feedback import recorded
from gitmem.index import clauses
from gitmem.index.weights import WEIGHTS
from gitmem.semantic.words import installed

HOME: Final = os.path.join(os.path.dirname(clauses.__file__), "weights.py")
FOLDS: Final = 5
PENALTY: Final = 0.012
STEPS: Final = 80
SHOWN: Final = 0.2
"""Share of questions without a right record that may still be shown a *similar* one."""
HARDEST: Final = 20
"""Candidates of a question that are learnt from, the best by the plain sum of features."""
FREER: Final = {clauses.MEANING: 0.5}
"""Shares of the usual scale: a smaller one means less penalty. With the whole one, the only
feature that no other one resembles is held down, and R@1 is 0.5 to 1 point lower."""
AGAINST: Final = frozenset({clauses.TRACE, clauses.LANGUAGE})
KINDS: Final = ("output", "report")
NAMES: Final = tuple(clauses.names())
Weights = dict[str, list[float]]
# Single repositories that hold many separate things: their parts are the unit of a fold.
_PARTS: Final = ("friendly", "thefuck", "gh", "tracker")


class Row(NamedTuple):
    """A candidate: whether it is right, and its features by number."""

    right: bool
    features: tuple[tuple[int, float], ...]


class Sample(NamedTuple):
    """A question's candidates, and how much it counts."""

    fold: int
    kind: str
    family: str
    rows: tuple[Row, ...]


def samples(found: Sequence[Case], scales: Sequence[float]) -> list[Sample]:
    """Bring cases into the form that is learnt from."""
    number = {name: at for at, name in enumerate(NAMES)}
    made = []
    for case in found:
        rows = [
            Row(
                one.right,
                tuple((number[n], value / scales[number[n]]) for n, value in one.features.items()),
            )
            for one in case.candidates
        ]
        made.append(Sample(_fold(case.question), case.kind, case.question.family, tuple(rows)))
    return made


def scaled(found: Sequence[Case]) -> list[float]:
    """Give each feature's mean over questions of its largest value."""
    sums: Counter[str] = Counter()
    for case in found:
        best: dict[str, float] = {}
        for one in case.candidates:
            for name, value in one.features.items():
                best[name] = max(best.get(name, 0.0), abs(value))
        sums.update(best)
    return [FREER.get(name, 1.0) * sums[name] / len(found) or 1.0 for name in NAMES]


def _fold(question: Question) -> int:
    unit = question.source
    if question.family in _PARTS:
        unit = f"{question.family} {min(question.right, default=0)}"
    return zlib.crc32(unit.encode()) % FOLDS


def learn(chosen: Sequence[Sample], start: Weights | None = None) -> Weights:
    """Minimise the loss: projected gradient steps with momentum (FISTA) and backtracking.

    Args:
        chosen: what is learnt from.
        start: weights that the penalty pulls to; None: to zero.

    """
    families = Counter(sample.family for sample in chosen)
    against = [name in AGAINST for name in NAMES] * (1 + len(KINDS))
    data = [
        (KINDS.index(sample.kind), _hardest(sample.rows), families[sample.family] ** -0.5)
        for sample in chosen
        if any(row.right for row in sample.rows)
    ]
    # What all kinds share comes first, then what each has of its own.
    size = len(NAMES)
    pulled = [0.0] * size + [w for kind in KINDS for w in (start[kind] if start else [0.0] * size)]
    weights, ahead, momentum, step = pulled, pulled, 1.0, 4.0
    for _ in range(STEPS):
        loss, gradient = _loss(data, ahead, pulled)
        while True:
            tried = [
                min(0.0, w - step * g) if bad else max(0.0, w - step * g)
                for w, g, bad in zip(ahead, gradient, against, strict=True)
            ]
            moved = [t - a for t, a in zip(tried, ahead, strict=True)]
            bound = loss + sum(
                g * m + m * m / (2 * step) for g, m in zip(gradient, moved, strict=True)
            )
            if step < 1e-3 or _loss(data, tried, pulled)[0] <= bound:  # noqa: PLR2004  small enough
                break
            step /= 2
        faster = (1 + math.sqrt(1 + 4 * momentum**2)) / 2
        pace = (momentum - 1) / faster
        ahead = [t + pace * (t - w) for t, w in zip(tried, weights, strict=True)]
        weights, momentum = tried, faster
    return dict(zip(KINDS, _joined(weights), strict=True))


def _joined(weights: Sequence[float]) -> list[list[float]]:
    """Add what all kinds share to what each has of its own."""
    size = len(NAMES)
    parts = [weights[at : at + size] for at in range(0, len(weights), size)]
    return [[a + b for a, b in zip(parts[0], own, strict=True)] for own in parts[1:]]


def _hardest(rows: Sequence[Row]) -> list[Row]:
    ordered = sorted(rows, key=lambda row: -sum(value for _, value in row.features))
    return [row for at, row in enumerate(ordered) if at < HARDEST or row.right]


def _loss(
    data: Sequence[tuple[int, list[Row], float]], weights: Sequence[float], pulled: Sequence[float]
) -> tuple[float, list[float]]:
    loss = PENALTY * sum((w - p) ** 2 for w, p in zip(weights, pulled, strict=True))
    gradient = [2 * PENALTY * (w - p) for w, p in zip(weights, pulled, strict=True)]
    whole = sum(worth for _, _, worth in data)
    by_kind = _joined(weights)
    for kind, rows, worth in data:
        known = by_kind[kind]
        scores = [sum(known[at] * value for at, value in row.features) for row in rows]
        top = max(scores)
        powers = [math.exp(score - top) for score in scores]
        everything = sum(powers)
        right = sum(p for p, row in zip(powers, rows, strict=True) if row.right) or 1e-300
        worth /= whole  # noqa: PLW2901
        loss += worth * math.log(everything / right)
        own = len(NAMES) * (1 + kind)
        for power, row in zip(powers, rows, strict=True):
            share = worth * (power / everything - (power / right if row.right else 0.0))
            for at, value in row.features:
                gradient[at] += share * value
                gradient[own + at] += share * value
    return loss, gradient


def rank(sample: Sample, weights: Sequence[float]) -> int:
    """Give the place of the best right candidate; 0 if there is none."""
    scores = [(sum(weights[at] * v for at, v in row.features), row.right) for row in sample.rows]
    best = max((score for score, right in scores if right), default=None)
    return 0 if best is None else 1 + sum(score > best for score, _ in scores)


def labelled(made: Sequence[Sample], weights: Weights) -> float:
    """Find the score that four of five questions don't reach when what is right is not there."""
    wrong, right = [], []
    for sample in made:
        known = weights[sample.kind]
        scores = [(sum(known[at] * v for at, v in row.features), row.right) for row in sample.rows]
        wrong.append(max((score for score, is_right in scores if not is_right), default=0.0))
        best, is_right = max(scores, default=(0.0, False))
        if is_right:
            right.append(best)
    wrong.sort()
    for share in (0.05, 0.1, 0.2, 0.3):
        least = wrong[-1 - int(share * len(wrong))]
        kept = sum(score > least for score in right) / len(right)
        print(
            f"above {least:5.2f}: {share:4.0%} without an answer, {kept:4.0%} of right first hits"
        )
    return wrong[-1 - int(SHOWN * len(wrong))]


def steadied(beside: Weights, alone: Weights) -> Weights:
    """Give the mean of the weights learnt beside meaning and of those of words alone.

    Those learnt beside meaning trust it with what words are good at: first places are fewer than
    by words alone. The mean has as many, and the right one more often among the first five.
    """
    return {
        kind: [(one + other) / 2 for one, other in zip(beside[kind], alone[kind], strict=True)]
        for kind in KINDS
    }


def validate(made: Sequence[Sample], words_alone: Sequence[Sample] = ()) -> None:
    """Print how well each fold is ranked by what the others taught."""
    ranks: dict[str, list[int]] = {}
    for fold in range(FOLDS):
        weights = learn([one for one in made if one.fold != fold])
        if words_alone:
            weights = steadied(weights, learn([one for one in words_alone if one.fold != fold]))
        for one in made:
            if one.fold == fold:
                ranks.setdefault(one.family, []).append(rank(one, weights[one.kind]))
    everything = [place for places in ranks.values() for place in places]
    for family, places in [*sorted(ranks.items()), ("all", everything)]:
        first, five = (sum(0 < p <= most for p in places) / len(places) for most in (1, 5))
        print(f"{family:14}{len(places):5}  R@1 {100 * first:5.1f}  R@5 {100 * five:5.1f}")


def named(weights: Weights, scales: Sequence[float]) -> dict[str, dict[str, float]]:
    """Give weights that count, by name, for features that are not scaled."""
    return {
        kind: {
            name: round(weight / scale, 4)
            for name, weight, scale in zip(NAMES, values, scales, strict=True)
            if abs(weight) > 0.02  # noqa: PLR2004  less changes no order
        }
        for kind, values in weights.items()
    }


def meant(kind: str) -> str:
    """Name the weights of a kind where nearness in meaning counts, too."""
    return f"{kind}{clauses.MEANT}"


def with_meaning(
    tasks: Sequence[Task],
    words_alone: Sequence[Sample],
    alone: Weights,
    similar: float,
    *,
    validated: bool,
) -> dict[str, dict[str, float]]:
    """Learn the weights beside nearness in meaning.

    They are brought to one scale with the others, so that one line tells what is *similar* and
    facts of a repository are worth the same. Order does not depend on the scale.
    """
    print("with nearness in meaning:")
    found = [case for task in tasks for case in cases(task, semantic=True)]
    scales = scaled(found)
    made = samples(found, scales)
    if validated:
        validate(made, words_alone)
    weights = learn(made)
    factor = similar / labelled(made, weights)
    beside = {kind: [factor * one for one in values] for kind, values in weights.items()}
    steady = steadied(beside, alone)
    return named({meant(kind): values for kind, values in steady.items()}, scales)


def moved(tasks: Sequence[Task]) -> dict[str, dict[str, float]]:
    """Move the weights that there are by what was said, where there is nothing else to learn from.

    Those beside nearness in meaning stay as they are.
    """
    found = [case for task in tasks for case in cases(task)]
    scales = scaled(found)
    start = {
        kind: [WEIGHTS[kind].get(n, 0.0) * s for n, s in zip(NAMES, scales, strict=True)]
        for kind in KINDS
    }
    return WEIGHTS | named(learn(samples(found, scales), start), scales)


def module(learnt: dict[str, dict[str, float]]) -> str:
    """Write weights as the module that holds them: that is imported faster than JSON is read."""
    told = "What each part of a score is worth. Written by ``scripts/learn_weights.py --write``."
    lines = [
        f'"""{told}"""',
        "",
        "from typing import Final",
        "",
        "WEIGHTS: Final[dict[str, dict[str, float]]] = {",
    ]
    for group, values in learnt.items():
        lines.append(f'    "{group}": {{')
        lines += [f'        "{name}": {value!r},' for name, value in values.items()]
        lines.append("    },")
    return "\n".join([*lines, "}", ""])


def everything(tasks: Sequence[Task], *, validated: bool) -> dict[str, dict[str, float]]:
    """Learn all weights anew."""
    found = [case for task in tasks for case in cases(task)]
    scales = scaled(found)
    made = samples(found, scales)
    if validated:
        validate(made)
    weights = learn(made)
    similar = labelled(made, weights)
    # The bar of *similar* was measured apart (benchmarks/eval_similar.py).
    learnt = {"labels": dict(WEIGHTS["labels"])}
    # What facts of a repository are worth, no data set tells; they are set by hand.
    learnt["facts"] = dict(WEIGHTS["facts"])
    learnt |= named(weights, scales)
    if installed() is None:
        # The weights beside nearness in meaning stay as they are.
        return learnt | {name: WEIGHTS[name] for name in map(meant, KINDS) if name in WEIGHTS}
    return learnt | with_meaning(tasks, made, weights, similar, validated=validated)


def main() -> None:
    """Learn."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", default=os.path.join("..", "shared", "data", "dev"))
    parser.add_argument("--feedback", action="append", default=[], help="a repository")
    parser.add_argument("--write", action="store_true", help="keep the weights")
    parser.add_argument("--no-validation", action="store_true", help="only learn")
    options = parser.parse_args()
    started = time.monotonic()
    tasks = [recorded(folder) for folder in options.feedback]
    if os.path.exists(os.path.join(options.data, "errors_pool.jsonl")):
        tasks.append(read(options.data, "errors"))
        learnt = everything(tasks, validated=not options.no_validation)
    elif any(task.questions for task in tasks):
        learnt = moved(tasks)
    else:
        sys.exit(f"nothing to learn from: no errors_pool.jsonl in {options.data}, no feedback")
    if options.write:
        with open(HOME, "w", encoding="utf-8") as file:
            file.write(module(learnt))
    else:
        print(json.dumps(learnt, indent=2))
    asked = sum(len(task.questions) for task in tasks)
    print(f"{asked} questions, {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
