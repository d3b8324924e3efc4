"""What a context says of failures: which are known, and what was tried on those of a run."""

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.learning.retry_verdict import STOP
from gitmem.matching.basis import GUESS, basis_of
from gitmem.memory.advice.context_entries import edit_entry, fact
from gitmem.memory.advice.retry_verdicts import verdict_on_runs
from gitmem.memory.core.fingerprints import seen_in
from gitmem.memory.failures.attempting import live
from gitmem.memory.failures.matching import match

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitmem.capture.observed import Match
    from gitmem.capture.runs import Run
    from gitmem.learning.context import ContextEntry
    from gitmem.memory.failures.access import RecordAccess

_MOST_MATCHED: Final = 5


class FailureReport(NamedTuple):
    """What is known of what a context is about.

    Attributes:
        matches: the failures, with what the memory knows of each.
        reasons: to stop instead of going on; none: nothing speaks against it.
        edits: that were tried on what fails now, the newest of each failure first.

    """

    matches: "list[Match]"
    reasons: "tuple[ContextEntry, ...]"
    edits: "tuple[ContextEntry, ...]"


def reported(
    records: "RecordAccess", runs: "Sequence[Run]", text: str, *, failing: bool
) -> FailureReport:
    """Report on failures.

    Args:
        records: of the memory.
        runs: of the command that fails now, oldest first; none: nothing fails.
        text: what is asked about.
        failing: what fails now is asked about instead.

    """
    failures = list(runs[-1].failures) if runs and failing else []
    if text and not failing:
        failures = seen_in(records.workspace, text)
    some = failures[:_MOST_MATCHED]
    matches = match(records.reader, some) if some else []
    if text and not any(each.label or each.similar for each in matches):
        # Of words about a failure each may sound like one: they are searched for.
        matches = [each for each in matches if not _may_be_words(each.seen.fields)]
    if not runs:
        return FailureReport(matches, (), ())
    verdict = verdict_on_runs(records.workspace, runs)
    edits = (
        edit_entry(failure.episode.seen.title, edit)
        for failure in live(records)
        for edit in reversed(failure.edits)
    )
    reasons = tuple(fact(STOP, reason.text) for reason in verdict.reasons)
    return FailureReport(matches, reasons, tuple(edits))


def _may_be_words(fields: "Mapping[str, Any]") -> bool:
    return basis_of(fields) == GUESS and not fields.get("error_type")
