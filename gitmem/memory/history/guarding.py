"""Which fixes a change takes back: those of its files, held against it.

Nothing is read that the change does not touch: git names its files, the catalog names the fixes
of these, and only where there are some, the change itself is read.
"""

import os
from contextlib import closing
from functools import update_wrapper
from typing import TYPE_CHECKING, Concatenate, Final, ParamSpec, TypeVar

from gitmem.answers.guarded import Guarded, GuardedLines, TakenBack
from gitmem.capture.generated_files import has_generated_name
from gitmem.capture.roles import is_document, is_test
from gitmem.diffs import FileDiff, read_files
from gitmem.git.change_text import (
    ChangeOfCode,
    change_text,
    files_of_change,
    range_change,
    staged_change,
    work_tree_change,
)
from gitmem.git.command import git
from gitmem.git.file_fates import whereabouts
from gitmem.git.ranges import Range, range_of
from gitmem.guards.edited import text_diff
from gitmem.guards.fixed_lines import SourceText
from gitmem.guards.grams import ChangedPlace, places_of
from gitmem.guards.taken_back import ChangedCode, FixTakenBack
from gitmem.memory.core.records import read_record
from gitmem.memory.failures.verdicts import DID_NOT_HOLD, judged
from gitmem.memory.history.meant import is_meant
from gitmem.memory.reading.revisions import at
from gitmem.records.kinds import Fix
from gitmem.store.listing import is_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from gitmem.catalog.catalog import Catalog
    from gitmem.catalog.rows import Row
    from gitmem.git.git_dirs import GitDirs
    from gitmem.memory.core.workspace import Workspace

_Asked = ParamSpec("_Asked")
_Answer = TypeVar("_Answer")

MOST_BYTES: Final = 4 << 20
"""Of a change: what is longer is not looked at whole."""
_MOST_FIXES: Final = 400
_MOST_PATHS: Final = 50_000
_MOST_COMMITS: Final = 500
_HELD: Final = frozenset({"worked", "unverified"})
"""What is said of fixes that are guarded: an import can't tell what a commit's author knew."""


def guard(
    workspace: "Workspace",
    text: str = "",
    *,
    work_tree: bool = False,
    index: str | None = None,
) -> Guarded:
    """Tell which fixes a change takes back.

    Args:
        workspace: of the memory.
        text: a range of commits, see ``git.ranges``; empty: what is staged.
        work_tree: what differs from the commit that is checked out, staged or not.
        index: git's index file if it is another than the work tree's own, as in a hook.

    Raises:
        NotFoundError: there is no such commit.
        EnvironmentProblem: this is no git repository, or git refuses.

    """
    git_dirs = workspace.site.require_git()
    if text:
        return guard_range(workspace, range_of(git_dirs, text))
    change = work_tree_change(git_dirs) if work_tree else staged_change(git_dirs, index)
    return _guarded(workspace, git_dirs, change)


def _in_one_look(
    answer: "Callable[Concatenate[Workspace, _Asked], _Answer]",
) -> "Callable[Concatenate[Workspace, _Asked], _Answer]":
    """Have all questions of an answer see the same files, which are compared once."""

    def answered(
        workspace: "Workspace", /, *arguments: "_Asked.args", **named: "_Asked.kwargs"
    ) -> _Answer:
        return workspace.ask(lambda _: answer(workspace, *arguments, **named))

    update_wrapper(answered, answer)
    return answered


def guard_range(workspace: "Workspace", span: Range) -> Guarded:
    """Tell which fixes a range takes back, but for those that the messages of its commits name.

    Raises:
        EnvironmentProblem: this is no git repository, or git refuses.

    """
    git_dirs = workspace.site.require_git()
    guarded = _guarded(workspace, git_dirs, range_change(git_dirs, span))
    commits = f"{span.before}..{span.after or 'HEAD'}" if span.before else span.after or "HEAD"
    return guarded._replace(taken_back=_unnamed(git_dirs, commits, guarded.taken_back))


@_in_one_look
def _guarded(workspace: "Workspace", git_dirs: "GitDirs", change: ChangeOfCode) -> Guarded:
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
    return guarded


