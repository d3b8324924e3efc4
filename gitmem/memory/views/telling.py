"""A record or a run with everything that is known around it: for pages that are read."""

from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.capture.recognising import Match
from gitmem.capture.runs import FingerprintedFailure, Run
from gitmem.capture.telling import MatchDetails
from gitmem.matching.labels import SAME_ERROR
from gitmem.memory.core.fingerprints import fingerprints_of
from gitmem.memory.failures.matching import match
from gitmem.records.kinds import Error

if TYPE_CHECKING:
    from gitmem.answers import Shown
    from gitmem.git.provenance import Origin
    from gitmem.memory.failures.knowing import AttemptReader
    from gitmem.memory.memory import Memory

_MOST_ATTEMPTS: Final = 30


class RecordPage(NamedTuple):
    """A record, of an error what was tried on it, and the commit that added it, if there is one."""

    shown: "Shown"
    told: MatchDetails | None
    origin: "Origin | None"


def whole(memory: "Memory", teller: "AttemptReader", reference: str) -> RecordPage:
    """Give one record with what was tried on it and on those that are the same error."""
    shown = memory.show(reference)
    told = None
    if isinstance(shown.record, Error):
        told = teller.tell(_recognised(memory, shown), _MOST_ATTEMPTS)
    return RecordPage(shown, told, teller.origin(shown.row))


def _recognised(memory: "Memory", shown: "Shown") -> Match:
    """Recognise an error record as its failure would be, were it to show again."""
    from gitmem.records.convert import to_data

    fields = to_data(shown.record)
    made = fingerprints_of(memory.workspace, fields)
    seen = FingerprintedFailure(made.exact, made.site, made.template, made.kind, fields)
    (found,) = match(memory.reader, memory.failures.drafts, [seen])
    own = [row for relation, row in shown.backlinks if relation == "fixes" and row.kind == "fix"]
    if not found.is_known:
        return Match(
            seen, SAME_ERROR, still=False, errors=(shown.row,), attempts=tuple(own), drafts=()
        )
    fixes = {row.id: row for row in (*found.attempts, *own)}
    return found._replace(attempts=tuple(fixes.values()))


def of_run(memory: "Memory", teller: "AttemptReader", run: Run, most: int) -> list[MatchDetails]:
    """Tell what is known about the failures of an observed run, at most so many, in their order."""
    return [
        teller.tell(one)
        for one in match(memory.reader, memory.failures.drafts, run.failures[:most])
    ]
