"""Reports on executions by the formulas of the learning patterns' document. Pure.

Unlike them, nothing is called stable where there is too little to tell.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

_WINDOW: Final = 20
_ENOUGH: Final = 10
_BEST: Final = 3
_STEP: Final = 0.1
_WEAK: Final = 0.7
_SLOW: Final = 300
INSUFFICIENT: Final = "insufficient_data"


class ExecutionRow(NamedTuple):
    """One execution of a project.

    Attributes:
        id, created: of its record.
        category: of its task; may be empty.
        success: False also where nobody said.
        seconds: how long it took; 0: nobody said.
        approach: how it was done.
        factors: what made it succeed, as was said.

    """

    id: str
    created: str
    category: str
    success: bool
    seconds: float
    approach: str
    factors: tuple[str, ...] = ()


def category_trends(rows: Sequence[ExecutionRow]) -> dict[str, dict[str, Any]]:
    """Tell by category how the newest 20 went, and whether the newer half of all went better.

    Args:
        rows: oldest first.

    """
    by_category: dict[str, list[ExecutionRow]] = {}
    for row in rows:
        by_category.setdefault(row.category or "general", []).append(row)
    return {name: _trend(own) for name, own in by_category.items()}


def _trend(rows: Sequence[ExecutionRow]) -> dict[str, Any]:
    recent = rows[-_WINDOW:]
    approaches = Counter(row.approach for row in recent if row.success)
    return {
        "success_rate": _share(recent),
        "average_execution_time": _average(recent),
        "total_executions": len(rows),
        "recent_executions": len(recent),
        "best_approaches": [list(pair) for pair in approaches.most_common(_BEST)],
        "improvement_trend": _direction(rows),
    }


def _direction(rows: Sequence[ExecutionRow]) -> str:
    if len(rows) < _ENOUGH:
        return INSUFFICIENT
    middle = len(rows) // 2
    # Rounded: 0.6 - 0.5 is a little less than 0.1 to a computer.
    difference = round(_share(rows[middle:]) - _share(rows[:middle]), 9)
    return "improving" if difference > _STEP else "declining" if difference < -_STEP else "stable"


def overall_metrics(rows: Sequence[ExecutionRow]) -> dict[str, Any]:
    """Sum up all executions."""
    if not rows:
        return {"status": "no_data"}
    return {
        "total_executions": len(rows),
        "successful_executions": sum(row.success for row in rows),
        "success_rate": _share(rows),
        "average_execution_time": _average(rows),
        "category_distribution": dict(
            Counter(row.category or "general" for row in rows).most_common()
        ),
    }


def improvement_recommendations(trends: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Say what to look at; where nothing is wrong, whether that is known or only not seen."""
    lines = [line for name, trend in trends.items() for line in _findings(name, trend)]
    if lines:
        return lines
    thin = [name for name, trend in trends.items() if trend["improvement_trend"] == INSUFFICIENT]
    if thin or not trends:
        where = f" in {', '.join(thin)}" if thin else ""
        return [f"Too little data to tell{where}: a trend needs {_ENOUGH} executions of a category"]
    return ["Performance is stable across all categories"]


def learning_insights(rows: Sequence[ExecutionRow]) -> list[str]:
    """Say which approach succeeded most often, and what made executions succeed."""
    if len(rows) < _ENOUGH:
        return ["Insufficient data for learning insights"]
    won = [row for row in rows if row.success]
    best = Counter(row.approach for row in won).most_common(1)
    lines = [f"Most successful approach: {name} ({count} successes)" for name, count in best]
    factors = Counter(name for row in won for name in row.factors).most_common(_BEST)
    if factors:
        lines.append("Key success factors:")
    return lines + [
        f"  - {name} (appeared in {count} successful executions)" for name, count in factors
    ]


def _findings(name: str, trend: Mapping[str, Any]) -> list[str]:
    rate, seconds = trend["success_rate"], trend["average_execution_time"]
    findings = (
        (rate < _WEAK, f"Focus on improving {name} tasks (current success rate: {rate:.1%})"),
        (
            trend["improvement_trend"] == "declining",
            f"Investigate declining performance in {name} category",
        ),
        (seconds > _SLOW, f"Optimize execution time for {name} tasks"),
    )
    return [line for is_so, line in findings if is_so]


def _share(rows: Sequence[ExecutionRow]) -> float:
    return sum(row.success for row in rows) / len(rows)


def _average(rows: Sequence[ExecutionRow]) -> float:
    times = [row.seconds for row in rows if row.seconds > 0]
    return sum(times) / len(times) if times else 0
