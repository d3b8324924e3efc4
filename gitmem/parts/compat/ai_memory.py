"""``AIMemory``: what was tried on issues of models, and what came of it.

An issue is an error whose category is its type and whose subject is the model; an attempt is a
fix. What was counted in tables before is counted from the records at each question.
"""

import json
from collections.abc import Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import NotFoundError
from gitmem.learning.issues import outcome
from gitmem.parts.compat import fix_history, issue_context, issues
from gitmem.parts.compat.arguments import truth
from gitmem.parts.compat.issues import FailureIssue
from gitmem.parts.compat.shared import ask_once, from_text, listed, opened, scalars, to_text
from gitmem.parts.compat.write_once import write_once

if TYPE_CHECKING:
    from gitmem.learning.figures import FigureGroup
    from gitmem.memory import Memory, Row

_KNOWLEDGE: Final = "knowledge-base"
_IMPORTED: Final = "imported,knowledge"


class AIMemory:
    """The fix history of the repository around a folder.

    Args:
        memory_dir: any folder of the repository; made, with a memory in it, if it is not there.

    """

    def __init__(self, memory_dir: str = ".") -> None:
        self.memory_dir = memory_dir
        self.knowledge_base = ask_once(memory_dir, _knowledge_base)
        self._known = set(self.knowledge_base)

    # What happened

    def record_fix_attempt(
        self,
        issue_data: Mapping[str, Any],
        ai_response: Mapping[str, Any],
        fix_success: bool | None,  # noqa: FBT001  the older interface
        verification_success: bool | None,  # noqa: FBT001  likewise
        execution_time: float,
        notes: str | None = None,
        fixer_type: str = "claude",
    ) -> str:
        """Write an attempt down, and its issue, which is counted; gives the id of the fix."""
        analysis = str(ai_response.get("analysis") or "")
        commands = listed(ai_response.get("fix_commands"))
        applied = truth(fix_success, "fix_success")
        checked = truth(verification_success, "verification_success")
        fields: dict[str, Any] = {
            "approach": analysis or next(iter(commands), "") or "no analysis",
            "analysis": analysis,
            "steps": commands,
            "stated_confidence": ai_response.get("confidence"),
            "applied": applied,
            "outcome": outcome(applied=applied, verified=checked),
            "verification": None if checked is None else {"after": {"result": _result(checked)}},
            "seconds": execution_time,
            "environment": scalars(issue_data.get("system_info")),
            "notes": notes or "",
            "fixer": fixer_type,
        }
        with opened(self.memory_dir) as memory:
            return issues.record(memory, _issue(issue_data), fields)

    def query_similar_issues(
        self, issue_data: Mapping[str, Any], limit: int = 5
    ) -> dict[str, list[dict[str, Any]]]:
        """Give ``exact_matches``, ``model_matches``, ``type_matches``; see ``issues.similar``."""

        def question(memory: "Memory") -> dict[str, list[dict[str, Any]]]:
            attempts_by_tier = issues.similar(memory, _issue(issue_data), limit)
            return {
                tier: [issues.columns_of(memory, attempt) for attempt in attempts]
                for tier, attempts in attempts_by_tier.items()
            }

        return ask_once(self.memory_dir, question)

    def generate_issue_signature(self, issue_data: Mapping[str, Any]) -> str:
        """Give 16 hexadecimal characters that are equal for issues which are the same."""
        return _issue(issue_data).signature

    # What it teaches

    def build_context_for_claude(self, issue_data: Mapping[str, Any]) -> str:
        """Give what is known about an issue and its model as Markdown, quoted as data."""
        issue = _issue(issue_data)
        return ask_once(
            self.memory_dir,
            lambda memory: issue_context.context_text(
                memory, issue, _insights(memory, issue.subject)
            ),
        )

    def get_model_insights(self, model_name: str) -> dict[str, Any]:
        """Give what is known of a model: how often fixes worked, its issues, what helped."""
        return ask_once(self.memory_dir, lambda memory: _insights(memory, model_name))

    def get_memory_stats(self) -> dict[str, Any]:
        """Count the whole memory."""
        return ask_once(self.memory_dir, _stats)

    def get_daily_statistics(self) -> list[dict[str, Any]]:
        """Give attempts and success rate of each day."""
        return self._groups("day")

    def get_model_performance_matrix(self) -> list[dict[str, Any]]:
        """Give attempts and success rate of each model and type of issue."""
        return self._groups("subject,category")

    def get_issue_trend_analysis(self) -> list[dict[str, Any]]:
        """Tell of each type of issue whether fixing it goes better lately."""
        return ask_once(self.memory_dir, _trends)

    def get_fixer_effectiveness(self) -> list[dict[str, Any]]:
        """Give attempts and success rate of each fixer."""
        return self._groups("fixer")

    def export_insights(self, output_file: str) -> None:
        """Write statistics, models, patterns, trends and the knowledge base to a file, as JSON."""
        report = ask_once(self.memory_dir, _report) | {"knowledge_base": self.knowledge_base}
        with open(output_file, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=2, ensure_ascii=False, default=str)

    # What is known besides

    def save_knowledge_base(self) -> list[str]:
        """Write what is new in ``knowledge_base`` down as notes; gives their ids.

        Notes of entries that this object had and that were taken out are deleted; git keeps
        what was committed.
        """
        gone = self._known - set(self.knowledge_base)
        self._known = set(self.knowledge_base)
        with opened(self.memory_dir) as memory:
            for row in _knowledge(memory):
                if row.title in gone:
                    memory.forget(row.id)
            written = [
                write_once(
                    memory,
                    "note",
                    {"title": name, "body": to_text(value), "tags": [_KNOWLEDGE]},
                    "body",
                )
                for name, value in self.knowledge_base.items()
            ]
        return [name for name, new in written if new]

    _save_knowledge_base = save_knowledge_base

    def _groups(self, by: str) -> list[dict[str, Any]]:
        return ask_once(self.memory_dir, lambda memory: _groups(memory, by))


