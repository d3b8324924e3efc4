"""Edits of files of a project, or of a user: read, planned, then written together or not at all.

Links and what can't be written are refused; nothing outside of the folder is touched.
"""

import os
import stat
from collections.abc import Mapping
from typing import Final, NamedTuple, Self

from gitmem.errors import ConflictError, EnvironmentProblem, next_step
from gitmem.git.git_dirs import find, why_none
from gitmem.system import OPEN, home_of, relative_path

_MOST_BYTES: Final = 1 << 20


class FileEdit(NamedTuple):
    """A file that changes: its name in the project, its bytes before and after; None: no file."""

    path: str
    before: bytes | None
    after: bytes | None


class EditPlan(NamedTuple):
    """What is to be written.

    Attributes:
        root: the project's top folder, or the user's home.
        edits: files that change.
        notes: what the user has to know or to do, a line each.
        tidy: folders that nothing is left in go, too.

    """

    root: str
    edits: list[FileEdit]
    notes: list[str]
    tidy: bool = True


class ProjectFiles:
    """The files below a folder, as they are and as they are to be."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.before: dict[str, bytes | None] = {}
        self.now: dict[str, bytes | None] = {}

    @classmethod
    def around(cls, start: str) -> Self:
        """Give the files of the project around a folder.

        Raises:
            EnvironmentProblem: this is no work tree of git.

        """
        git_dirs = find(start)
        if git_dirs is None:
            message = f"there is no project to set up here: {why_none(start)}"
            raise EnvironmentProblem(message, "change to a git work tree")
        return cls(git_dirs.root)

    @classmethod
    def at_home(cls, environ: Mapping[str, str]) -> Self:
        """Give the files of the user.

        Raises:
            EnvironmentProblem: it is not known where they are.

        """
        home = home_of(environ)
        if not os.path.isabs(home) or not os.path.isdir(home):
            raise EnvironmentProblem("your home folder is not known", "set HOME to it")
        return cls(home)

    def there(self, path: str) -> bool:
        """Tell whether something of this name is there, a dangling link too."""
        return os.path.lexists(os.path.join(self.root, path))

    def text(self, path: str) -> str | None:
        """Give a file's text as it is to be; None: there is none.

        Bytes that are no UTF-8 are kept.
        """
        if path not in self.now:
            self.before[path] = self.now[path] = self._read(path)
        data = self.now[path]
        return None if data is None else data.decode("utf-8", "surrogateescape")

    def write(self, path: str, text: str | None) -> None:
        """Note how a file that was read is to be; None: it is to go."""
        data = None if text is None else text.encode("utf-8", "surrogateescape")
        if data != self.now[path]:
            self._refuse_read_only(path)
            self.now[path] = data

    def edits(self) -> list[FileEdit]:
        """Give the files that are to be otherwise than they are."""
        return [
            FileEdit(path, self.before[path], data)
            for path, data in self.now.items()
            if data != self.before[path]
        ]

    def _read(self, path: str) -> bytes | None:
        full, mode = self.root, 0
        for part in path.split("/"):
            full = os.path.join(full, part)
            try:
                mode = os.lstat(full).st_mode
            except FileNotFoundError:
                return None
            name = relative_path(full, self.root)
            if stat.S_ISLNK(mode):
                raise EnvironmentProblem(
                    f"{name} is a symbolic link, and gitmem does not follow it",
                    "edit the file that it leads to by hand: see docs/assistant-files.md",
                )
            if name != path and not stat.S_ISDIR(mode):
                raise EnvironmentProblem(f"{name} is not a folder", f"{path} can't be made")
        if not stat.S_ISREG(mode):
            raise EnvironmentProblem(f"{path} is not a file", "nothing was written")
        with open(full, "rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise EnvironmentProblem(f"{path} is larger than 1 MiB", "nothing was written")
        return data

    def _refuse_read_only(self, path: str) -> None:
        full = os.path.join(self.root, path)
        if self.before[path] is not None and not os.stat(full).st_mode & 0o222:
            hint = f"make it writable first: chmod u+w {path}"
            raise EnvironmentProblem(f"{path} is read-only", hint)


def carry_out(edit_plan: EditPlan) -> None:
    """Write what a plan says, each file at once.

    Raises:
        ConflictError: a file was changed meanwhile.
        EnvironmentProblem: a file can't be written.

    """
    for edit in edit_plan.edits:
        full = os.path.join(edit_plan.root, edit.path)
        if _bytes(full) != edit.before:
            raise ConflictError(f"{edit.path} was changed meanwhile", "try again")
        try:
            if edit.after is None:
                os.unlink(full)
                if edit_plan.tidy:
                    _remove_empty(edit_plan.root, os.path.dirname(edit.path))
            else:
                _replace(full, edit.after)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            message = f"can't write {edit.path}: {reason}"
            raise EnvironmentProblem(message, next_step(error)) from None


def _bytes(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def _replace(path: str, data: bytes) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    temporary = f"{path}.{os.getpid()}.tmp"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | OPEN, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        if os.path.exists(path):
            os.chmod(temporary, stat.S_IMODE(os.stat(path).st_mode))
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _remove_empty(root: str, folder: str) -> None:
    """Remove folders that nothing is left in; git knows of none of them."""
    while folder:
        try:
            os.rmdir(os.path.join(root, folder))
        except OSError:
            return
        folder = os.path.dirname(folder)
