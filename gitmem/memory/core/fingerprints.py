"""Failures as this repository records them: paths from its root, redacted, fingerprinted."""

import os
from typing import TYPE_CHECKING, Any

from gitmem.capture.fingerprinted import FingerprintedFailure, places_of
from gitmem.memory.core.redaction import redact
from gitmem.memory.core.team_rules import mask_rules
from gitmem.output.failure import as_fields

if TYPE_CHECKING:
    from gitmem.matching.fingerprint import Fingerprints
    from gitmem.memory.core.workspace import Workspace
    from gitmem.output.failure import Failure


def fingerprints_of(workspace: "Workspace", fields: "dict[str, Any]") -> "Fingerprints":
    """Give the fingerprints of an error record's fields, by the team's rules too."""
    from gitmem.matching.recorded import prints_of

    return prints_of(fields, mask_rules(workspace.site, workspace.notices))


def fields_of(workspace: "Workspace", failure: "Failure", entered: str = "") -> "dict[str, Any]":
    """Give the fields of an error record of a failure; paths are relative to the repository.

    Args:
        workspace: the repository.
        failure: the failure.
        entered: the folder that its command went to; empty: none.

    """
    from gitmem.capture.localise import localised

    root = workspace.site.repository_root
    home = workspace.environ.get("HOME", "")
    fields = dict(localised(as_fields(failure), [root, os.path.realpath(root)], home))
    folder = os.path.realpath(os.path.join(workspace.start, entered))
    inside = os.path.relpath(folder, os.path.realpath(root))
    if inside != os.curdir and not inside.startswith(os.pardir):
        _from_root(fields, root, inside)
    return fields


def fingerprinted(
    workspace: "Workspace", failure: "Failure", entered: str = ""
) -> "FingerprintedFailure":
    """Give a failure, redacted, with the fingerprints that a record of it would have.

    Args:
        workspace: the repository.
        failure: the failure.
        entered: the folder that its command went to; empty: none.

    """
    fields = dict(redact(workspace, fields_of(workspace, failure, entered))[0])
    prints = fingerprints_of(workspace, fields)
    return FingerprintedFailure(*prints.values, fields, places_of(fields))


def seen_in(workspace: "Workspace", text: str) -> "list[FingerprintedFailure]":
    """Give the failures in an error text, in order of appearance; none of them is a warning."""
    from gitmem.matching.parse import parse  # noqa: PLC0415  start-up
    from gitmem.memory.core.matchers import matchers_of

    failures = [
        failure
        for failure in parse(text, matchers=matchers_of(workspace))
        if failure.severity not in {"consequence", "warning"}
    ]
    return [fingerprinted(workspace, failure) for failure in failures]


def _from_root(fields: "dict[str, Any]", root: str, folder: str) -> None:
    """Name files from the repository's root that a command below it named from its folder."""
    for location in (*fields.get("frames", ()), fields.get("location") or {}):
        if path := location.get("file", ""):
            location["file"] = _path_from_root(path, root, folder)
    test = fields.get("test") or {}
    file, joint, inner = str(test.get("name", "")).partition("::")
    if file:
        test["name"] = f"{_path_from_root(file, root, folder)}{joint}{inner}"


def _path_from_root(path: str, root: str, folder: str) -> str:
    if path.startswith(("/", "~", "<")):
        return path
    longer = os.path.normpath(os.path.join(folder, path))
    is_there = os.path.exists(os.path.join(root, longer))
    moved = is_there and not os.path.exists(os.path.join(root, path))
    return longer.replace(os.sep, "/") if moved else path
