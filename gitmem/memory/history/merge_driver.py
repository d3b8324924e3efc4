"""The merge driver: registered per clone, called by git when both sides edited a record."""

import os
import shlex
import sys
from typing import Final, NamedTuple

from gitmem.errors import EnvironmentProblem
from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs
from gitmem.records.merge import merge
from gitmem.store.files import sweep

_TEMPORARY: Final = ".gitmem"
_NAME: Final = "merge.gitmem.name"
_DRIVER: Final = "merge.gitmem.driver"
_WHAT: Final = "gitmem: fields of a record"
_CONFLICTS: Final = range(256)
_MARK: Final = "<" * 7


class MergeOutcome(NamedTuple):
    """The result of a merge.

    Attributes:
        clashes: the fields that clash.
        conflict: conflict marks are left.
        forgotten: id of the record that one side deleted and the other edited, where git merged
            it into another one; that one was left as it is.

    """

    clashes: tuple[str, ...]
    conflict: bool = False
    forgotten: str = ""


def driver() -> str:
    """Give the command that git calls; where ours can't run, git merges the lines.

    A Python without gitmem ends with 1, as a conflict does: only one that left marks is ours.
    """
    python = shlex.quote(sys.executable)
    return (
        f"{python} -P -m gitmem merge-driver %O %A %B %P --marker %L && exit 0; "
        f"[ $? -eq 1 ] && grep -q '^{_MARK}' %A && exit 1; "
        "git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B"
    )


def register(git_dirs: GitDirs, folder: str) -> bool:
    """Make this clone merge records by fields; tell whether that is new.

    Nothing that is tracked is touched: the driver is in the clone's own settings, and which files
    it is for stands in ``info/attributes``.

    Args:
        git_dirs: the repository.
        folder: what folders of memories are called.

    Raises:
        EnvironmentProblem: git refuses, or the files can't be written.

    """
    line = f"**/{folder}/**/*.yaml merge=gitmem\n"
    path = os.path.join(git_dirs.common_dir, "info", "attributes")
    was = git(git_dirs.root, "config", "--local", "--get", _DRIVER, ok=(0, 1)).decode().strip()
    try:
        text = ""
        if os.path.exists(path):
            with open(path, encoding="utf-8", errors="surrogateescape") as file:
                text = file.read()
        if was == driver() and line in text:
            return False
        git(git_dirs.root, "config", "--local", _NAME, _WHAT)
        git(git_dirs.root, "config", "--local", _DRIVER, driver())
        if line not in text:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "a", encoding="utf-8", errors="surrogateescape") as file:
                file.write(("\n" if text and not text.endswith("\n") else "") + line)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise EnvironmentProblem(f"can't write {path}: {reason}") from None
    return True


def unregister(git_dirs: GitDirs, folder: str) -> bool:
    """Let this clone merge records as any text again; tell whether that was needed."""
    had = git(git_dirs.root, "config", "--local", "--get", _DRIVER, ok=(0, 1)).strip()
    if had:
        git(git_dirs.root, "config", "--local", "--remove-section", "merge.gitmem", ok=(0, 128))
    path = os.path.join(git_dirs.common_dir, "info", "attributes")
    line = f"**/{folder}/**/*.yaml merge=gitmem\n"
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
        if line in text:
            with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write(text.replace(line, ""))
    except FileNotFoundError:
        pass
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise EnvironmentProblem(f"can't write {path}: {reason}") from None
    return bool(had)


def is_registered(git_dirs: GitDirs) -> bool:
    """Tell whether this clone merges records by fields."""
    was = git(git_dirs.root, "config", "--local", "--get", _DRIVER, ok=(0, 1)).decode().strip()
    return was == driver()


def merge_files(base: str, ours: str, theirs: str, *, marker: int = 7) -> MergeOutcome:
    """Merge two edits of a file into ``ours``, as git asks its drivers to.

    Args:
        base: path of the file that both began with.
        ours: path of the file here; the result is written into it, all at once.
        theirs: path of the file there.
        marker: how long conflict markers are.

    Raises:
        OSError: one of them can't be read, or the result can't be written.

    """
    texts = []
    for path in (base, ours, theirs):
        with open(path, "rb") as file:
            texts.append(file.read())
    merged = merge(*texts, marker=marker)
    if merged is None:
        folder = os.path.dirname(os.path.abspath(ours))
        labels = ("-L", "ours", "-L", "base", "-L", "theirs")
        by_lines = git(
            folder,
            "merge-file",
            "-p",
            f"--marker-size={marker}",
            *labels,
            ours,
            base,
            theirs,
            ok=_CONFLICTS,
        )
        _replace(ours, by_lines)
        return MergeOutcome((), conflict=b"<" * marker in by_lines)
    _replace(ours, merged.text)
    return MergeOutcome(merged.clashes, conflict=bool(merged.clashes), forgotten=merged.forgotten)


def _is_left(name: str) -> bool:
    return name.startswith(".merge_file_") and name.endswith(_TEMPORARY)


def _replace(path: str, data: bytes) -> None:
    temporary = f"{path}{_TEMPORARY}"
    sweep(os.path.dirname(os.path.abspath(path)), _is_left)
    with open(temporary, "wb") as file:
        file.write(data)
    os.replace(temporary, path)
