"""A text that is being edited: the fixes that it takes back, and why its lines stand there."""

import os

from gitmem.answers.guarded import Guarded, GuardedLines
from gitmem.diffs import read_files
from gitmem.git.command import git
from gitmem.guards.edited import text_diff
from gitmem.guards.fixed_lines import SourceText
from gitmem.memory.core.workspace import Workspace
from gitmem.memory.history.held_fixes import (
    error_of,
    fixes_of,
    held_against,
    held_ids,
    is_code,
    patch_of,
)


def guard_text(workspace: Workspace, path: str, text: str) -> Guarded:
    """Tell which fixes a text that is being edited takes back, against the commit checked out.

    Args:
        workspace: of the memory.
        path: the file, from the memory's own folder.
        text: what it says, perhaps not saved yet.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    git_dirs = workspace.site.git_dirs
    if git_dirs is None or not is_code(path):
        return Guarded([])
    base = os.path.dirname(workspace.site.folder_in_repository)
    name = f"{base}/{path}" if base else path
    candidates = fixes_of(workspace, git_dirs, [(name, name)])
    if not candidates:
        return Guarded([], 0, 1)
    before = git(git_dirs.root, "cat-file", "blob", f"HEAD:{name}", ok=(0, 128))
    diff = text_diff(name, before.decode(errors="replace"), text)
    if diff is None:
        return Guarded([], len(candidates), 1, cut=True)
    return held_against(workspace, workspace, candidates, read_files(diff))._replace(files=1)


def guarded_lines(workspace: Workspace, path: str, text: str) -> list[GuardedLines]:
    """Tell which lines of a file stand there because of a fix that worked, in their order.

    Args:
        workspace: of the memory.
        path: the file, from the memory's own folder.
        text: what it says, perhaps not saved yet.

    """
    if not is_code(path):
        return []
    git_dirs = workspace.site.git_dirs
    base = os.path.dirname(workspace.site.folder_in_repository) if git_dirs else ""
    name = f"{base}/{path}" if base else path
    candidates = fixes_of(workspace, git_dirs, [(name, name)])
    if not candidates:
        return []
    source = SourceText(path, text)
    held = held_ids(workspace, [row for row, _ in candidates.values()])
    guarded: list[GuardedLines] = []
    for row, names in candidates.values():
        fix = patch_of(workspace, row) if row.id in held else None
        if fix:
            files = [file for file in fix.files if file.new in names]
            guarded += (
                GuardedLines(path, *lines, row, error_of(workspace, row), fix.proof)
                for lines in source.lines_of(files)
            )
    return sorted(guarded, key=lambda lines: (lines.first, lines.last, lines.fix.id))
