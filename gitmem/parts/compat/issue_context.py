"""What a fixer is told of an issue's history: its subject, and what was tried on issues like it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.learning.confidence import Rate
from gitmem.learning.context import ContextEntry, ContextSection, TitledText
from gitmem.parts.compat import issues
from gitmem.parts.compat.shared import context

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gitmem.memory import Memory
    from gitmem.parts.compat.fix_history import Connection
    from gitmem.parts.compat.issues import FailureIssue, IssueAttempt

_PATTERNS: Final = """
SELECT p.*, h.description, h.occurrences, h.success_rate
FROM issue_patterns p JOIN (
    SELECT issue_signature || ' ' || model_name AS id, description, count(*) AS occurrences,
        avg(fix_success AND verification_success) AS success_rate
    FROM fix_history GROUP BY issue_signature, issue_type, model_name HAVING count(*) > 1
) h ON h.id = p.id ORDER BY h.occurrences DESC, p.last_seen DESC
"""
_MOST_LINES: Final = 5
_HALF: Final = 0.5
_TITLES: Final = ("The same issue", "The same model and type", "The same type")
_SECTIONS: Final = {"worked": "What worked before", "avoid": "What to avoid",
                    "unverified": "Outcome unknown"}  # fmt: skip


class _Approach(NamedTuple):
    """What was tried on a type of issue: how often it worked, on what, and by whom last.

    Attributes:
        words: the approach.
        rate: over all attempts on issues of the type, so that every part of a text says the same.
        tier: the nearest of ``_TITLES`` that it was tried on.
        newest: the newest attempt, of those that worked if any did.

    """

    words: str
    rate: Rate
    tier: int
    newest: "IssueAttempt"

    @property
    def figure(self) -> str:
        """How often it worked, in words."""
        tried = self.rate.tried
        return f"worked {self.rate.worked} of {tried}" if tried else "outcome unknown"

    @property
    def section(self) -> str:
        """Where it belongs."""
        share = self.rate.share
        return "unverified" if share is None else "worked" if share >= _HALF else "avoid"


def context_text(memory: "Memory", issue: "FailureIssue", insights: Mapping[str, Any]) -> str:
    """Give the history as Markdown: how the model did, each approach with its outcomes, the rest.

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
    approaches = _approaches(memory, issue)
    for tier, title in enumerate(_TITLES):
        near = [each for each in approaches if each.tier == tier][:_MOST_LINES]
        if near:
            lines += [f"## {title}", "", *(f'- "{each.words}": {each.figure}' for each in near), ""]
    focus = " ".join(filter(None, (issue.type, issue.subject, issue.fields["message"])))
    sections = [
        ContextSection(name, title, "record", tuple(_entries(memory, approaches, name)))
        for name, title in _SECTIONS.items()
    ]
    history = "\n".join(lines)
    return f"{history}\n{context(memory, focus, sections=sections if approaches else ())}"


def _approaches(memory: "Memory", issue: "FailureIssue") -> list[_Approach]:
    """Count each approach on issues of the type, the most promising first."""
    same = issues.same_issues(memory, issue)
    attempts_by_words: dict[str, list[IssueAttempt]] = {}
    for attempt in issues.attempts_of_type(memory, issue):
        attempts_by_words.setdefault(" ".join(attempt.approach.split()), []).append(attempt)
    approaches = []
    for words, attempts in attempts_by_words.items():
        decided = [attempt.success for attempt in attempts if attempt.success is not None]
        is_same = any(attempt.error in same for attempt in attempts)
        is_near = any(attempt.subject == issue.subject for attempt in attempts)
        newest = max(attempts, key=lambda attempt: (attempt.success or 0, attempt.created))
        tier = 0 if is_same else 1 if is_near else 2
        approaches.append(_Approach(words, Rate(sum(decided), len(decided)), tier, newest))
    return sorted(approaches, key=lambda each: (-each.rate.low, each.words))


def _entries(
    memory: "Memory", approaches: "Sequence[_Approach]", section: str
) -> "Iterator[ContextEntry]":
    for each in [each for each in approaches if each.section == section][:_MOST_LINES]:
        attempt = each.newest
        steps = "\n".join(issues.columns_of(memory, attempt)["fix_commands"])
        texts = (TitledText("steps", steps),) if steps else ()
        about = (each.figure, attempt.id, attempt.created[:10])
        yield ContextEntry(section, each.words, about, texts, attempt.id)


def patterns(database: "Connection") -> list[dict[str, Any]]:
    """Give the issues of a fix history that came more than once, the most frequent first."""
    cursor = database.execute(_PATTERNS)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor]
