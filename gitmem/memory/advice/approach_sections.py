"""What was tried before as sections of a context: each approach once, where its outcomes put it."""

from typing import TYPE_CHECKING, Final

from gitmem.learning.advice import AVOID, PARTIAL, WORKED, groups
from gitmem.learning.context import ContextEntry, ContextSection
from gitmem.memory.advice.context_entries import record_entry
from gitmem.memory.advice.trials import trials_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gitmem.catalog.rows import Row
    from gitmem.learning.advice import ApproachGroup
    from gitmem.memory.core.workspace import Workspace
    from gitmem.records.kinds import Record

_TITLES: Final = {
    "worked": "What worked before",
    "avoid": "What to avoid",
    "unverified": "Suggested, or outcome unknown",
}


def approach_sections(
    workspace: "Workspace",
    fixes: "Sequence[Row]",
    read: "Callable[[Row], Record | None]",
    most: int,
) -> tuple[ContextSection, ...]:
    """Give what worked, what to avoid and what is not known, each approach once.

    An approach is shown by the attempt that tells most of it, with the outcomes of all of them.

    Args:
        workspace: of the memory.
        fixes: the attempts, best first.
        read: reads the record of one; None: it is gone or broken by now.
        most: so many approaches are read.

    """
    rows = {row.id: row for row in fixes}
    place = {name: at for at, name in enumerate(rows)}
    approaches = groups(trials_of(workspace, fixes, ""))
    approaches.sort(key=lambda group: place[group.trials[0].id])
    entries: dict[str, list[ContextEntry]] = {name: [] for name in _TITLES}
    for group in approaches[:most]:
        leading = group.trials[0]
        row = rows[leading.id]._replace(verdict=leading.verdict)
        if record := read(row):
            entry = record_entry(row, record)
            if len(group.trials) > 1:
                entry = entry._replace(about=(group.why, *entry.about))
            entries[_section(group)].append(entry)
    return tuple(
        ContextSection(name, title, "record", tuple(entries[name]))
        for name, title in _TITLES.items()
    )


def _section(group: "ApproachGroup") -> str:
    if group.sort == AVOID:
        return "avoid"
    helped = any(trial.verdict in (WORKED, PARTIAL) for trial in group.trials)
    return "worked" if helped else "unverified"
