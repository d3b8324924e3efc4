"""Hooks of a repository: where they lie, and a few lines of ours in them beside everybody else's.

A hook that is a shell script gets a block of lines at its top, between two marks; its own lines
stay as they are, and so does its name, by which managers of hooks know what to run. Any other
program is put aside under another name, and called by a script of ours.
"""

import os
import re
import stat
from typing import Final, Literal, NamedTuple

from gitmem.errors import EnvironmentProblem
from gitmem.git.command import git
from gitmem.git.places import Places

BEGIN: Final = "# >>> gitmem >>>"
END: Final = "# <<< gitmem <<<"
ASIDE: Final = ".before-gitmem"
_SHELL: Final = re.compile(rb"#!\s*\S*?(?:/env\s+(?:-S\s+)?)?\b(?:ba|da|k|z|a)?sh\b[^\n]*\n")
_BLOCK: Final = re.compile(rf"{re.escape(BEGIN)}\n.*?{re.escape(END)}\n", re.DOTALL)
_MOST_BYTES: Final = 1 << 20

State = Literal["installed", "outdated", "missing", "not executable"]


class Hooks(NamedTuple):
    """Where a repository's hooks are.

    Attributes:
        folder: their folder, absolute.
        configured: ``core.hooksPath`` names it; else it is git's own.
        manager: the tool that writes hooks there, as far as files tell: ``husky``, ``lefthook``,
            ``pre-commit`` or empty.

    """

    folder: str
    configured: bool
    manager: str


def find_hooks(places: Places) -> Hooks:
    """Find the folder whose hooks git runs in this work tree.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    said = git(
        places.root, "config", "-z", "--type=path", "--get-all", "core.hooksPath", ok=(0, 1)
    ).split(b"\0")[:-1]
    # The last one is what we set ourselves, so that git runs no hooks for us.
    paths = [os.fsdecode(path) for path in said[:-1]]
    if paths and paths[-1]:
        folder = os.path.normpath(os.path.join(places.root, paths[-1]))
        return Hooks(folder, configured=True, manager=_manager(places, folder))
    folder = os.path.join(places.common_dir, "hooks")
    return Hooks(folder, configured=False, manager=_manager(places, ""))


def _manager(places: Places, folder: str) -> str:
    there = set(os.listdir(places.root))
    if "husky" in folder or ".husky" in there:
        return "husky"
    if any(name.lstrip(".").startswith("lefthook.") for name in there):
        return "lefthook"
    return "pre-commit" if ".pre-commit-config.yaml" in there else ""


def state(folder: str, name: str, lines: str) -> State:
    """Tell how our lines are in a hook.

    Args:
        folder: where hooks are.
        name: of the hook.
        lines: those it should have.

    """
    path = os.path.join(folder, name)
    text = _read(path)
    if text is None or BEGIN not in text:
        return "missing"
    if _block(lines) not in text:
        return "outdated"
    return "installed" if os.access(path, os.X_OK) else "not executable"


def install(folder: str, name: str, lines: str) -> bool:
    """Put our lines into a hook; tell whether anything was changed.

    Raises:
        EnvironmentProblem: it can't be written, or is no file.

    """
    path = os.path.join(folder, name)
    if state(folder, name, lines) == "installed":
        return False
    try:
        os.makedirs(folder, exist_ok=True)
        data = _bytes(path)
        shell = _SHELL.match(data) if data is not None else None
        if data is None:
            _write(path, f"#!/bin/sh\n{_block(lines)}".encode(), 0o777 & ~_umask())
        elif shell:
            rest = _BLOCK.sub("", data[shell.end() :].decode(errors="surrogateescape"))
            made = data[: shell.end()] + _block(lines).encode()
            mode = stat.S_IMODE(os.stat(path).st_mode)
            _write(path, made + rest.encode(errors="surrogateescape"), mode | 0o111 & ~_umask())
        else:
            _put_aside(path)
            called = f'exec "$0{ASIDE}" "$@"\n'
            text = f"#!/bin/sh\n{_block(lines)}{called}"
            _write(path, text.encode(), 0o777 & ~_umask())
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        message = f"can't write the hook {path}: {reason}"
        raise EnvironmentProblem(message, "the hook is as it was") from None
    return True


def uninstall(folder: str, name: str) -> bool:
    """Take our lines out of a hook, and put back what was there; tell whether that was needed.

    Raises:
        EnvironmentProblem: it can't be written.

    """
    path = os.path.join(folder, name)
    text = _read(path)
    if text is None or BEGIN not in text:
        return False
    left = _BLOCK.sub("", text)
    try:
        if os.path.lexists(path + ASIDE):
            os.replace(path + ASIDE, path)
        elif left.strip() == "#!/bin/sh":
            os.unlink(path)
        else:
            mode = stat.S_IMODE(os.stat(path).st_mode)
            _write(path, left.encode(errors="surrogateescape"), mode)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise EnvironmentProblem(f"can't write the hook {path}: {reason}") from None
    return True


def _block(lines: str) -> str:
    return f"{BEGIN}\n{lines.strip()}\n{END}\n"


def _put_aside(path: str) -> None:
    if os.path.lexists(path + ASIDE):
        raise OSError(0, f"there is a {os.path.basename(path)}{ASIDE} already")
    os.replace(path, path + ASIDE)


def _bytes(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read(_MOST_BYTES)
    except FileNotFoundError:
        return None


def _read(path: str) -> str | None:
    try:
        data = _bytes(path)
    except OSError:
        return None
    return None if data is None else data.decode(errors="surrogateescape")


def _write(path: str, data: bytes, mode: int) -> None:
    """Write a hook at once: git may run it at any moment. A link's target is written."""
    path = os.path.realpath(path)
    temporary = f"{path}.{os.getpid()}.tmp"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
