"""A model's summary of a session, beside the one that is built from facts."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import EnvironmentProblem
from gitmem.llm.answers import Summary
from gitmem.llm.approval import DeclinedError
from gitmem.llm.interactions import from_call, usage
from gitmem.llm.modelled import TAG, quoted_summary
from gitmem.memory.core.records import read_record
from gitmem.memory.models.interactions import interactions_of
from gitmem.memory.models.model_calls import ModelRequest, ask
from gitmem.memory.writing.session_records import produced
from gitmem.query import Filters

if TYPE_CHECKING:
    from gitmem.llm.approval import Approve
    from gitmem.llm.client import ModelClient
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.writing.writer import Writer
    from gitmem.records.kinds import Session

_MOST: Final = 40
_TEXT_FIELDS: Final = ("outcome", "cause", "lessons", "why_failed", "rationale")


def summarise(
    writer: "Writer",
    session: str,
    fields: Mapping[str, Any],
    approve: "Approve | None",
    client: "ModelClient | None" = None,
) -> dict[str, Any]:
    """Add a model's summary to the fields of a session; see ``Models.summarise``."""
    workspace = writer.workspace
    drafted = writer.sessions.draft(
        session,
        success=fields.get("success"),
        produced=lambda record_id: produced(workspace, record_id),
    )
    facts = (fields.get("summary") or "").strip() or drafted.summary
    request = _request(workspace, drafted, facts)
    try:
        summary, answer = ask(workspace, request, Summary, approve, client)
    except (DeclinedError, EnvironmentProblem) as error:
        workspace.notices.append(f"{error.message}; the summary is that of the facts")
        return dict(fields)
    workspace.notices.extend(answer.notes)
    earlier = interactions_of(workspace, drafted.id)
    return {
        **fields,
        "summary": f"{facts}\n\n{quoted_summary(answer, summary)}",
        "tags": [*fields.get("tags", ()), TAG],
        "llm": usage([*earlier, from_call(answer.call)]),
    }


def _request(workspace: "Workspace", session: "Session", facts: str) -> ModelRequest:
    wanted = Filters(sessions=(session.id,))
    rows = workspace.ask(lambda now: now.catalog.rows(wanted, "oldest"))
    records = []
    for row in rows[:_MOST]:
        record = read_record(workspace, row)
        texts = {name: str(getattr(record, name, "") or "") for name in _TEXT_FIELDS}
        about = {"id": row.id, "kind": row.kind, "title": row.title}
        records.append(about | {name: text for name, text in texts.items() if text})
    material = {
        "goal": session.goal,
        "success": session.success,
        "facts": facts,
        "notes": [event.text for event in session.events if event.text][:_MOST],
        "records": records,
    }
    ids = frozenset(str(record["id"]) for record in records)
    return ModelRequest("session-summary", "Summarise the session", material, ids, session.id)
