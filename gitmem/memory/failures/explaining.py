"""Why an error is recognised, or is not: one text alone, or against a record or another text."""

import re
from functools import partial
from typing import TYPE_CHECKING

from gitmem.matching.explained import Explained, explained
from gitmem.matching.parse import main_failure
from gitmem.matching.recorded import from_fields
from gitmem.memory.core.fingerprints import fields_of
from gitmem.memory.core.matchers import matchers_of
from gitmem.memory.core.redaction import redact
from gitmem.memory.core.team_rules import mask_rules
from gitmem.records.convert import to_data

if TYPE_CHECKING:
    from gitmem.memory.failures.access import RecordAccess
    from gitmem.output.failure import Failure

# Without its kind an id is told from a word by a digit.
_REFERENCE = re.compile(r"(?:err-[0-9a-z]{0,10}|(?=[a-z]*\d)[0-9a-z]{1,10})\Z")


def explain_fingerprint(records: "RecordAccess", text: str, against: str | None) -> Explained:
    """Explain the first failure in a text.

    Args:
        records: the memory.
        text: an error text.
        against: id of an error record, or another text; None: compare it with nothing.

    """
    other = _other(records, against) if against is not None else None
    workspace = records.workspace
    return explained(
        text,
        other,
        mask_rules(workspace.site, workspace.notices),
        partial(_as_recorded, records),
        matchers_of(workspace),
    )


def _as_recorded(records: "RecordAccess", failure: "Failure") -> "Failure":
    """Give a failure as a record would hold it: without secrets, and what a record keeps."""
    return from_fields(redact(records.workspace, fields_of(records.workspace, failure))[0])


def _other(records: "RecordAccess", against: str) -> "Failure":
    if not _REFERENCE.match(against):
        return _as_recorded(records, main_failure(against, matchers=matchers_of(records.workspace)))

    row = records.reader.find(against, "error")
    return from_fields(to_data(records.reader.show(row.id).record))
