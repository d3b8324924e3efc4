"""Lists record files in one walk, without opening any of them."""

import os
import stat
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.records.layout import ARCHIVE, FOLDERS, KIND_OF_FOLDER, kind_of

if TYPE_CHECKING:
    from gitmem.records.problems import Problem

Stamp = tuple[int, int, int, int]
"""What tells that a file changed without reading it: size, mtime and ctime in ns, inode."""

FolderStamp = tuple[int, int, int]
"""What tells that names came or went in a folder: mtime and ctime in ns, inode."""

MAX_DEPTH: Final = 6
ENDINGS: Final = (".yaml", ".yml")
_TYPE: Final = 0o170000  # the part of a mode that stat.S_IFMT gives; a call a file is too much
_REGULAR: Final = stat.S_IFREG


class Listing(NamedTuple):
    """All record files with their stamps, and what is in the way of reading others.

    ``folders`` are those that were looked into, stamped before that was done.
    """

    files: dict[str, Stamp]
    problems: "list[Problem]"
    folders: dict[str, FolderStamp]


def stamp_of(status: os.stat_result) -> Stamp:
    """Make the stamp of a file."""
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def folder_stamp(full: str) -> FolderStamp | None:
    """Stamp a folder; None if there is none, or a link in its place."""
    try:
        status = os.lstat(full)
    except OSError:
        return None
    if not stat.S_ISDIR(status.st_mode):
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def walk(root: str) -> Listing:
    """Stat every record file. Temporary and hidden files are passed over."""
    listing = Listing({}, [], {})
    for folder in KIND_OF_FOLDER:
        walk_folder(root, folder, listing)
    return listing


def walk_folder(root: str, folder: str, listing: Listing) -> None:
    """Add what is in one folder, and in those below it that ``listing`` does not have yet."""
    full = os.path.join(root, folder)
    depth = folder.count("/")
    if depth == 0 and os.path.islink(full):
        listing.problems.append(problem(folder, "symlink", "a symbolic link is not followed"))
        return
    stamp = folder_stamp(full)
    below: list[str] = []
    try:
        with os.scandir(full) as entries:
            below.extend(_scan(entries, folder, listing, depth))
    except FileNotFoundError:
        return
    except NotADirectoryError:
        message = "a file is in the place of a folder"
        listing.problems.append(problem(folder, "not-a-folder", message))
    except OSError as error:
        listing.problems.append(problem(folder, "unreadable", reason(error)))
    if stamp:
        listing.folders[folder] = stamp
    for folder_below in below:
        if folder_below not in listing.folders:
            walk_folder(root, folder_below, listing)


def _scan(
    entries: Iterable[os.DirEntry[str]], folder: str, listing: Listing, depth: int
) -> Iterator[str]:
    """Add the files of one folder; give the folders in it."""
    files = listing.files
    for entry in entries:
        name = entry.name
        if name[0] == ".":
            continue
        if name.endswith(ENDINGS) and name.isascii():
            try:
                status = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue  # gone since it was named
            if status.st_mode & _TYPE == _REGULAR:
                # As ``stamp_of`` does, without the call: this runs for every file.
                files[f"{folder}/{name}"] = (
                    status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino
                )  # fmt: skip
                continue
        if _odd(entry, f"{folder}/{name}", listing, depth):
            yield f"{folder}/{name}"


def _odd(entry: os.DirEntry[str], path: str, listing: Listing, depth: int) -> bool:
    """Take in what is no plain file of a plain name; tell whether to look into it."""
    record_name = entry.name.endswith(ENDINGS)
    if entry.is_symlink():
        if record_name or os.path.isdir(entry.path):  # is_dir() raises for a circle of links
            message = "a symbolic link is not followed"
            listing.problems.append(problem(path, "symlink", message, "put the file itself here"))
    elif entry.is_dir():
        if not record_name:
            return depth < MAX_DEPTH
        message = "a folder is in the place of a record"
        listing.problems.append(problem(path, "not-a-file", message))
    elif record_name:
        try:
            status = entry.stat(follow_symlinks=False)
            path.encode()
        except UnicodeEncodeError:
            listing.problems.append(problem(path, "file-name", "this file name is not UTF-8"))
        except FileNotFoundError:
            return False
        else:
            if stat.S_ISREG(status.st_mode):
                listing.files[path] = stamp_of(status)
            else:  # opening a pipe would wait for ever
                message = "a pipe, socket or device is in the place of a record"
                listing.problems.append(problem(path, "not-a-file", message))
    return False


def is_text(path: str) -> bool:
    """Tell whether a path is text; the bytes of some file names are none."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_record(path: str) -> bool:
    """Tell whether a path in a memory's folder is one that a store reads."""
    parts = path.split("/")
    if parts[0] not in KIND_OF_FOLDER or not 1 < len(parts) <= MAX_DEPTH + 2:
        return False
    hidden = any(part.startswith(".") for part in parts)
    return path.endswith(ENDINGS) and not hidden and is_text(path)


def problem(path: str, code: str, message: str, hint: str = "") -> "Problem":
    """Make a problem of a path that need not be text."""
    from gitmem.records.problems import Problem  # noqa: PLC0415  start-up

    shown = path.encode(errors="surrogateescape").decode(errors="backslashreplace")
    return Problem(path=shown, code=code, message=message, hint=hint)


def reason(error: OSError) -> str:
    """Give the system's error in plain words."""
    return (error.strerror or str(error)).lower()


def records_there(root: str, ids: Collection[str]) -> frozenset[str]:
    """Pick those of some ids of which there is a record's file; what may be archived is there, too.

    Only names are read: of files that were deleted or checked out no catalog need know yet.
    """
    wanted = frozenset(ids)
    if os.path.isdir(os.path.join(root, ARCHIVE)):
        return wanted
    folders = {FOLDERS[kind] for name in wanted if (kind := kind_of(name))}
    return frozenset(
        name
        for folder in folders
        for _, _, files in os.walk(os.path.join(root, folder))
        for file in files
        if (name := "-".join(file.rpartition(".")[0].rsplit("-", 2)[-2:])) in wanted
    )
