"""From an episode to the fields of records: the error, what failed, what worked. Pure."""

import re
import shlex
from collections.abc import Collection, Sequence
from typing import Any, Final

from gitmem.capture.episodes import Attempt, Episode, files_in
from gitmem.capture.fingerprinted import FingerprintedFailure
from gitmem.capture.patch_hunks import (
    PatchHunk,
    hunks_of,
    is_at,
    patch_of,
    runs_through,
    touches,
)
from gitmem.capture.patches import Patch
from gitmem.capture.renaming import new_names
from gitmem.capture.roles import is_test
from gitmem.capture.runs import Run
from gitmem.capture.titles import approach, says_nothing, shortened, title
from gitmem.diffs import read_files

_NAMED: Final = re.compile(r"['\"`]([\w./-]{3,})['\"`]|: ([\w./-]{3,})$")
_IS_MISSING: Final = re.compile(
    r"(?i)no such|not found|missing|undefined|not defined|unknown|does not exist"
)
TEST_CHANGED: Final = "test changed"
_LONGEST_PATCH: Final = 60_000
_OF_CASE: Final = ("message", "location", "frames", "test")
_MOST_CASES: Final = 20_000
"""Characters of all cases of one error beside the first."""


def error_fields(episode: Episode) -> dict[str, Any]:
    """Describe the failure as it was seen last."""
    return error_fields_of(episode.seen, episode.reds[-1])


def error_fields_of(failure: FingerprintedFailure, run: Run) -> dict[str, Any]:
    """Describe a failure of a run.

    Args:
        failure: the failure.
        run: a run that showed it, or that asked for the same.

    """
    return {
        **failure.fields,
        "title": failure.record_title[:200] or f"{command_line(run)} failed",
        "command": command_line(run),
        "exit_code": run.exit_code,
    }


def other_cases(failures: Sequence[FingerprintedFailure]) -> list[dict[str, Any]]:
    """Describe what failures of one error say otherwise than the first: each is to be known again.

    Args:
        failures: each of one type, in other words or at another place.

    """
    first, cases, size = failures[0], [], 0
    for failure in failures[1:]:
        case = {name: failure.fields[name] for name in _OF_CASE if failure.fields.get(name)}
        size += len(str(case))
        if failure.exact != first.exact and failure.title != first.title and size <= _MOST_CASES:
            cases.append(case)
    return cases


def command_line(run: Run) -> str:
    """Give the command of a run as typed in the work tree's top folder."""
    line = shlex.join(run.command)
    return line if run.folder in {"", "."} else f"cd {shlex.quote(run.folder)} && {line}"


def failed_fields(attempt: Attempt) -> dict[str, Any]:
    """Describe an attempt after which the failure was still there."""
    return {
        "title": title(attempt.patch, prefix="did not help"),
        "approach": approach(attempt.patch),
        "patch": bounded(attempt.patch.text),
        "outcome": "failed",
        "applied": True,
        "verification": _verification(attempt.before, attempt.after, gone=False),
    }


def worked_fields(
    episode: Episode, patch: Patch, subject: str = "", shared: Sequence[FingerprintedFailure] = ()
) -> dict[str, Any]:
    """Describe the edit after which the failure was gone, with the runs that show it.

    Args:
        episode: the failure with its runs.
        patch: the edit.
        subject: of the commit that holds it by now; empty if none does.
        shared: failures of other kinds that it ended as well: it is named by what ended them, too.

    """
    failures = (episode.seen, *shared)
    own = {file for failure in failures for file in _own_files(failure, patch)}
    first, green = episode.reds[0], episode.green or episode.reds[-1]
    return {
        "title": title(_nearest(failures, patch, own), own)
        if says_nothing(subject)
        else shortened(subject),
        "approach": approach(patch, own),
        "patch": bounded(patch.text),
        "outcome": "worked",
        "applied": True,
        "verification": _verification(episode.reds[-1], green, gone=True),
        "seconds": max(0.0, (green.at - first.at).total_seconds()),
    }


