"""Failures as this repository records them: paths from its root, redacted, fingerprinted."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gitmem.capture.fingerprinted import FingerprintedFailure, places_of
from gitmem.errors import GitmemError
from gitmem.memory.core.redaction import redact
from gitmem.memory.core.team_rules import mask_rules
from gitmem.output.failure import as_fields
from gitmem.system import home_of, relative_path

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
    home = home_of(workspace.environ)
    real = os.path.realpath(root)
    roots = [root, real, *_by_link(workspace, real)]
    fields = dict(localised(as_fields(failure), roots, home))
    folder = os.path.realpath(os.path.join(workspace.start, entered))
    inside = relative_path(folder, real)
    _from_root(fields, root, os.curdir if inside.startswith(os.pardir) else inside)
    _with_folders(workspace, fields)
    return fields


def _by_link(workspace: "Workspace", root: str) -> list[str]:
    """Give the root as the shell names it, which came by a link: macOS' /var is /private/var."""
    typed = workspace.environ.get("PWD", "")
    start = os.path.realpath(workspace.start)
    if not os.path.isabs(typed) or typed == start or os.path.realpath(typed) != start:
        return []
    inside = relative_path(start, root)
    if inside == os.curdir:
        return [typed]
    return [typed.removesuffix(f"/{inside}")] if typed.endswith(f"/{inside}") else []


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
    from gitmem.matching.parse import parse
    from gitmem.memory.core.matchers import matchers_of

    failures = [
        failure
        for failure in parse(text, matchers=matchers_of(workspace))
        if failure.severity not in {"consequence", "warning"}
    ]
    return [fingerprinted(workspace, failure) for failure in failures]


def _from_root(fields: "dict[str, Any]", root: str, folder: str) -> None:
    """Name files as git does, from the repository's root, that a command named from a folder."""
    for location in (*fields.get("frames", ()), fields.get("location") or {}):
        if path := location.get("file", ""):
            location["file"] = _path_from_root(path, root, folder)
    test = fields.get("test") or {}
    file, joint, inner = str(test.get("name", "")).partition("::")
    if file:
        test["name"] = f"{_path_from_root(file, root, folder)}{joint}{inner}"


def _with_folders(workspace: "Workspace", fields: "dict[str, Any]") -> None:
    """Give files that a tool names without their folders their paths, where one can be meant.

    A frame of Java names ``PriceTest.java``: of several the one in the folder of its package.
    """
    site = workspace.site
    frames = [frame for frame in fields.get("frames", ()) if frame.get("in_app")]
    places = [*frames, *([fields["location"]] if fields.get("location") else [])]
    bare = {name for place in places if "/" not in (name := place.get("file", ""))}
    bare = {
        name
        for name in bare
        if "." in name and not os.path.exists(os.path.join(site.repository_root, name))
    }
    if not bare or site.git_dirs is None:
        return
    from gitmem.git.named_files import files_named

    try:
        paths = files_named(site.git_dirs, bare)
    except GitmemError:
        return  # the bare name is true, too
    functions = {frame["file"]: str(frame.get("function", "")) for frame in frames}
    whole = {name: _one_of(paths.get(name, []), functions.get(name, "")) for name in bare}
    for place in places:
        place["file"] = whole.get(place.get("file", "")) or place.get("file", "")


def _one_of(paths: Sequence[str], function: str) -> str:
    """Give the only file that can be meant; empty if there is none, or one of several."""
    package = function.rpartition(".")[0].rpartition(".")[0].replace(".", "/")
    inside = [path for path in paths if f"/{path.rpartition('/')[0]}".endswith(f"/{package}")]
    meant = paths if len(paths) == 1 else inside
    return meant[0] if len(meant) == 1 else ""


def _path_from_root(path: str, root: str, folder: str) -> str:
    if path.startswith(("/", "~", "<")):
        return path
    plain = path.replace("\\", "/")
    if os.path.exists(os.path.join(root, plain)):
        return plain
    longer = os.path.normpath(os.path.join(folder, plain))
    return longer.replace(os.sep, "/") if os.path.exists(os.path.join(root, longer)) else path
