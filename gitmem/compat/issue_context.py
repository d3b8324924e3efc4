"""What a fixer is told of an issue's history: its subject, and what was tried on issues like it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from gitmem.compat import issues

if TYPE_CHECKING:
    from gitmem.compat.fix_history import Connection
    from gitmem.compat.issues import FailureIssue, IssueAttempt
    from gitmem.memory import Memory

_PATTERNS: Final = """
SELECT p.*, h.description, h.occurrences, h.success_rate
FROM issue_patterns p JOIN (
    SELECT issue_signature || ' ' || model_name AS id, description, count(*) AS occurrences,
        avg(fix_success AND verification_success) AS success_rate
    FROM fix_history GROUP BY issue_signature, issue_type, model_name HAVING count(*) > 1
) h ON h.id = p.id ORDER BY h.occurrences DESC, p.last_seen DESC
"""
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


def patterns(database: "Connection") -> list[dict[str, Any]]:
    """Give the issues of a fix history that came more than once, the most frequent first."""
    cursor = database.execute(_PATTERNS)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor]
