"""Changed files, each of them whole, as rules are looked for in them."""

from typing import Final

from gitmem.diffs import read_files
from gitmem.git.change_text import ChangeOfCode, change_text, files_of_change, work_tree_change
from gitmem.git.git_dirs import GitDirs
from gitmem.guards.rules import ChangedPart, parts_of
from gitmem.memory.history.held_fixes import is_code
from gitmem.syntax.languages import language_of

MOST_BYTES: Final = 4 << 20
"""Of a change: what is longer is not looked at whole."""


def whole_parts(git_dirs: GitDirs, change: ChangeOfCode, only: list[str]) -> list[ChangedPart]:
    """Give a change to some files, named from the top; nothing is read where there are none.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    if not only:
        return []
    diff, _ = change_text(git_dirs, change, only, MOST_BYTES, whole=True)
    return parts_of(read_files(diff), language_of)


def in_work_tree(git_dirs: GitDirs, edited: list[ChangedPart]) -> list[ChangedPart]:
    """Give edited files, under the names that they had, and all others of these languages.

    Where code went from one file to another, only both tell that it is none that is new.

    Args:
        git_dirs: the repository.
        edited: files whose text may be newer than the one in the work tree.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    languages = {part.after.language for part in edited}
    change = work_tree_change(git_dirs)
    files = [file for file in files_of_change(git_dirs, change) if is_code(file.path)]
    named = {
        name for file in files if language_of(file.path) in languages
        for name in (file.old, file.path) if name
    }  # fmt: skip
    parts = whole_parts(git_dirs, change, sorted(named))
    before = {part.after.path: part.before for part in parts}
    own = [part._replace(before=before.get(part.after.path, part.before)) for part in edited]
    paths = {part.after.path for part in edited}
    return [*own, *(part for part in parts if part.after.path not in paths)]
