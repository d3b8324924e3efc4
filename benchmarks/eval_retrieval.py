"""How often the right past error or decision comes first, on labelled data, with our own code.

Every row of a pool becomes a record in a memory on disk, and each query goes through the one
pipeline of all faces: errors as pasted text, decisions as a typed question. Nothing that a
query knows of its source is used to rank. Intervals are Wilson's, 95 %. The weights were
learnt on the dev set, so its figures flatter: ``scripts/learn_weights.py`` prints those of
weights that were learnt without the source repository.
"""

import math
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final

from benchmarks.retrieval_data import Question, Task, read
from benchmarks.retrieval_memory import keep, opened
from gitmem.semantic.words import installed

DEPTH: Final = 10
SEMANTIC: Final = "_semantic"
_SPREAD: Final = 1.96
TARGETS: Final = (
    ("errors", "r1", 0.78),
    ("errors", "r5", 0.92),
    ("decisions", "r5", 0.86),
    ("errors_semantic", "r1", 0.80),
    ("errors_semantic", "r5", 0.94),
    ("decisions_semantic", "r5", 0.92),
)
FAMILY_TARGETS: Final = (
    ("swe-rerun", "r1", 0.98),
    ("tracker", "r5", 0.85),
    ("swe-issue", "r5", 0.75),
)
_Ranks = dict[str, list[int]]


def ranks(task: Task, ways: Sequence[bool]) -> list[_Ranks]:
    """Ask every question; give by family the places of the best right records, 0 for none.

    Args:
        task: records and questions.
        ways: with nearness in meaning or without; where the extra is not installed, it can't be.

    """
    numbers = {record.id: number for number, record in enumerate(task.records)}
    ranks_of_systems: list[_Ranks] = []
    with tempfile.TemporaryDirectory() as folder:
        environ = keep(task.records, folder)
        for semantic in ways:
            by_family: _Ranks = defaultdict(list)
            with opened(folder, environ, semantic=semantic) as memory:
                ask = memory.pasted if task.pasted else memory.typed
                for question in task.questions:
                    hits = ask(question.text, DEPTH + len(question.ignored))
                    ranked = [numbers[hit.row.id] for hit in hits]
                    by_family[question.family].append(_rank(ranked, question))
            ranks_of_systems.append(dict(by_family))
    return ranks_of_systems


def _rank(ranked: Sequence[int], question: Question) -> int:
    counted = [rank for rank in ranked if rank not in question.ignored][:DEPTH]
    right = (at for at, number in enumerate(counted, 1) if number in question.right)
    return next(right, 0)


def figures(ranks_found: Sequence[int]) -> dict[str, float]:
    """Give recall at 1 and 5, and the mean reciprocal rank down to 10."""
    count = len(ranks_found) or 1
    return {
        "r1": sum(rank == 1 for rank in ranks_found) / count,
        "r5": sum(0 < rank <= 5 for rank in ranks_found) / count,  # noqa: PLR2004  recall at 5
        "mrr10": sum(1 / rank for rank in ranks_found if rank) / count,
    }


def wilson(share: float, count: int) -> tuple[float, float]:
    """Give the 95 % interval of a share of ``count``."""
    if not count:
        return 0.0, 1.0
    square = _SPREAD**2 / count
    middle = (share + square / 2) / (1 + square)
    half = _SPREAD * math.sqrt(share * (1 - share) / count + square / count / 4) / (1 + square)
    return max(0.0, middle - half), min(1.0, middle + half)


def evaluate(folder: str) -> dict[str, Any]:
    """Give the figures of both tasks, and of both with the semantic extra.

    None stands for a task that the folder does not have, and for an extra that is not installed.
    """
    results: dict[str, Any] = {"families": {}}
    ways = (False, True) if installed() else (False,)
    for task in ("errors", "decisions"):
        results[task] = results[f"{task}{SEMANTIC}"] = None
        try:
            data = read(folder, task)
        except FileNotFoundError:
            continue
        for suffix, by_family in zip(("", SEMANTIC), ranks(data, ways), strict=False):
            all_ranks = [rank for ranks_found in by_family.values() for rank in ranks_found]
            results[task + suffix] = figures(all_ranks) | {"questions": len(all_ranks)}
            results["families"] |= {
                family + suffix: figures(ranks_found) | {"questions": len(ranks_found)}
                for family, ranks_found in by_family.items()
            }
    return results


def lines(results: dict[str, Any]) -> Iterable[str]:
    """Write the table, and which targets are met."""
    yield f"{'retrieval':20}{'questions':>10}{'R@1':>8}{'95 %':>14}{'R@5':>8}{'95 %':>14}{'MRR':>8}"
    both = ((name, results[name]) for name in ("errors", f"errors{SEMANTIC}"))
    for name, row in (*sorted(results["families"].items()), *both):
        if row:
            yield _row(name, row)
    for task, figure, least in TARGETS:
        if results[task]:
            yield _met(task, figure, results[task][figure], least)
    for family, figure, least in FAMILY_TARGETS:
        if family in results["families"]:
            yield _met(family, figure, results["families"][family][figure], least)


def _row(name: str, row: dict[str, float]) -> str:
    count = int(row["questions"])
    cells = [f"{name:20}{count:10}"]
    for figure in ("r1", "r5"):
        low, high = wilson(row[figure], count)
        cells.append(f"{100 * row[figure]:8.1f}{f'{100 * low:.1f}-{100 * high:.1f}':>14}")
    return "".join(cells) + f"{100 * row['mrr10']:8.1f}"


def _met(name: str, figure: str, value: float, least: float) -> str:
    met = "met" if value >= least else "not met"
    return f"  target {name} {figure} >= {100 * least:.0f}: {100 * value:.1f}, {met}"