def _own_files(failure: FingerprintedFailure, patch: Patch) -> Collection[str]:
    """Name the files of an edit that tell what ended a failure."""
    return (
        named_by_message(failure, patch)
        or files_in(failure, patch.files)
        or named_by_excerpt(failure, patch)
        or _reached(failure, patch)
    )


def _reached(failure: FingerprintedFailure, patch: Patch) -> set[str]:
    """Name the files of an edit that a failure runs through, or whose test it is."""
    hunks = [hunk for hunk in hunks_of(patch) if not is_test(hunk.file)]
    return next(
        filter(
            None,
            (
                {hunk.file for hunk in hunks if near(hunk, failure)}
                for near in (runs_through, touches)
            ),
        ),
        set(),
    )


def _nearest(failures: Sequence[FingerprintedFailure], patch: Patch, own: Collection[str]) -> Patch:
    """Leave out other places of the files in which failures stood, where each is at an edit."""
    hunks = hunks_of(patch)
    mine = [hunk for hunk in hunks if hunk.file in own]
    near: list[PatchHunk] = []
    for failure in failures:
        through = [hunk for hunk in mine if runs_through(hunk, failure)]
        there = through or [hunk for hunk in mine if is_at(hunk, failure)]
        if not there:
            return patch
        near += there
    renames = new_names(file for file in read_files(patch.text) if file.path in own)
    if renames or not len(set(near)) < len(mine):
        return patch
    return patch_of(hunk for hunk in hunks if hunk.file not in own or hunk in near)


def named_by_message(failure: FingerprintedFailure, patch: Patch) -> set[str]:
    """Name the file of an edit that brings what the message says is missing; none if several do."""
    message = str(failure.fields.get("message", ""))
    names = {name for pair in _NAMED.findall(message) for name in pair if name}
    if not names or not _IS_MISSING.search(message):
        return set()
    named = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(names)))})(?!\w)")
    bringing = {file for file, sign, line in patch.lines if sign == "+" and named.search(line)}
    return bringing if len(bringing) == 1 else set()


def named_by_excerpt(failure: FingerprintedFailure, patch: Patch) -> set[str]:
    """Name the file of an edit that a test calls where it failed; none if several may be it."""
    excerpt = str(failure.fields.get("excerpt", ""))
    named = {
        file
        for file in patch.files
        if not is_test(file) and re.search(rf"(?<!\w){re.escape(_stem(file))}(?=\.\w)", excerpt)
    }
    return named if len(named) == 1 else set()


def _stem(file: str) -> str:
    return file.rpartition("/")[2].partition(".")[0]


def test_changed_fields(worked: dict[str, Any], patch: Patch) -> dict[str, Any]:
    """Describe an edit of a test: it may have mended it, or weakened it.

    Args:
        worked: the edit, described as if it had worked.
        patch: the edit.

    """
    tests = patch.only({file for file in patch.files if is_test(file)})
    words = title(tests) if tests and tests.files != patch.files else worked["title"]
    return {**worked, "title": shortened(f"{TEST_CHANGED}: {words}"), "outcome": "unverified"}


def silenced_fields(worked: dict[str, Any], by: str) -> dict[str, Any]:
    """Describe an edit after which the failure was not shown any more, and not fixed.

    Args:
        worked: the edit, described as if it had worked.
        by: what of it silenced the failure.

    """
    return {**worked, "title": shortened(f"silenced by {by}, not fixed"), "outcome": "unverified"}


def _verification(before: Run, after: Run, *, gone: bool) -> dict[str, Any]:
    return {
        "command": command_line(after),
        "before": {"result": "failed", "exit_code": before.exit_code},
        "after": {"result": "passed" if gone else "failed", "exit_code": after.exit_code},
        "seconds": after.seconds,
    }


def bounded(text: str) -> str:
    """Cut a patch at a line, with a word on what is missing."""
    if len(text) <= _LONGEST_PATCH:
        return text
    whole_lines = text[:_LONGEST_PATCH].rpartition("\n")[0]
    return f"{whole_lines}\n# cut: {len(text) - len(whole_lines)} more characters\n"
