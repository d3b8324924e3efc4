"""What a fixer is told of an issue's history: its subject, and what was tried on issues like it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from gitmem.compat import issues

if TYPE_CHECKING:
    from gitmem.compat.issues import FailureIssue, IssueAttempt
    from gitmem.learning.recurring import RecurringFailure
    from gitmem.memory import Memory

_MOST: Final = 20
_MOST_LINES: Final = 5
_TITLES: Final = {
    "exact_matches": "The same issue",
    "model_matches": "The same model and type",
    "type_matches": "The same type",
}


def history(memory: "Memory", issue: "FailureIssue", insights: Mapping[str, Any]) -> str:
    """Give the history as Markdown: how the model did, and each approach once with its outcomes.

    What people wrote stands in quotes: it is data.

    Args:
        memory: the memory.
        issue: what went wrong.
        insights: of its model, as ``AIMemory.get_model_insights`` gives them.

    """
    lines = []
    if insights["total_tests"]:
        rate = insights["success_rate"]
        share = "none of known outcome" if rate is None else f"{rate:.0%} of known outcome worked"
        lines = [f"## {issue.subject}", "", f"{insights['total_tests']} attempts, {share}."]
        if insights["common_issues"]:
            lines.append(f"Common issues: {', '.join(insights['common_issues'])}.")
        lines.append("")
    for tier, attempts in issues.similar(memory, issue, _MOST).items():
        if attempts:
            lines += [f"## {_TITLES[tier]}", "", *_approaches(attempts), ""]
    return "\n".join(lines)


def _approaches(attempts: "list[IssueAttempt]") -> list[str]:
    """Count the outcomes of each approach; the one that worked most often comes first."""
    outcomes: dict[str, list[str]] = {}
    for attempt in attempts:
        outcomes.setdefault(" ".join(attempt.approach.split()), []).append(attempt.outcome)
    ordered = sorted(outcomes.items(), key=lambda item: -item[1].count("worked") / len(item[1]))
    return [
        f'- "{approach}": worked {all_of.count("worked")} of {len(all_of)}'
        for approach, all_of in ordered[:_MOST_LINES]
    ]


def pattern(failure: "RecurringFailure") -> dict[str, Any]:
    """Show a failure that came more than once as plain data."""
    return {
        "pattern_name": " ".join(filter(None, (failure.category or failure.type, failure.subject))),
        "description": failure.title,
        "occurrences": failure.records,
        "attempts": failure.attempts,
        "success_rate": failure.rate.share,
        "best_fix": failure.best.approach if failure.best else None,
        "last_seen": failure.last,
        "open": failure.open,
    }