def build_context_for_claude(issue_data: Mapping[str, Any]) -> str:
    """Give what is known about an issue; see ``AIMemory.build_context_for_claude``."""
    return AIMemory().build_context_for_claude(issue_data)


def _issue(data: Mapping[str, Any]) -> FailureIssue:
    return FailureIssue(
        type=str(data.get("issue_type") or "ERROR"),
        subject=str(data.get("model") or data.get("model_name") or ""),
        description=str(data.get("description") or ""),
        prompt=str(data.get("test_prompt") or ""),
        response=str(data.get("actual_response") or ""),
        expected=str(data.get("expected_pattern") or data.get("expected_response") or ""),
    )


def _stats(memory: "Memory") -> dict[str, Any]:
    statistics = memory.statistics.stats()
    return {
        "total_fixes_attempted": statistics.total.attempts,
        "successful_fixes": statistics.total.worked,
        "success_rate": statistics.total.rate.share,
        "models_encountered": statistics.subjects,
        "issue_types_seen": statistics.categories,
        "recent_activity_7days": statistics.recent_attempts,
        "knowledge_base_size": statistics.size,
        "memory_directory": statistics.folder,
    }


def _trends(memory: "Memory") -> list[dict[str, Any]]:
    return [
        {
            "issue_type": trend.label,
            "trend": trend.direction.replace(" ", "_"),
            "success_rate": trend.rate.share,
            "total": trend.total,
            "last_seen": trend.last,
        }
        for trend in memory.statistics.trends(by="category")
        if trend.of == "attempts"
    ]


def _report(memory: "Memory") -> dict[str, Any]:
    names = [group.label[0] for group in memory.statistics.stats(by="subject").groups]
    with closing(fix_history.database_of(memory)) as database:
        patterns = issue_context.patterns(database)
    return {
        "statistics": _stats(memory),
        "model_insights": {name: _insights(memory, name) for name in names if name},
        "patterns": patterns,
        "daily": _groups(memory, "day"),
        "fixers": _groups(memory, "fixer"),
        "trends": _trends(memory),
    }


def _insights(memory: "Memory", name: str) -> dict[str, Any]:
    try:
        subject = memory.statistics.subject(name)
    except NotFoundError:
        return {"model_name": name, "total_tests": 0, "success_rate": None, "common_issues": [],
                "effective_fixes": [], "recent_history": [], "last_updated": None,
                "performance_notes": []}  # fmt: skip
    return {
        "model_name": name,
        "total_tests": subject.total.attempts,
        "success_rate": subject.total.rate.share,
        "common_issues": [group.label[0] for group in subject.types],
        "effective_fixes": list(dict.fromkeys(each.approach for each in subject.effective)),
        "recent_history": [line._asdict() for line in subject.history],
        "last_updated": subject.last,
        "performance_notes": [text for _, text in issues.notes(memory, {name, *subject.names})],
    }


def _groups(memory: "Memory", by: str) -> list[dict[str, Any]]:
    return [_group(group, by.split(",")) for group in memory.statistics.stats(by=by).groups]


def _group(group: "FigureGroup", names: list[str]) -> dict[str, Any]:
    rate = group.figures.rate
    return {
        **dict(zip(names, group.label, strict=True)),
        "attempts": group.figures.attempts,
        "successes": rate.worked,
        "success_rate": rate.share,
        "interval": list(rate.interval),
        "mean_seconds": group.figures.effort.mean,
    }


def _result(passed: bool) -> str:  # noqa: FBT001
    return "passed" if passed else "failed"


def _knowledge_base(memory: "Memory") -> dict[str, Any]:
    return {
        row.title: from_text(str(getattr(memory.records.reader.read(row.path), "body", "")))
        for row in _knowledge(memory)
    }


def _knowledge(memory: "Memory") -> "list[Row]":
    """List the notes of the knowledge base, oldest first: the newest of a name speaks."""
    own = memory.list(f"kind:note tag:{_KNOWLEDGE}", sort="oldest")
    imported = memory.list(f"kind:note tag:{_IMPORTED}", sort="oldest")
    return [*imported, *own]
