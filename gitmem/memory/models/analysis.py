"""Patterns of errors: computed from records, and described by a model that is sent them."""

from collections.abc import Mapping, Sequence
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
    shared_causes,
)
from gitmem.llm.answers import Analysis, Suggestions
from gitmem.memory.advice.trials import standing, trials_of
from gitmem.memory.core.records import read_record
from gitmem.memory.failures.recorded_attempts import files_of, of_error
from gitmem.memory.models.model_calls import ModelRequest, ask

if TYPE_CHECKING:
    from gitmem.learning.advice import AdviceItem
    from gitmem.learning.advised import Advice
    from gitmem.learning.recurring import RecurringFailure
    from gitmem.llm.approval import Approve
    from gitmem.llm.client import ModelClient
    from gitmem.llm.modelled import Modelled
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.failures.access import RecordAccess
    from gitmem.records.kinds import Record

_MOST_READ: Final = 50
"""Attempts on one failure of which causes, steps and lessons are read."""
_ONCE: Final = "no failure was recorded twice; these are the newest"
_NO_CAUSE: Final = "no cause is recorded; add one with: gitmem resolve --cause"


def analyse(
    records: "RecordAccess",
    recurring: "Sequence[RecurringFailure]",
    filters: str,
    limit: int,
) -> Findings:
    """Tell what recorded failures have in common; see ``Models.analyse``.

    Args:
        records: of the memory.
        recurring: the failures that were recorded more than once, the most frequent first.
        filters: which errors are looked at where none was recorded more than once.
        limit: how many of those.

    """
    counts = [
        FailureCount(
            failure.error, failure.title, failure.records, failure.first, failure.last, failure.open
        )
        for failure in recurring
    ]
    notes = []
    if not counts:
        rows = records.reader.list(f"kind:error {filters}".strip(), limit=limit)
        counts = [
            FailureCount(row.id, row.title, 1, row.created, row.created, row.status != "resolved")
            for row in rows
        ]
        notes += [_ONCE] if counts else []
    findings = tuple(_finding(records, count) for count in counts)
    if findings and not any(failure.causes for failure in findings):
        notes.append(_NO_CAUSE)
    notes += shared_causes(findings)
    return Findings(findings, tuple(notes))


def _finding(records: "RecordAccess", count: FailureCount) -> FailureFinding:
    workspace = records.workspace
    row = records.reader.find(count.error, "error")
    fixes = standing(workspace, of_error(records, count.error))
    # The newest of them: of what failed for years nobody reads every cause.
    accounts = [
        _account(record.id, read_record(workspace, record))
        for record in (row, *fixes[-_MOST_READ:])
    ]
    result = finding(count, accounts, trials_of(workspace, fixes, SAME))
    files = tuple(files_of(records, count.error))
    return result._replace(files=files, status=row.shown_status)


def _account(record_id: str, record: "Record | None") -> RecordAccount:
    return RecordAccount(
        record_id,
        str(getattr(record, "cause", "") or ""),
        tuple(getattr(record, "steps", ())),
        str(getattr(record, "lessons", "")),
        str(getattr(record, "outcome", "")),
    )


def find_patterns(
    workspace: "Workspace",
    findings: Findings,
    approve: "Approve | None",
    client: "ModelClient | None",
) -> "Modelled":
    """Ask a model for patterns in an analysis; see ``Models.find_patterns``."""
    if not findings.failures:
        raise NotFoundError("there is no recorded error", "gitmem list kind:error")
    material = {"failures": as_data(findings)}
    request = ModelRequest("error-patterns", "Look for error patterns", material, findings.records)
    return ask(workspace, request, Analysis, approve, client)[1]


def suggest(
    workspace: "Workspace",
    advice: "Advice",
    question: str,
    task: Mapping[str, Any] | None,
    approve: "Approve | None",
    client: "ModelClient | None",
) -> "Modelled":
    """Ask a model for suggestions on the grounds of an advice; see ``Models.suggest``."""
    items = {"try": advice.tries, "avoid": advice.avoid, "stop": advice.stop}
    material: dict[str, Any] = {"question": question, "about": list(advice.about)}
    material |= {name: [_item_data(item) for item in part] for name, part in items.items()}
    if task:
        material["task"] = {key: value for key, value in task.items() if value}
    ids = frozenset(name for part in items.values() for item in part for name in item.records)
    request = ModelRequest("suggestion", "Suggest a solution", material, ids)
    return ask(workspace, request, Suggestions, approve, client)[1]


def _item_data(item: "AdviceItem") -> dict[str, Any]:
    data: dict[str, Any] = {"text": item.text, "why": item.why, "records": list(item.records)}
    if item.says:
        data["says"] = item.says
    return {**data, "confidence": item.confidence.word} if item.confidence else data