class _Change:
    """A change that git can show, read once and only if a fix may be concerned."""

    def __init__(
        self, git_dirs: "GitDirs", change: ChangeOfCode, names: "list[tuple[str, str]]"
    ) -> None:
        self._git_dirs = git_dirs
        self._change = change
        self._names = names
        self._text: tuple[str, bool] | None = None

    def against(self, workspace: "Workspace", source: "Workspace") -> Guarded:
        """Hold the fixes of a memory, or of one of the past, against it."""
        files = len(self._names)
        candidates = _fixes_of(source, self._git_dirs, self._names)
        if not candidates:
            return Guarded([], 0, files)
        if self._text is None:
            only = sorted({path for pair in self._names for path in pair})
            self._text = change_text(self._git_dirs, self._change, only, MOST_BYTES)
        diff, cut = self._text
        guarded = _held_against(workspace, source, candidates, read_files(diff))
        return guarded._replace(files=files, cut=cut)


@_in_one_look
def guard_diff(workspace: "Workspace", diff: str) -> Guarded:
    """Tell which fixes a diff takes back, wherever it comes from."""
    files = [file for file in read_files(diff) if is_code(file.path)]
    names = [(file.old or file.new, file.new or file.old) for file in files]
    git_dirs = workspace.site.git_dirs
    candidates = _fixes_of(workspace, git_dirs, names)
    return _held_against(workspace, workspace, candidates, files)._replace(files=len(names))


@_in_one_look
def guard_text(workspace: "Workspace", path: str, text: str) -> Guarded:
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
    candidates = _fixes_of(workspace, git_dirs, [(name, name)])
    if not candidates:
        return Guarded([], 0, 1)
    before = git(git_dirs.root, "cat-file", "blob", f"HEAD:{name}", ok=(0, 128))
    diff = text_diff(name, before.decode(errors="replace"), text)
    if diff is None:
        return Guarded([], len(candidates), 1, cut=True)
    return _held_against(workspace, workspace, candidates, read_files(diff))._replace(files=1)


@_in_one_look
def guarded_lines(workspace: "Workspace", path: str, text: str) -> list[GuardedLines]:
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
    candidates = _fixes_of(workspace, git_dirs, [(name, name)])
    if not candidates:
        return []
    source = SourceText(path, text)
    held = _held(workspace, [row for row, _ in candidates.values()])
    guarded: list[GuardedLines] = []
    for row, names in candidates.values():
        record = read_record(workspace, row) if row.id in held else None
        if not isinstance(record, Fix) or record.applied is False:
            continue
        files = [file for file in read_files(record.patch) if file.new in names]
        guarded += (
            GuardedLines(path, *lines, row, _error_of(workspace, row), _proof(record))
            for lines in source.lines_of(files)
        )
    return sorted(guarded, key=lambda lines: (lines.first, lines.last, lines.fix.id))


def is_code(path: str) -> bool:
    """Tell whether a file is one that fixes stand in: tests are what proves them."""
    return not (is_test(path) or is_document(path) or has_generated_name(path))


class _Candidates(dict[str, "tuple[Row, frozenset[str]]"]):
    """Fixes that a change may take back, by id, with the names of files that it knows them by."""


def _fixes_of(
    workspace: "Workspace", git_dirs: "GitDirs | None", names: "Sequence[tuple[str, str]]"
) -> _Candidates:
    """Give the fixes that changed files of these names, or of names that these had before."""
    former = _former_names(workspace, git_dirs, {old for old, _ in names})
    base = os.path.dirname(workspace.site.folder_in_repository) if git_dirs else ""

    def question(catalog: "Catalog") -> _Candidates:
        rows: dict[str, Row] = {}
        files: dict[str, set[str]] = {}
        for old, new in names:
            names_of_file = {old, new, *former.get(old, ())}
            spellings = {path.removeprefix(f"{base}/") for path in names_of_file} | names_of_file
            # A name that is no text is one that no record can hold.
            spellings = set(filter(is_text, spellings))
            for path in spellings:
                for row in catalog.by_file(catalog.speaking_of(path, "fix")).values():
                    if row.stated in _HELD:
                        rows[row.id] = row
                        files.setdefault(row.id, set()).update(spellings)
        newest = sorted(rows.values(), key=lambda row: (row.created, row.id))[-_MOST_FIXES:]
        return _Candidates({row.id: (row, frozenset(files[row.id])) for row in newest})

    return workspace.ask(lambda now: question(now.catalog))


