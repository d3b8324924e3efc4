"""Writing a record unless the same one exists."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gitmem.errors import UsageError

if TYPE_CHECKING:
    from gitmem.memory import Memory

_SAME_TITLE = "SELECT id FROM all_records WHERE kind = ? AND title = ? ORDER BY created DESC"


def write_once(
    memory: "Memory", kind: str, fields: Mapping[str, Any], compared: str
) -> tuple[str, bool]:
    """Write a record unless one of its title says the same; give its id, and whether it is new.

    Args:
        memory: the memory.
        kind: of the record.
        fields: of the record, with its title.
        compared: the field that says it.

    Raises:
        UsageError: that field is empty.

    """
    text = str(fields[compared]).strip()
    if not text:
        raise UsageError(f"{compared} is empty", "there is nothing to remember")
    with memory.workspace.one_at_a_time():  # agents store what they learnt at once
        for (name,) in memory.statistics.query(_SAME_TITLE, (kind, str(fields["title"]))).rows:
            if str(getattr(memory.show(name).record, compared, "")).strip() == text:
                return str(name), False
        return memory.add(kind, fields).id, True


def resolved_new(memory: "Memory", error: Mapping[str, Any], fix: Mapping[str, Any]) -> str:
    """Write down that an error was met and what was tried on it: both or neither.

    Args:
        memory: the memory.
        error: fields of the error.
        fix: fields of the fix.

    Returns:
        The fix's id.

    """
    memory.records.writer.refuse_wrong("fix", fix)
    # ``resolve`` would look the error up, for which the catalog first has to take it in.
    links = {"fixes": [memory.add("error", error).id]}
    return memory.add("fix", {**fix, "links": links}).id


def resolve_once(memory: "Memory", message: str, fields: Mapping[str, Any]) -> str:
    """Record a fix of an error, which is recorded first if it is new, unless it is there already.

    Args:
        memory: the memory.
        message: of the error.
        fields: of the fix, with its approach, outcome and notes.

    Returns:
        The fix's id.

    """
    with memory.workspace.one_at_a_time():
        matches = [match for match in memory.hint(message) if match.is_known and match.errors]
        error = matches[0].errors[-1].id if matches else _recorded(memory, message)
        for relation, row in memory.show(error).backlinks:
            record = memory.show(row.id).record if relation == "fixes" else None
            if record and all(getattr(record, name) == value for name, value in fields.items()):
                return row.id
        return memory.resolve(error, fields).id


def _recorded(memory: "Memory", text: str) -> str:
    taken = memory.failures.record_text(text)
    return (*taken.ids, *taken.known)[0]
