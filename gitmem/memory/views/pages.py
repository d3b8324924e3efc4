"""A record or a run with everything known around it, for pages."""

from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.observed import Match
from gitmem.capture.runs import Run
from gitmem.capture.telling import MatchDetails
from gitmem.matching.labels import SAME_ERROR
from gitmem.memory.core.fingerprints import fingerprints_of
from gitmem.memory.failures.matching import match
from gitmem.records.convert import to_data
from gitmem.records.kinds import Error

if TYPE_CHECKING:
    from gitmem.answers.found import Shown
    from gitmem.git.provenance import Origin
    from gitmem.memory.failures.access import RecordAccess
    from gitmem.memory.failures.knowing import AttemptReader

_MOST_ATTEMPTS: Final = 30


class RecordPage(NamedTuple):
    """A record with what is known around it.

    Attributes:
        shown: the record, with those that it is linked with.
        details: of an error, what was tried on it; None for other kinds.
        origin: the commit that added it; None while it is in none.

    """

    shown: "Shown"
    details: MatchDetails | None
    origin: "Origin | None"


def record_page(records: "RecordAccess", attempts: "AttemptReader", reference: str) -> RecordPage:
    """Give one record with what was tried on it and on those that are the same error."""
    shown = records.reader.show(reference)
    details = None
    if isinstance(shown.record, Error):
        details = attempts.tell(_recognised(records, shown), _MOST_ATTEMPTS)
    return RecordPage(shown, details, attempts.origin(shown.row))


def _recognised(records: "RecordAccess", shown: "Shown") -> Match:
    """Recognise an error record as its failure would be, were it to show again."""
    fields = to_data(shown.record)
    prints = fingerprints_of(records.workspace, fields)
    failure = FingerprintedFailure(*prints.values, fields)
    (hit,) = match(records.reader, [failure])
    own = [row for relation, row in shown.backlinks if relation == "fixes" and row.kind == "fix"]
    if not hit.is_known:
        return Match(
            failure, SAME_ERROR, still=False, errors=(shown.row,), attempts=tuple(own), drafts=()
        )
    fixes = {row.id: row for row in (*hit.attempts, *own)}
    return hit._replace(attempts=tuple(fixes.values()))


def run_page(
    records: "RecordAccess", attempts: "AttemptReader", run: Run, most: int
) -> list[MatchDetails]:
    """Give what is known about the failures of an observed run, at most so many, in their order."""
    hits = match(records.reader, run.failures[:most])
    return [attempts.tell(hit) for hit in hits]
