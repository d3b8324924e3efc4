"""A record or a run with everything that is known around it: for pages that are read."""

from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.capture.recognising import Recognised, recognise
from gitmem.capture.runs import Run, Seen
from gitmem.capture.telling import Told
from gitmem.matching.labels import SAME_ERROR
from gitmem.memory.failures.matching import match
from gitmem.memory.wiring import prints
from gitmem.records.kinds import Error

if TYPE_CHECKING:
    from gitmem.answers import Shown
    from gitmem.git.provenance import Origin
    from gitmem.memory.failures.knowing import Teller
    from gitmem.memory.memory import Memory

_MOST_ATTEMPTS: Final = 30


class Whole(NamedTuple):
    """A record, of an error what was tried on it, and the commit that added it, if there is one."""

    shown: "Shown"
    told: Told | None
    origin: "Origin | None"


def whole(memory: "Memory", teller: "Teller", reference: str) -> Whole:
    """Give one record with what was tried on it and on those that are the same error."""
    shown = memory.show(reference)
    told = None
    if isinstance(shown.record, Error):
        told = teller.tell(_recognised(memory, shown), _MOST_ATTEMPTS)
    return Whole(shown, told, teller.origin(shown.row))


def _recognised(memory: "Memory", shown: "Shown") -> Recognised:
    """Recognise an error record as its failure would be, were it to show again."""
    from gitmem.records.convert import to_data  # noqa: PLC0415  start-up: imports YAML

    fields = to_data(shown.record)
    made = prints(memory, fields)
    seen = Seen(made.exact, made.site, made.template, made.kind, fields)
    found = recognise(memory.derived.opened, memory.drafts, seen)
    own = [row for relation, row in shown.backlinks if relation == "fixes" and row.kind == "fix"]
    if not found.is_known:
        return Recognised(
            seen, SAME_ERROR, still=False, errors=(shown.row,), attempts=tuple(own), drafts=()
        )
    fixes = {row.id: row for row in (*found.attempts, *own)}
    return found._replace(attempts=tuple(fixes.values()))


def of_run(memory: "Memory", teller: "Teller", run: Run, most: int) -> list[Told]:
    """Tell what is known about the failures of an observed run, at most so many, in their order."""
    return [teller.tell(one) for one in match(memory, memory.drafts, run.failures[:most])]
