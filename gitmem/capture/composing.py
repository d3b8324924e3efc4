"""From an episode to the fields of records: the error, what failed, what worked. Pure."""

import re
import shlex
from collections.abc import Sequence
from typing import Any

from gitmem.capture.episodes import Attempt, Episode
from gitmem.capture.patches import Patch
from gitmem.capture.runs import Run

_MODE = re.compile(r"^diff --git a/.+? b/(.+)\nold mode \d+\nnew mode (\d+)$", re.MULTILINE)
_LONGEST_PATCH = 60_000
_SMALL = 3
_MOST_FILES = 3
_LONGEST_TITLE = 160
_AROUND = 20
"""Letters shown around what differs in a line."""


def error_fields(episode: Episode) -> dict[str, Any]:
    """Describe the failure as it was seen last."""
    run = episode.reds[-1]
    return {
        **episode.seen.fields,
        "title": episode.seen.title[:200] or f"{shlex.join(run.command)} failed",
        "command": shlex.join(run.command),
        "exit_code": run.exit_code,
    }


def failed_fields(attempt: Attempt) -> dict[str, Any]:
    """Describe an attempt after which the failure was still there."""
    return {
        "title": _title("did not help", attempt.patch),
        "approach": approach(attempt.patch),
        "patch": bounded(attempt.patch.text),
        "outcome": "failed",
        "applied": True,
        "verification": _verification(attempt.before, attempt.after, gone=False),
    }


def worked_fields(episode: Episode, patch: Patch) -> dict[str, Any]:
    """Describe the edit after which the failure was gone, with the runs that show it.

    Args:
        episode: the failure with its runs.
        patch: the edit.

    """
    first, green = episode.reds[0], episode.green or episode.reds[-1]
    return {
        "title": _title("", patch),
        "approach": approach(patch),
        "patch": bounded(patch.text),
        "outcome": "worked",
        "applied": True,
        "verification": _verification(episode.reds[-1], green, gone=True),
        "seconds": max(0.0, (green.at - first.at).total_seconds()),
    }


def silenced_fields(worked: dict[str, Any], by: str) -> dict[str, Any]:
    """Describe an edit after which the failure was not shown any more, and not fixed.

    Args:
        worked: the edit, described as if it had worked.
        by: what of it silenced the failure.

    """
    return {
        **worked,
        "title": _short(f"silenced by {by}, not fixed"),
        "outcome": "unverified",
    }


def _verification(before: Run, after: Run, *, gone: bool) -> dict[str, Any]:
    return {
        "command": shlex.join(after.command),
        "before": {"result": "failed", "exit_code": before.exit_code},
        "after": {"result": "passed" if gone else "failed", "exit_code": after.exit_code},
        "seconds": after.seconds,
    }


def approach(patch: Patch) -> str:
    """Say in a line what a patch does: the lines it swaps if they are few, else the files."""
    removed = [line for _, sign, line in sorted(patch.lines) if sign == "-"]
    added = [line for _, sign, line in sorted(patch.lines) if sign == "+"]
    where = _files(sorted(patch.files))
    if len(removed) <= _SMALL and len(added) <= _SMALL and (removed or added):
        if removed and added:
            return f"{where}: replace {_code(removed)} by {_code(added)}"
        return f"{where}: add {_code(added)}" if added else f"{where}: remove {_code(removed)}"
    if modes := [_mode(file, mode) for file, mode in _MODE.findall(patch.text)]:
        return ", ".join(modes)
    more, less = len(added), len(removed)
    if not patch.lines:
        more += sum(one[1] for one in patch.made)
        less += sum(one[2] for one in patch.made)
    return f"change {where} (+{more} -{less} lines)"


def _mode(file: str, mode: str) -> str:
    return f"make {file} {'executable' if mode.endswith('755') else 'not executable'}"


def _title(prefix: str, patch: Patch) -> str:
    text = approach(patch).partition("\n")[0]
    start = f"{prefix}: " if prefix else ""
    if len(start + text) > _LONGEST_TITLE:
        text = _swap(patch) or text
    return _short(start + text)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_TITLE else text[: _LONGEST_TITLE - 1] + "…"


def _swap(patch: Patch) -> str:
    """Of one line that took the place of another: what differs, with a little around it."""
    removed = [line for _, sign, line in patch.lines if sign == "-"]
    added = [line for _, sign, line in patch.lines if sign == "+"]
    if len(removed) != 1 or len(added) != 1:
        return ""
    (old,), (new,) = removed, added
    start = _alike(old, new)
    end = _alike(old[start:][::-1], new[start:][::-1])

    def part(line: str) -> str:
        first, last = max(start - _AROUND, 0), min(len(line) - end + _AROUND, len(line))
        middle = line[first:last].strip()
        return ("…" if first else "") + middle + ("…" if last < len(line) else "")

    files = _files(sorted(patch.files))
    return f"{files}: replace {_code([part(old)])} by {_code([part(new)])}"


def _alike(one: str, other: str) -> int:
    """Count the letters that two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _code(lines: Sequence[str]) -> str:
    return " / ".join(f"`{line}`" for line in lines)


def _files(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_MOST_FILES])
    return shown if len(names) <= _MOST_FILES else f"{shown} and {len(names) - _MOST_FILES} more"


def bounded(text: str) -> str:
    """Cut a patch at a line, with a word on what is missing."""
    if len(text) <= _LONGEST_PATCH:
        return text
    kept = text[:_LONGEST_PATCH].rpartition("\n")[0]
    return f"{kept}\n# cut: {len(text) - len(kept)} more characters\n"
