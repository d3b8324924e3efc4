"""What came of what guards told: looked up when somebody asks, as a hook has no time for it."""

from collections.abc import Mapping

from gitmem.answers.guard_tally import GuardTally
from gitmem.catalog.rows import Row
from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs
from gitmem.memory.core.workspace import Workspace
from gitmem.memory.failures.guard_log import note_end, tellings
from gitmem.memory.history.guarding import held_against_commit
from gitmem.memory.history.meant import is_meant

_MOST_LOOKED_UP = 30
"""Of one question: each asks git some times."""


def tally(workspace: Workspace) -> GuardTally | None:
    """Count what was told, and what came of it; None: nothing was."""
    git_dirs = workspace.site.git_dirs
    files, ends = tellings(workspace) if git_dirs else ({}, {})
    if git_dirs is None or not files:
        return None
    still_open = [key for key in files if key not in ends][-_MOST_LOOKED_UP:]
    rows = workspace.ask(lambda now: now.catalog.by_id({_fix(key) for key in still_open}))
    for key in still_open:
        if end := _end(workspace, git_dirs, key, files[key], rows):
            ends[key] = end
            note_end(workspace, key, end)
    outcomes = [ends.get(key, "") for key in files]
    committed = [_fix(key) for key in files if ends.get(key) == "committed"]
    again = workspace.ask(lambda now: now.catalog.recorded_again(committed))
    return GuardTally(
        len(files),
        outcomes.count("changed"),
        outcomes.count("meant"),
        len(committed),
        sum(fix in again for fix in committed),
        outcomes.count(""),
    )


def _end(
    workspace: Workspace, git_dirs: GitDirs, key: str, path: str, rows: Mapping[str, Row]
) -> str:
    """Tell how a telling ended: by the first commit since that changes its file; empty: none."""
    fix, tip = rows.get(_fix(key)), key.partition("@")[2]
    if fix is None:
        return ""
    if is_meant(workspace, fix):
        return "meant"
    since = f"{tip}..HEAD" if tip else "HEAD"
    words = ("rev-list", "--reverse", since, "--", f":(top,literal){path}")
    commits = git(git_dirs.root, *words, ok=(0, 128)).split()
    if not commits:
        return ""
    taken_back, message = held_against_commit(workspace, commits[0].decode())
    taken = next((taken for taken in taken_back if taken.fix.id == fix.id), None)
    if taken is None:
        return "changed"
    is_named = fix.id in message or (taken.error is not None and taken.error.id in message)
    return "meant" if is_named else "committed"


def _fix(key: str) -> str:
    return key.partition("@")[0]
