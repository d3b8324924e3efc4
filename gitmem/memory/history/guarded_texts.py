"""Texts that are being edited: the fixes that they take back, and why their lines stand there."""

import os
from collections.abc import Mapping

from gitmem.answers.guarded import Guarded, GuardedLines, TakenBack
from gitmem.diffs import read_files
from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs
from gitmem.guards.edited import changed_part, text_diff
from gitmem.guards.fixed_lines import SourceText
from gitmem.guards.rules import ChangedPart
from gitmem.memory.core.workspace import Workspace
from gitmem.memory.failures.told_edits import without_told_before
from gitmem.memory.history.held_fixes import (
    error_of,
    fixes_of,
    held_against,
    held_ids,
    is_code,
    patch_of,
)
from gitmem.memory.history.held_rules import (
    EDIT_SECONDS,
    RuleAnswers,
    RuleQuestion,
    rule_question,
    with_rules,
)
from gitmem.memory.history.whole_files import in_work_tree
from gitmem.syntax.languages import language_of


class EditedTexts:
    """``memory.history.edited``: what edits do to fixes, against the commit that is checked out.

    Paths are from the memory's own folder; texts are perhaps not saved yet. Methods raise
    EnvironmentProblem where git refuses.

    Args:
        workspace: of the memory.

    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def guard(self, path: str, text: str) -> Guarded:
        """Tell which fixes a text takes back, but for what rules match: that takes its time."""
        return self._workspace.ask(lambda _: guard_text(self._workspace, path, text))

    def rules(self, texts: Mapping[str, str]) -> RuleQuestion | None:
        """Prepare what rules are asked about texts by their paths; None: none is about them."""
        return self._workspace.ask(lambda _: _rules(self._workspace, texts))

    def by_rules(self, guarded: Guarded, answers: RuleAnswers) -> Guarded:
        """Add what rules match, as far as their fixes hold."""
        return self._workspace.ask(lambda _: with_rules(self._workspace, guarded, answers))

    def untold(self, session: str, texts: Mapping[str, str]) -> list[TakenBack]:
        """Tell what texts by their paths take back, rules included, but what a session was told.

        Args:
            session: the assistant's name for the session; empty: nobody knows what it was told.
            texts: what files say, by their paths.

        """
        taken: list[TakenBack] = []
        for path, text in texts.items():
            taken += self.guard(path, text).taken_back
        if question := self.rules(texts):
            taken = self.by_rules(Guarded(taken), question.asked()).taken_back
        return without_told_before(self._workspace, session, taken)

    def lines(self, path: str, text: str) -> list[GuardedLines]:
        """Tell which lines of a file stand there because of a fix that worked."""
        return self._workspace.ask(lambda _: guarded_lines(self._workspace, path, text))


def guard_text(workspace: Workspace, path: str, text: str) -> Guarded:
    """Tell which fixes a text that is being edited takes back; see ``EditedTexts``."""
    git_dirs = workspace.site.git_dirs
    if git_dirs is None or not is_code(path):
        return Guarded([])
    name = _from_top(workspace, path)
    candidates = fixes_of(workspace, git_dirs, [(name, name)])
    if not candidates:
        return Guarded([], 0, 1)
    diff = text_diff(name, _committed(git_dirs, name), text)
    if diff is None:
        return Guarded([], len(candidates), 1, cut=True)
    return held_against(workspace, workspace, candidates, read_files(diff))._replace(files=1)


def _rules(workspace: Workspace, texts: Mapping[str, str]) -> RuleQuestion | None:
    git_dirs = workspace.site.git_dirs
    if git_dirs is None:
        return None
    by_name = {_from_top(workspace, path): text for path, text in texts.items()}

    def changed(only: list[str]) -> list[ChangedPart]:
        parts = (
            changed_part(name, _committed(git_dirs, name), by_name[name], language_of(name))
            for name in only
        )
        return [part for part in parts if part]

    question = rule_question(workspace, by_name, changed, EDIT_SECONDS)
    if question is None or not question.parts:
        return None
    return question._replace(beside=lambda: in_work_tree(git_dirs, question.parts))


def _from_top(workspace: Workspace, path: str) -> str:
    """Give a path as git names it."""
    base = os.path.dirname(workspace.site.folder_in_repository)
    return f"{base}/{path}" if base else path


def _committed(git_dirs: GitDirs, name: str) -> str:
    """Give what a file says in the commit that is checked out; empty: it is not there."""
    blob = git(git_dirs.root, "cat-file", "blob", f"HEAD:{name}", ok=(0, 128))
    return blob.decode(errors="replace")


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
    name = _from_top(workspace, path) if git_dirs else path
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
