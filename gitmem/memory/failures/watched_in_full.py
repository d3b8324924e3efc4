"""A failure that a text only names, where a watched command has shown the whole of it."""

from typing import TYPE_CHECKING, Any

from gitmem.capture.composing import error_fields_of
from gitmem.matching.fingerprint import NO_TYPES
from gitmem.memory.core.fingerprints import seen_in
from gitmem.memory.failures.observed_runs import timeline

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitmem.capture.fingerprinted import FingerprintedFailure
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.failures.access import RecordAccess


def watched_in_full(
    records: "RecordAccess", text: str, shown: "Sequence[FingerprintedFailure] | None" = None
) -> dict[str, Any] | None:
    """Give the fields of an error record of the failure that is meant by a text.

    Who writes down what was tried often sends a line of the output: the message, or the name of
    the test. A record of that alone would be a second one of the same failure, which nothing
    recognises by its place.

    Args:
        records: of the memory.
        text: what somebody calls the failure.
        shown: the failures that it shows, if they were looked for already.

    Returns:
        None where the text shows more than one failure, or says itself where it stands; where no
        failure of the newest runs fits, and where several do: of these, one alone may fail still.

    """
    named_fields = _named(records, text.strip(), shown)
    if named_fields is None:
        return None
    runs = timeline(records)
    newest = {(run.folder, run.command): run for run in runs}
    for some in (runs, newest.values()):
        fitting = {
            failure.site: error_fields_of(failure, run)
            for run in some
            for failure in run.failures
            if _is_meant(failure, named_fields)
        }
        if len(fitting) == 1:
            return next(iter(fitting.values()))
    return None


def shown_in_full(records: "RecordAccess", text: str, error_type: str) -> dict[str, Any] | None:
    """Give the fields of an error record of the one failure of a type that a text shows.

    They are those of a watched command, where one showed it, and else what the text says of it.

    Args:
        records: of the memory.
        text: such as a trace.
        error_type: what its type is said to be; what else the text may show is another failure.

    """
    fields = watched_in_full(records, text)
    if fields is None:
        return shown_by_itself(records.workspace, text, error_type)
    return fields if _is_of(fields, error_type) else None


def shown_by_itself(workspace: "Workspace", text: str, error_type: str) -> dict[str, Any] | None:
    """Give the same of a text that no command of this repository has printed."""
    failures = seen_in(workspace, text)
    fields = failures[0].fields if len(failures) == 1 else {}
    return fields if _is_of(fields, error_type) else None


def _is_of(fields: "Mapping[str, Any]", error_type: str) -> bool:
    name = str(fields.get("error_type", "")).rpartition(".")[2]
    return bool(name) and name == error_type.rpartition(".")[2]


def _named(
    records: "RecordAccess", text: str, shown: "Sequence[FingerprintedFailure] | None"
) -> dict[str, Any] | None:
    failures = seen_in(records.workspace, text) if shown is None else shown
    if not failures and len(text.split()) == 1:
        return {"test": {"name": text}}
    fields = failures[0].fields if len(failures) == 1 else None
    # A trace says all but which test failed, and the line that names a test may not say why.
    whole = fields is None or fields.get("location") or (fields.get("test") and "frames" in fields)
    return None if whole else fields


def _is_meant(failure: "FingerprintedFailure", fields: dict[str, Any]) -> bool:
    """Tell whether a failure agrees with all the fields that are given, and some are."""
    test, kind = (fields.get("test") or {}).get("name", ""), fields.get("error_type", "")
    if test and not any(_is_named(place, test) for place in failure.places):
        return False
    if kind and kind != failure.fields.get("error_type"):
        return False
    says = str(fields.get("message") or "").rstrip(". \N{HORIZONTAL ELLIPSIS}")
    if says and not str(failure.fields.get("message") or "").startswith(says):
        return False
    at, frames = fields.get("frames"), failure.fields.get("frames")
    if at and not (failure.fields.get("test") and frames and _place(at[-1]) == _place(frames[-1])):
        return False
    typed = kind or failure.fields.get("error_type") in NO_TYPES
    return bool(test or (typed and says))


def _place(frame: "Mapping[str, Any]") -> tuple[Any, Any]:
    return frame.get("file"), frame.get("line")


def _is_named(place: str, name: str) -> bool:
    """Tell whether a test is named in full, or by the end of its name."""
    return place == name or place.endswith((f"::{name}", f" {name}", f".{name}"))
