"""Helpful or not: what users say of an answer, noted with the failure it was given for."""

from typing import TYPE_CHECKING

from gitmem.capture.feedback import Feedback, Judgement
from gitmem.capture.redaction import redact_data
from gitmem.matching.parse import parse
from gitmem.memory.core.fingerprints import fingerprinted
from gitmem.memory.failures.attempting import observed_runs
from gitmem.store.journal import Journal

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.memory.memory import Memory


def judge(memory: "Memory", reference: str, question: str, *, helpful: bool) -> Judgement:
    """Note a verdict on a record.

    Args:
        memory: the memory.
        reference: of the record.
        question: what it was shown for; empty: the failure that is live here and known as
            this record, if there is one.
        helpful: it helped.

    """
    row = memory.find(reference)
    site = ""
    if question:
        failures = parse(question)
        site = fingerprinted(memory.workspace, failures[0]).site if failures else ""
        question = str(redact_data({"q": question}, environ=memory.others_environ)[0]["q"])
    else:
        site, question = _live(memory, row)
    verdict = Judgement(memory.now(), row.id, helpful, site, question)
    Feedback(Journal(memory.site.journal)).add(verdict)
    return verdict


def _live(memory: "Memory", row: "Row") -> tuple[str, str]:
    """Find the live failure that a record was shown for: its site and its text, redacted."""
    catalog = memory.derived.opened
    about = {row.id} | {error.id for error in catalog.linked_from(row.file, "fixes")}
    for runs in reversed(observed_runs(memory)):
        for seen in runs[-1].failures:
            if about & {error.id for error in catalog.errors_with("site", seen.site)}:
                return seen.site, str(seen.fields.get("excerpt") or seen.title)
    return "", ""
