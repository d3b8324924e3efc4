"""What users make of an answer: they say that it helped or not, or apply it.

It is noted with the failure that the answer was given for.
"""

from typing import TYPE_CHECKING

from gitmem.capture.feedback import APPLIED, Feedback, Judgement, RecordUse
from gitmem.matching.parse import parse
from gitmem.memory.core.fingerprints import fingerprinted
from gitmem.memory.core.matchers import matchers_of
from gitmem.memory.failures.observed_runs import observed_runs
from gitmem.redaction import redact_data
from gitmem.store import shown_answer

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.memory.failures.access import RecordAccess


def judge(records: "RecordAccess", reference: str, question: str, *, helpful: bool) -> Judgement:
    """Note a verdict on a record.

    Args:
        records: the memory.
        reference: of the record.
        question: what it was shown for; empty: the failure that is live here and known as
            this record, if there is one.
        helpful: it helped.

    """
    row = records.reader.find(reference)
    site = ""
    if question:
        failures = parse(question, matchers=matchers_of(records.workspace))
        site = fingerprinted(records.workspace, failures[0]).site if failures else ""
        question = str(
            redact_data({"q": question}, environ=records.workspace.others_environ)[0]["q"]
        )
    else:
        site, question = _live(records, row)
    verdict = Judgement(records.workspace.clock(), row.id, helpful, site, question)
    Feedback(records.workspace.journal).add(verdict)
    return verdict


def note_applied(records: "RecordAccess", row: "Row") -> None:
    """Note that a fix was applied, for the failure that is live here or was asked about last."""
    workspace = records.workspace
    site, _ = _live(records, row)
    answer = None if site else shown_answer.last(workspace.site.derived)
    if answer and any(row.id in ids for ids in answer.hits):
        site = answer.site
    Feedback(workspace.journal).add_use(RecordUse(workspace.clock(), row.id, APPLIED, site))


def _live(records: "RecordAccess", row: "Row") -> tuple[str, str]:
    """Find the live failure that a record was shown for: its site and its text, redacted."""
    catalog = records.workspace.ask(lambda now: now.catalog)
    fixed = catalog.fixed_by([row.file]).get(row.file, ())
    about = {row.id} | {error.id for error in fixed}
    for runs in reversed(observed_runs(records)):
        for failure in runs[-1].failures:
            if about & {error.id for error in catalog.errors_with("site", failure.site)}:
                return failure.site, str(failure.fields.get("excerpt") or failure.title)
    return "", ""
