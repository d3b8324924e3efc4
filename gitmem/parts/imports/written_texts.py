"""Text files that become records: where they are, their dates, their content."""

import os
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import NotFoundError, UsageError
from gitmem.git.dates import came
from gitmem.system import relative_path

if TYPE_CHECKING:
    from gitmem.memory import Workspace

IMPORTED: Final = "imported"
"""Tag of a record that was made out of a text."""


def envelope(record_id: str, title: str, at: datetime, name: str, what: str) -> dict[str, Any]:
    """Give the fields that every imported record has.

    Args:
        record_id: its id.
        title: its title.
        at: when what it says was written.
        name: of its author.
        what: the command that imports it, below ``gitmem import``.

    """
    return {
        "id": record_id,
        "title": title,
        "created": at.isoformat().replace("+00:00", "Z"),
        "author": {"name": name, "via": "tool", "tool": f"gitmem import {what}"},
    }


def path_typed(workspace: "Workspace", typed: str) -> str:
    """Give the absolute path of what was typed; what is no part of the repository is refused.

    Its path becomes a part of the records, and would be one of this machine.
    """
    return inside(workspace, os.path.join(workspace.start, typed), typed)


def inside(workspace: "Workspace", path: str, named: str) -> str:
    """Give where a path leads; raise UsageError if that is outside of the memory's folder."""
    full, root = os.path.realpath(path), os.path.realpath(workspace.site.root)
    if os.path.commonpath([root, full]) != root:
        raise UsageError(f"{named} is outside the repository", "copy it into the repository")
    return full


def printable(path: str) -> str:
    """Give a name that can be printed, whatever its bytes are."""
    return os.fsencode(path).decode(errors="backslashreplace")


def read_text(full: str, most: int) -> str:
    """Read a file of at most so many bytes, in UTF-8, with LF line ends.

    Raises:
        NotFoundError: it can't be read.
        UsageError: it is no file, too large, or not UTF-8.

    """
    try:
        # A pipe would be waited for.
        if os.path.exists(full) and not os.path.isfile(full):
            raise UsageError(f"{os.path.basename(full)} is not a file")
        with open(full, "rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise NotFoundError(f"can't read {full}: {(error.strerror or '').lower()}") from None
    if len(data) > most:
        raise UsageError(f"{os.path.basename(full)} is larger than {most >> 10} KiB")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise UsageError(f"{os.path.basename(full)} is not UTF-8", "save it as UTF-8") from None


def committed(workspace: "Workspace", path: str) -> datetime | None:
    """Give the time of the commit that added a file of the memory's folder; None: none did."""
    dirs = workspace.site.git_dirs
    return came(dirs, path_in_repository(workspace, path)) if dirs else None


def path_in_repository(workspace: "Workspace", path: str) -> str:
    """Make a path of the memory's folder relative to the repository's top."""
    dirs = workspace.site.git_dirs
    root = os.path.realpath(workspace.site.root)
    return relative_path(os.path.join(root, path), dirs.root) if dirs else path
