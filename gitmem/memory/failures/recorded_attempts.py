"""The attempts that are recorded on an error."""

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Final

from gitmem.capture.recognising import errors_of_site
from gitmem.memory.core.fingerprints import fingerprints_of
from gitmem.memory.failures.verdicts import judged
from gitmem.records.convert import to_data

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.catalog.rows import Row
    from gitmem.memory.failures.access import RecordAccess

_MOST_LOOKED_UP: Final = 5
"""Errors of a file of which the same failure is looked for in others."""


def of_error(records: "RecordAccess", reference: str) -> "list[Row]":
    """Give the fix attempts of an error and of those with the same fingerprint, oldest first."""
    catalog = records.workspace.ask(lambda now: now.catalog)
    attempts = {
        fix.id: fix
        for error in _same_failure(records, reference)
        for relation, fix in catalog.linking_to(error)
        if relation == "fixes" and fix.kind == "fix"
    }
    fixes = sorted(attempts.values(), key=lambda fix: (fix.created, fix.id))
    return judged(records.workspace, fixes)


def of_errors(records: "RecordAccess", errors: "Iterable[Row]") -> "dict[str, Row]":
    """Give by id the fix attempts of the first errors, and of the same failures elsewhere."""
    newest = islice(errors, _MOST_LOOKED_UP)
    return {row.id: row for error in newest for row in of_error(records, error.id)}


def files_of(records: "RecordAccess", reference: str) -> list[str]:
    """Give the files where an error and those of the same failure were, the most hit first."""
    catalog = records.workspace.ask(lambda now: now.catalog)
    rows = catalog.by_id(_same_failure(records, reference)).values()
    hits = Counter(
        path
        for places in catalog.paths_of(row.file for row in rows).values()
        for role, path in places
        if role == "location"
    )
    return [path for path, _ in sorted(hits.items(), key=lambda hit: (-hit[1], hit[0]))]


def _same_failure(records: "RecordAccess", reference: str) -> set[str]:
    """Give the ids of an error and of those with the same fingerprint."""
    row = records.reader.find(reference, "error")
    fields = to_data(records.reader.show(row.id).record)
    prints = fingerprints_of(records.workspace, fields)
    catalog = records.workspace.ask(lambda now: now.catalog)
    return {row.id, *(similar.id for similar in errors_of_site(catalog, prints, fields))}
