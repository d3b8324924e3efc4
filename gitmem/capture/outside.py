"""Failures that no edit of the code fixes: something is missing around it. Pure."""

import re
from collections.abc import Collection, Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Final

from gitmem.capture.episodes import Episode, files_in
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.patches import Patch
from gitmem.capture.roles import is_document
from gitmem.capture.runs import Run
from gitmem.capture.surroundings import differences
from gitmem.diffs import REMOVED
from gitmem.lazy_pattern import lazily
from gitmem.tools.choice import values

_MISSING: Final = lazily(
    r"No module named|ModuleNotFoundError|Cannot find (?:module|package)|command not found"
    r"|not found: |: not found|No such file or directory|FileNotFoundError|ENOENT"
    r"|[Cc]onnection refused|ECONNREFUSED|[Aa]ddress already in use|EADDRINUSE"
    r"|[Pp]ermission denied|EACCES|environment variable|could not connect|[Cc]an't connect"
    r"|DistributionNotFound|PackageNotFoundError|executable (?:file )?not found"
    r"|cannot open shared object|No space left|Unable to locate package|could not be resolved"
)
_NAMES_A_FILE: Final = lazily(
    r"No such file or directory|ENOENT|FileNotFound|[Pp]ermission denied|EACCES|cannot open"
)
_READS_OUTSIDE: Final = lazily(
    r"(?i)\b(?:open|path|file|read\w*|load\w*)\s*\(\s*(?:[rbuf]{0,2})[\"'](?:\.\./|~/|/)\w"
)
"""A line that takes a file that need not be in the work tree."""
_PATHS: Final = lazily(r"[\w./-]*\w\.\w+")
_COMMENT: Final = lazily(r"(?:#(?![!\[]|\s*(?:include|if|else|endif|define|pragma)\b)|//|--\s)")
_OBEYED: Final = lazily(
    r"(?i)^(?:#|//)[\w-]+:|@\w|-\*-|\b(?:coding|type|noqa|nosec|pragma|pylint|eslint|fmt|go|build"
    r"|jest|vitest|istanbul|c8|biome|oxlint|rubocop|mypy|pyright|doctest)\b|>>>|[=<>]"
)
"""Comments that some tool goes by."""
_MOST: Final = 3


def is_outside(failure: FingerprintedFailure) -> bool:
    """Tell whether a failure says that a module, command, variable, file or service is missing."""
    message_text = " ".join(str(failure.fields.get(name, "")) for name in ("error_type", "message"))
    return _MISSING.search(message_text) is not None or (
        "KeyError" in message_text and "environ" in str(failure.fields.get("frames", ""))
    )


def is_around(failure: FingerprintedFailure) -> bool:
    """Tell whether what is around the code may have made a failure: it is missing, or is read."""
    frames = failure.fields.get("frames") or ()
    return is_outside(failure) or any(
        frame.get("in_app") and _READS_OUTSIDE.search(str(frame.get("code", "")))
        for frame in frames
    )


def files_named(failure: FingerprintedFailure, files: Iterable[str]) -> set[str]:
    """Name those of some files that a failure says are missing, or can't be read."""
    if not is_outside(failure):
        return set()
    words = set(_PATHS.findall(str(failure.fields.get("message", ""))))
    ends = [f"/{word.removeprefix('./')}" for word in words]
    return {file for file in files if any(f"/{file}".endswith(end) for end in ends)}


def is_beside(failure: FingerprintedFailure, patch: Patch) -> bool:
    """Tell whether an edit can't have fixed a failure: of documents only, or of unrelated files.

    For what is missing around the code the edit has to name it, declare it, or go to a file in
    which the failure stands.
    """
    others = {file for file in patch.names if not is_document(file)}
    if not others:
        return not files_in(failure, patch.names, tests=True)
    if failure.fields.get("test") and _only_comments(patch, others):
        return True
    if not is_outside(failure) or files_in(failure, others, tests=True):
        return False
    if any(map(_supplies, others)):
        return False
    message = str(failure.fields.get("message", ""))
    quoted = re.findall(r"['\"`]([^'\"`]+)['\"`]", message) or re.findall(r"[\w./-]{4,}", message)
    leaves = {name.replace(".", "/").rpartition("/")[2] for name in quoted} | set(quoted)
    return not any(leaf and leaf in file for leaf in leaves for file in others) and not any(
        leaf and leaf in line for leaf in leaves for _, _, line in patch.lines
    )


def _only_comments(patch: Patch, files: Collection[str]) -> bool:
    """Tell whether an edit changes nothing but comments, and none that a tool obeys."""
    lines = [line for file, _, line in patch.lines if file in files]
    changed = {file for file, _, _ in patch.lines}
    return (
        bool(lines)
        and changed.issuperset(files)
        and all(_COMMENT.match(line) and not _OBEYED.search(line) for line in lines)
    )


def _supplies(file: str) -> bool:
    """Tell whether an edit of a file can bring what is missing around the code."""
    name = file.rpartition("/")[2]
    return any(
        fnmatchcase(name, form) for forms in values("files.supplies").values() for form in forms
    )


def resolves_conflict(patch: Patch) -> bool:
    """Tell whether an edit took out the marks that git leaves where it could not merge."""
    marks = {line[:8].rstrip() for _, how, line in patch.lines if how == REMOVED}
    return {"<<<<<<<", ">>>>>>>"} <= marks


def what_differs(episode: Episode, runs: Sequence[Run]) -> list[str]:
    """List what is known to have changed between the last red run and the green one, in words.

    Args:
        episode: one whose failure is gone.
        runs: all runs in the work tree, oldest first.

    """
    red, green = episode.reds[-1], episode.green
    if green is None:
        return []
    between = [run for run in runs if red.at < run.at < green.at and run.exit_code == 0]
    own_commands = {run.command for run in episode.reds} | {green.command}
    commands = [" ".join(run.command) for run in between if run.command not in own_commands]
    before, after = (
        # Where a command is known, it says what became of the files.
        {name: value for name, value in run.around.items() if not (commands and name[0] == "/")}
        for run in (red, green)
    )
    differing = differences(before, after)
    if _NAMES_A_FILE.search(str(episode.seen.fields.get("message", ""))):
        # A variable that differs as well is most often so by chance.
        differing = [words for words in differing if not words.startswith("$")]
    return [*dict.fromkeys(commands), *differing][:_MOST]
