"""What lies in a work tree and is in no snapshot: ignored files, and repositories inside it."""

import hashlib
import os
from collections.abc import Callable, Iterator
from typing import Final

from gitmem.errors import GitmemError
from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs, find
from gitmem.git.snapshot import code_state

INSIDE: Final = "//"
"""Begins the name of a repository inside; that of an ignored file or folder begins with one."""
_MOST: Final = 100
_MOST_IN_FOLDER: Final = 500
_MOST_REPOSITORIES: Final = 10


def beside(git_dirs: GitDirs, is_noise: Callable[[str], bool]) -> dict[str, str]:
    """Describe what a snapshot leaves out, so that it shows what of it was changed.

    Args:
        git_dirs: the repository.
        is_noise: tells of a path whether it is not worth a look.

    Returns:
        By name, with one or two strokes before it, what differs once it was changed.

    """
    described = {f"{INSIDE}{path}": tree for path, tree in _repositories(git_dirs.root)}
    try:
        options = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
        output = git(git_dirs.root, *options)
    except GitmemError:
        return described
    names = [os.fsdecode(name).rstrip("/") for name in output.split(b"\0") if name]
    for name in [name for name in names if not is_noise(name)][:_MOST]:
        described[f"/{name}"] = _stamp(os.path.join(git_dirs.root, name))
    return described


def _repositories(root: str) -> Iterator[tuple[str, str]]:
    """Give the submodules that are checked out, each with a snapshot of it."""
    try:
        with open(os.path.join(root, ".gitmodules"), encoding="utf-8", errors="replace") as stream:
            lines = stream.read(1 << 16).splitlines()
    except OSError:
        return
    keys = (line.partition("=") for line in lines)
    paths = [value.strip() for key, _, value in keys if key.strip() == "path"]
    for path in paths[:_MOST_REPOSITORIES]:
        full = os.path.realpath(os.path.join(root, path))
        inside = find(full) if full.startswith(os.path.realpath(root) + os.sep) else None
        if inside is None or inside.root != full:
            continue
        try:
            # Nothing is started that its own settings name.
            yield path, code_state(inside.root, inside.git_dir, "", filters=False).tree
        except GitmemError:
            continue


def _stamp(path: str) -> str:
    """Give what differs once a file, or one of the first files in a folder, was written."""
    stamps = []
    for full in _files(path):
        try:
            status = os.lstat(full)
        except OSError:
            continue
        stamps.append((full, status.st_size, status.st_mtime_ns))
    return hashlib.blake2b(repr(sorted(stamps)).encode(), digest_size=4).hexdigest()


def _files(path: str) -> Iterator[str]:
    if not os.path.isdir(path) or os.path.islink(path):
        yield path
        return
    left = _MOST_IN_FOLDER
    for folder, folders, files in os.walk(path):
        folders.sort()
        for name in sorted(files)[:left]:
            yield os.path.join(folder, name)
        left -= len(files)
        if left <= 0:
            return
