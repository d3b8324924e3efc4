"""The summary of a session by a model, beside the one that is put together from the facts."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import EnvironmentProblem
from gitmem.llm.answers import Summary
from gitmem.llm.modelled import TAG, quoted_summary
from gitmem.memory.core.records import read_record
from gitmem.memory.models import interactions
from gitmem.memory.models.modelling import Approve, DeclinedError, Matter, ModelClient, ask
from gitmem.memory.models.spending import as_interactions
from gitmem.memory.writing.session_records import produced
from gitmem.query import Filters

if TYPE_CHECKING:
    from gitmem.memory.writable import Writable
    from gitmem.records.kinds import Session

_MOST: Final = 40
_TOLD: Final = ("outcome", "cause", "lessons", "why_failed", "rationale")


def summarised(
    memory: "Writable",
    session: str,
    told: Mapping[str, Any],
    approve: Approve | None,
    speaker: ModelClient | None = None,
) -> dict[str, Any]:
    """Give what is said at a session's end, with a model's summary below that of the facts.

    Where the model can't be asked or gives no good answer, a notice says so, and the summary is
    that of the facts.

    Args:
        memory: the memory.
        session: id of the session.
        told: what the caller says.
        approve: see ``modelling.ask``.
        speaker: likewise.

    Raises:
        UsageError: no model is set, the call has to be approved and nobody can be asked, or the
            budget is spent. The session stays live.

    """
    success = told.get("success")
    drafted = memory.sessions.draft(
        session, success=success, produced=lambda made: produced(memory.workspace, made)
    )
    facts = (told.get("summary") or "").strip() or drafted.summary
    matter = _matter(memory, drafted, facts)
    try:
        summary, said = ask(memory, matter, Summary, approve, speaker)
    except (DeclinedError, EnvironmentProblem) as error:
        memory.derived.notices.append(f"{error.message}; the summary is that of the facts")
        return dict(told)
    memory.derived.notices += said.notes
    earlier = interactions.of(memory, drafted.id)
    return {
        **told,
        "summary": f"{facts}\n\n{quoted_summary(said, summary)}",
        "tags": [*told.get("tags", ()), TAG],
        "llm": interactions.usage([*earlier, *as_interactions([said.call])]),
    }


def _matter(memory: "Writable", session: "Session", facts: str) -> Matter:
    rows = memory.derived.catalog().rows(Filters(sessions=(session.id,)), "oldest")
    records = []
    for row in rows[:_MOST]:
        record = read_record(memory.workspace, row)
        said = {name: str(getattr(record, name, "") or "") for name in _TOLD}
        about = {"id": row.id, "kind": row.kind, "title": row.title}
        records.append(about | {name: text for name, text in said.items() if text})
    material = {
        "goal": session.goal,
        "success": session.success,
        "facts": facts,
        "notes": [event.text for event in session.events if event.text][:_MOST],
        "records": records,
    }
    known = frozenset(str(one["id"]) for one in records)
    return Matter("session-summary", "Summarise the session", material, known, session.id)
