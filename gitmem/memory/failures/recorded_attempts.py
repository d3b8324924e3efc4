"""The attempts that are recorded on an error."""

from typing import TYPE_CHECKING

from gitmem.capture.recognising import errors_of_site
from gitmem.memory.core.fingerprints import fingerprints_of
from gitmem.memory.failures.verdicts import judged

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.memory.failures.access import RecordAccess


def of_error(records: "RecordAccess", reference: str) -> "list[Row]":
    """Give the fix attempts of an error and of those with the same fingerprint, oldest first."""
    from gitmem.records.convert import to_data

    row = records.reader.find(reference, "error")
    fields = to_data(records.reader.show(row.id).record)
    prints = fingerprints_of(records.workspace, fields)
    catalog = records.workspace.ask(lambda now: now.catalog)
    errors = {row.id, *(similar.id for similar in errors_of_site(catalog, prints, fields))}
    attempts = {
        fix.id: fix
        for error in errors
        for relation, fix in catalog.linking_to(error)
        if relation == "fixes" and fix.kind == "fix"
    }
    fixes = sorted(attempts.values(), key=lambda fix: (fix.created, fix.id))
    return judged(records.workspace, fixes)
