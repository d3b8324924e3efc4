"""The events of a session in the journal, checked before they are written."""

import os
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from gitmem.errors import UsageError
from gitmem.records.parts import Author, Change, Event, Lines, Task, TestRun
from gitmem.sessions.live import LOG, RESUME, START, LiveSession, fold, plain
from gitmem.sessions.session_changes import RepositoryState
from gitmem.sessions.session_record import CHANGE, SessionReport, build
from gitmem.system import relative_path

_LONGEST_DIFF = 20_000
# fmt: off
_TRIVIAL: Final = frozenset({
    "change", "changed", "changes", "cleanup", "edit", "edited", "fix", "fixed", "fixes",
    "minor", "misc", "modified", "modify", "none", "refactor", "stuff", "tbd", "test", "todo",
    "tweak", "update", "updated", "updates", "various", "wip", "work",
})
# fmt: on


def place(worktree: str, root: str, state: RepositoryState) -> dict[str, Any]:
    """Tell where the work goes on, as ``start`` and ``resume`` note it."""
    return {
        "worktree": worktree,
        "root": root,
        "branch": state.branch,
        "head": state.head,
        "tree": state.tree,
        "gaps": list(state.gaps),
    }


def begin(
    session_id: str,
    goal: str,
    at: datetime,
    actor: Author,
    where: dict[str, Any],
    *,
    tags: Iterable[str],
    task: Task | None,
) -> tuple[dict[str, Any], LiveSession]:
    """Give the first event and the session that it makes; InvalidError for a bad tag."""
    event = {
        "event": START,
        "at": at.isoformat(),
        "goal": goal.strip(),
        "tags": list(dict.fromkeys(tags)),
        "task": plain(task) if task else None,
        "actor": plain(actor),
        "pid": os.getpid(),
        **where,
    }
    live = fold(session_id, [event])
    if live is None:
        raise UsageError(
            "the session can't be started with these values", "check the goal and the task"
        )
    # What the record could not hold must show now and not at the end.
    build(live, at, SessionReport(), observed=(), certain=True, gaps=(), produced=())
    return event, live


def moved(at: datetime, actor: Author, where: dict[str, Any]) -> dict[str, Any]:
    """Give the event of a session that is taken up again; ``where`` is empty if not elsewhere."""
    return {
        "event": RESUME,
        "at": at.isoformat(),
        "actor": plain(actor),
        "pid": os.getpid(),
        **where,
    }


def note(
    kind: str,
    text: str,
    at: datetime,
    root: str,
    *,
    path: str | None = None,
    reason: str | None = None,
    action: str | None = None,
    lines: Lines | None = None,
    related_files: Iterable[str] = (),
    diff: str = "",
    role: str = "",
    record: str | None = None,
    test_run: TestRun | None = None,
) -> dict[str, Any]:
    """Give the event of something that happened; what no record could hold is refused."""
    if kind == CHANGE and not path:
        raise UsageError("a change needs the path of its file", "add the path, as in --path FILE")
    if test_run and test_run.at is None:
        test_run = TestRun(**(plain(test_run) | {"at": at}))
    inside = relative(path, root) if path else None
    about = [relative(file, root) for file in related_files]
    Event(at=at, type=kind, text=text, role=role, record=record)
    change: dict[str, Any] = {"path": inside or "-", "action": action or "edit", "lines": lines}
    Change(**change, related_files=tuple(about))
    event = {
        "text": text,
        "path": inside,
        "reason": reason,
        "action": action,
        "lines": list(lines) if lines else None,
        "related_files": about,
        "diff": diff[:_LONGEST_DIFF],
        "role": role,
        "record": record,
        "test_run": plain(test_run) if test_run else None,
    }
    given = {name: value for name, value in event.items() if value not in (None, "", [])}
    return {"event": LOG, "at": at.isoformat(), "type": kind, **given}


def relative(path: str, root: str) -> str:
    """Write a path relative to the work tree; UsageError if it does not lie there."""
    whole = os.path.normpath(os.path.join(root, path))
    inside = relative_path(whole, root) if root else whole
    if os.path.isabs(inside) or inside.split("/")[0] in {os.curdir, os.pardir}:
        raise UsageError(
            f"{path!r} is not a file in the work tree {root}",
            "give a path relative to its top folder",
        )
    return inside


def gentle(reason: str) -> tuple[str, ...]:
    """Warn of a reason that explains nothing to a later reader; empty if it does."""
    words = [word.strip(".,;:!?\"'()").lower() for word in reason.split()]
    telling = [word for word in words if word and word not in _TRIVIAL]
    if not words:
        return ("no reason given: add --reason, others will look for it later",)
    if not telling or len(words) == 1:
        return (f"the reason '{reason.strip()[:80]}' says little: give the cause",)
    return ()
