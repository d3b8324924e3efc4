"""Patterns of errors: from the records alone, and by a model that is shown what those say."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import NotFoundError
from gitmem.learning.analysis import (
    SAME,
    FailureCount,
    FailureFinding,
    Findings,
    RecordAccount,
    as_data,
    finding,
)
from gitmem.llm.answers import Analysis, Suggestions
from gitmem.memory.advice.trials import last_seen, standing, trials_of
from gitmem.memory.core.records import read_record
from gitmem.memory.failures import attempting
from gitmem.memory.models.modelling import Approve, Matter, ModelClient, ask

if TYPE_CHECKING:
    from gitmem.learning.advice import AdviceItem
    from gitmem.learning.advised import Advice
    from gitmem.llm.modelled import Modelled
    from gitmem.memory.memory import Memory
    from gitmem.records.kinds import Record

_MOST_READ: Final = 50
"""Attempts on one failure of which causes, steps and lessons are read."""
_ONCE: Final = "no such failure was recorded more than once: these are the newest"
_NO_CAUSE: Final = "no cause is recorded: gitmem add fix --cause, or resolve with --cause, says why"


def analyse(memory: "Memory", filters: str, limit: int) -> Findings:
    """Tell what recorded failures have in common; see ``Memory.analyse``."""
    seen = [
        FailureCount(one.error, one.title, one.records, one.first, one.last, one.open)
        for one in memory.recurring(limit, filters)
    ]
    notes = []
    if not seen:
        rows = memory.list(f"kind:error {filters}".strip(), limit=limit)
        seen = [
            FailureCount(row.id, row.title, 1, row.created, row.created, row.status != "resolved")
            for row in rows
        ]
        notes += [_ONCE] if seen else []
    found = tuple(_finding(memory, one) for one in seen)
    if found and not any(one.causes for one in found):
        notes.append(_NO_CAUSE)
    return Findings(found, tuple(notes))


def _finding(memory: "Memory", seen: FailureCount) -> FailureFinding:
    row = memory.find(seen.error, "error")
    fixes = standing(memory.workspace, attempting.of_error(memory.records, seen.error))
    # The newest of them: of what failed for years nobody reads every cause.
    told = [
        _told(one.id, read_record(memory.workspace, one)) for one in (row, *fixes[-_MOST_READ:])
    ]
    back = last_seen(memory.workspace, (row,))
    again = {one.id: back for one in fixes} if back else {}
    return finding(seen, told, trials_of(memory.workspace, fixes, again, SAME))


def _told(name: str, record: "Record | None") -> RecordAccount:
    return RecordAccount(
        name,
        str(getattr(record, "cause", "") or ""),
        tuple(getattr(record, "steps", ())),
        str(getattr(record, "lessons", "")),
        str(getattr(record, "outcome", "")),
    )


def by_model(
    memory: "Memory", findings: Findings, approve: Approve | None, speaker: ModelClient | None
) -> "Modelled":
    """Ask a model for patterns in an analysis; see ``Memory.model_analysis``.

    Raises:
        NotFoundError: there is nothing to look at.

    """
    if not findings.failures:
        raise NotFoundError("there is no error to look at", "gitmem list kind:error")
    material = {"failures": as_data(findings)}
    matter = Matter("error-patterns", "Look for error patterns", material, findings.records)
    return ask(memory, matter, Analysis, approve, speaker)[1]


def advised_by_model(
    memory: "Memory",
    advice: "Advice",
    question: str,
    task: Mapping[str, Any] | None,
    approve: Approve | None,
    speaker: ModelClient | None,
) -> "Modelled":
    """Ask a model for suggestions on the grounds of an advice; see ``Memory.model_advice``."""
    items = {"try": advice.tries, "avoid": advice.avoid, "stop": advice.stop}
    material: dict[str, Any] = {"question": question, "about": list(advice.about)}
    material |= {name: [_item(one) for one in some] for name, some in items.items()}
    if task:
        material["task"] = {key: value for key, value in task.items() if value}
    known = frozenset(name for some in items.values() for one in some for name in one.records)
    matter = Matter("suggestion", "Suggest a solution", material, known)
    return ask(memory, matter, Suggestions, approve, speaker)[1]


def _item(item: "AdviceItem") -> dict[str, Any]:
    made: dict[str, Any] = {"text": item.text, "why": item.why, "records": list(item.records)}
    if item.says:
        made["says"] = item.says
    return {**made, "confidence": item.confidence.word} if item.confidence else made