def _former_names(
    workspace: "Workspace", git_dirs: "GitDirs | None", paths: set[str]
) -> dict[str, list[str]]:
    """Give names that changed files had when they were fixed, as far as a fix names them.

    Only files with the same last name, or in the same folder with the same ending, are followed.
    """
    if git_dirs is None or not paths:
        return {}
    ends = {os.path.basename(path) for path in paths}
    kinds = {(os.path.dirname(path), os.path.splitext(path)[1]) for path in paths}
    patched = workspace.ask(lambda now: now.catalog.paths_in("patch", _MOST_PATHS))
    near = {
        path
        for path in patched
        if path not in paths
        and (
            os.path.basename(path) in ends
            or (os.path.dirname(path), os.path.splitext(path)[1]) in kinds
        )
        and not os.path.lexists(os.path.join(git_dirs.root, path))
    }
    if not near:
        return {}
    fates, _ = whereabouts(git_dirs, near)
    former: dict[str, list[str]] = {}
    for path, fate in fates.items():
        if fate.path in paths:
            former.setdefault(fate.path, []).append(path)
    return former


def _held_against(
    workspace: "Workspace",
    source: "Workspace",
    candidates: _Candidates,
    files: "Iterable[FileDiff]",
) -> Guarded:
    """Hold fixes against a change.

    Args:
        workspace: of the memory as it is.
        source: of the memory that has the fixes; it may be one of the past.
        candidates: the fixes.
        files: the change.

    """
    changed = ChangedCode(places_of(file for file in files if is_code(file.path)))
    taken: list[tuple[Row, Fix, FixTakenBack]] = []
    for row, names in candidates.values():
        record = read_record(source, row)
        if not isinstance(record, Fix) or record.applied is False:
            continue
        places = _places_of_fix(record)
        if places and (change := changed.takes_back(places, names)):
            taken.append((row, record, change))
    held = _held(workspace, [row for row, _, _ in taken])
    taken_back = [
        TakenBack(row, _error_of(source, row), change, _proof(record))
        for row, record, change in taken
        if row.id in held
    ]
    return Guarded(_each_place_once(taken_back), len(candidates))


def _places_of_fix(record: Fix) -> list[ChangedPlace]:
    files = read_files(record.patch)
    return places_of(file for file in files if is_code(file.path))


def _held(workspace: "Workspace", fixes: "Sequence[Row]") -> set[str]:
    """Give the ids of those fixes that hold, and of which nobody said that they may go."""
    return {
        row.id
        for row in judged(workspace, fixes)
        if row.verdict != DID_NOT_HOLD and not is_meant(workspace, row)
    }


def _error_of(workspace: "Workspace", fix: "Row") -> "Row | None":
    errors = workspace.ask(lambda now: now.catalog.fixed_by([fix.file])).get(fix.file, [])
    return errors[0] if errors else None


def _proof(record: Fix) -> str:
    checked = record.verification
    return checked.command.strip().partition("\n")[0] if checked and checked.after else ""


def _each_place_once(taken_back: list[TakenBack]) -> list[TakenBack]:
    """Give the surest telling of each place: one bug may have several records."""
    order = sorted(
        taken_back,
        key=lambda telling: (
            not telling.change.is_sure,
            telling.fix.usefulness,
            -telling.change.sureness,
        ),
    )
    places: dict[tuple[str, int], TakenBack] = {}
    for telling in order:
        places.setdefault((telling.change.path, telling.change.line), telling)
    return list(places.values())


def _unnamed(git_dirs: "GitDirs", commits: str, taken_back: list[TakenBack]) -> list[TakenBack]:
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
    every = _each_place_once(list(taken_back.values()))
    return Guarded(every, max(now.fixes, then.fixes), now.files, now.cut or then.cut)
