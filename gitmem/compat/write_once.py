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
    for (name,) in memory.statistics.query(_SAME_TITLE, (kind, str(fields["title"]))).rows:
        if str(getattr(memory.show(name).record, compared, "")).strip() == text:
            return str(name), False
    return memory.add(kind, fields).id, True
