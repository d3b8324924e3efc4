"""The failure that was watched last: recorded, or resolved, without typing it anew."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gitmem.capture.composing import error_fields_of
from gitmem.capture.lesson_log import GoneFailure, LessonLog
from gitmem.capture.recognising import errors_of_site
from gitmem.errors import NotFoundError
from gitmem.memory.core.fingerprints import fingerprints_of
from gitmem.memory.core.redaction import redact
from gitmem.memory.failures.observed_runs import timeline

if TYPE_CHECKING:
    from gitmem.memory.failures.access import RecordAccess
    from gitmem.records.kinds import Record


def last_failure(records: "RecordAccess") -> dict[str, Any]:
    """Give the fields of an error record of the newest failure that was watched here.

    Raises:
        NotFoundError: no watched command failed.

    """
    reds = [run for run in timeline(records) if run.failures]
    if not reds:
        raise NotFoundError(
            "no watched command failed in this work tree", "watch one with: gitmem run -- COMMAND"
        )
    return error_fields_of(reds[-1].failures[0], reds[-1])


def resolve_last(records: "RecordAccess", fields: Mapping[str, Any]) -> "Record":
    """Write down what fixed the failure that passed last without an edit, else the newest one.

    Args:
        records: of the memory.
        fields: of the fix.

    """
    gone = _last_gone(records)
    error_id, _ = error_of(records, gone.error if gone else last_failure(records))
    verification = dict(fields.get("verification", {}))
    if gone:
        verification = {
            "command": gone.command,
            "before": {"result": "failed"},
            "after": {"result": "passed"},
            **verification,
        }
    given = {**fields, **({"verification": verification} if verification else {})}
    if gone and gone.around and not given.get("steps"):
        given["notes"] = given.get("notes") or f"What differed: {'; '.join(gone.around)}"
    links = {"fixes": [error_id]}
    return records.writer.add("fix", {"outcome": "worked", "title": None, **given, "links": links})


def error_of(records: "RecordAccess", error: dict[str, Any]) -> tuple[str, bool]:
    """Give the record of a watched failure, written where there is none; tell whether it was.

    Args:
        records: of the memory.
        error: the fields of an error record.

    """
    prints = fingerprints_of(records.workspace, error)
    errors = records.workspace.ask(lambda snapshot: errors_of_site(snapshot.catalog, prints, error))
    if errors:
        return errors[-1].id, False
    return records.writer.add("error", dict(redact(records.workspace, error)[0])).id, True


def _last_gone(records: "RecordAccess") -> GoneFailure | None:
    places = records.workspace.site.git_dirs
    name = places.git_dir if places else records.workspace.site.root
    return LessonLog(records.workspace.journal, name).last_gone()
