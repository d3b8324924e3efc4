"""Which fixes a change takes back: those of its files, held against it.

Nothing is read that the change does not touch: git names its files, the catalog names the fixes
of these, and only where there are some, the change itself is read.
"""

from contextlib import closing
from typing import Final

from gitmem.answers.guarded import Guarded, TakenBack
from gitmem.diffs import read_files
from gitmem.git.change_text import (
    ChangeOfCode,
    change_text,
    files_of_change,
    range_change,
    staged_change,
    work_tree_change,
)
from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs
from gitmem.git.ranges import Range, range_of
from gitmem.guards.rules import ChangedPart, parts_of
from gitmem.memory.core.workspace import Workspace
from gitmem.memory.failures.guard_log import note_told
from gitmem.memory.history.held_fixes import each_place_once, fixes_of, held_against, is_code
from gitmem.memory.history.held_rules import (
    HOOK_SECONDS,
    SECONDS,
    RuleQuestion,
    rule_question,
    with_rules,
)
from gitmem.memory.history.whole_files import MOST_BYTES, whole_parts
from gitmem.memory.reading.revisions import at
from gitmem.syntax.languages import language_of

_MOST_COMMITS: Final = 500


def guard(
    workspace: Workspace,
    text: str = "",
    *,
    work_tree: bool = False,
    index: str | None = None,
    by: str = "",
) -> Guarded:
    """Tell which fixes a change takes back.

    Args:
        workspace: of the memory.
        text: a range of commits, see ``git.ranges``; empty: what is staged.
        work_tree: what differs from the commit that is checked out, staged or not.
        index: git's index file if it is another than the work tree's own, as in a hook.
        by: who tells it before a commit, ``hook`` or ``command``; empty: nobody does.

    Raises:
        NotFoundError: there is no such commit.
        EnvironmentProblem: this is no git repository, or git refuses.

    """
    git_dirs = workspace.site.require_git()
    if text:
        return guard_range(workspace, range_of(git_dirs, text))
    change = work_tree_change(git_dirs) if work_tree else staged_change(git_dirs, index)
    seconds = HOOK_SECONDS if by == "hook" else SECONDS
    guarded = workspace.ask(lambda _: _guarded(workspace, git_dirs, change, seconds))
    if by:
        note_told(workspace, by, guarded.taken_back)
    return guarded


def guard_range(workspace: Workspace, span: Range) -> Guarded:
    """Tell which fixes a range takes back, but for those that the messages of its commits name.

    Raises:
        EnvironmentProblem: this is no git repository, or git refuses.

    """
    git_dirs = workspace.site.require_git()
    change = range_change(git_dirs, span)
    guarded = workspace.ask(lambda _: _guarded(workspace, git_dirs, change))
    commits = f"{span.before}..{span.after or 'HEAD'}" if span.before else span.after or "HEAD"
    return guarded._replace(taken_back=_unnamed(git_dirs, commits, guarded.taken_back))


def held_against_commit(workspace: Workspace, commit: str) -> tuple[list[TakenBack], str]:
    """Tell which fixes a commit takes back, and the words of its message, which may name them.

    Raises:
        EnvironmentProblem: git refuses.

    """
    git_dirs = workspace.site.require_git()
    change = range_change(git_dirs, range_of(git_dirs, f"{commit}^!"))
    guarded = workspace.ask(lambda _: _guarded(workspace, git_dirs, change))
    message = git(git_dirs.root, "log", "-1", "--format=%B", commit, "--")
    return guarded.taken_back, message.decode(errors="replace")


def _guarded(
    workspace: Workspace, git_dirs: GitDirs, change: ChangeOfCode, rule_seconds: float = SECONDS
) -> Guarded:
    files = files_of_change(git_dirs, change)
    folder = f"{workspace.site.folder_in_repository}/"
    names = [
        (file.old or file.path, file.path)
        for file in files
        if is_code(file.path) and not file.path.startswith(folder)
    ]
    if not names:
        return Guarded([])
    # Who takes back the commit that brought a fix takes back what the memory says of it, too.
    forgets = any(file.how == "D" and file.path.startswith(folder) for file in files)
    held = _Change(git_dirs, change, names)
    guarded = held.against(workspace, workspace)
    if forgets:
        with closing(at(workspace, change.before, or_empty=True)) as past:
            guarded = _joined(guarded, held.against(workspace, past))
    question = rule_question(workspace, [new for _, new in names], held.whole, rule_seconds)
    return _asked(workspace, guarded, question)


class _Change:
    """A change that git can show, read once and only if a fix may be concerned."""

    def __init__(
        self, git_dirs: GitDirs, change: ChangeOfCode, names: "list[tuple[str, str]]"
    ) -> None:
        self._git_dirs = git_dirs
        self._change = change
        self._names = names
        self._text: tuple[str, bool] | None = None

    def whole(self, only: list[str]) -> list[ChangedPart]:
        """Give the change to some files, by their new names, each of them whole."""
        named = sorted({path for pair in self._names for path in pair if pair[1] in only})
        return whole_parts(self._git_dirs, self._change, named)

    def against(self, workspace: Workspace, source: Workspace) -> Guarded:
        """Hold the fixes of a memory, or of one of the past, against it."""
        files = len(self._names)
        candidates = fixes_of(source, self._git_dirs, self._names)
        if not candidates:
            return Guarded([], 0, files)
        if self._text is None:
            only = sorted({path for pair in self._names for path in pair})
            self._text = change_text(self._git_dirs, self._change, only, MOST_BYTES)
        diff, cut = self._text
        guarded = held_against(workspace, source, candidates, read_files(diff))
        return guarded._replace(files=files, cut=cut)


def guard_diff(workspace: Workspace, diff: str) -> Guarded:
    """Tell which fixes a diff takes back, wherever it comes from."""
    files = [file for file in read_files(diff) if is_code(file.path)]
    names = [(file.old or file.new, file.new or file.old) for file in files]
    git_dirs = workspace.site.git_dirs
    candidates = fixes_of(workspace, git_dirs, names)
    guarded = held_against(workspace, workspace, candidates, files)._replace(files=len(names))
    question = rule_question(
        workspace,
        [file.path for file in files],
        lambda only: parts_of([file for file in files if file.path in only], language_of),
        SECONDS,
    )
    return _asked(workspace, guarded, question)


def _asked(workspace: Workspace, guarded: Guarded, question: RuleQuestion | None) -> Guarded:
    """Add what rules tell; a rule that can not be looked for is a notice."""
    if question is None:
        return guarded
    answers = question.asked()
    workspace.notices.extend(answers.notices)
    return with_rules(workspace, guarded, answers)


def _unnamed(git_dirs: GitDirs, commits: str, taken_back: list[TakenBack]) -> list[TakenBack]:
    """Leave out fixes that the messages of the commits name: that they go is meant."""
    if not taken_back:
        return []
    words = ("log", "--format=%B", f"--max-count={_MOST_COMMITS}", commits, "--")
    messages = git(git_dirs.root, *words).decode(errors="replace")
    return [
        telling
        for telling in taken_back
        if telling.fix.id not in messages
        and (telling.error is None or telling.error.id not in messages)
    ]


def _joined(now: Guarded, then: Guarded) -> Guarded:
    taken_back = {taken.fix.id: taken for taken in (*then.taken_back, *now.taken_back)}
    every = each_place_once(list(taken_back.values()))
    return Guarded(every, max(now.fixes, then.fixes), now.files, now.cut or then.cut)
