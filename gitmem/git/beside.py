"""What lies in a work tree and is in no snapshot.

That is ignored files, repositories inside it, and tracked files that git was told to pass over.
"""

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from gitmem.errors import GitmemError
from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs, find, is_sparse
from gitmem.git.snapshot import code_state

INSIDE: Final = "//"
"""Begins the name of a repository inside; that of an ignored file or folder begins with one."""
_MOST: Final = 100
_MOST_IN_FOLDER: Final = 500
_MOST_REPOSITORIES: Final = 10


def beside(
    git_dirs: GitDirs, is_noise: Callable[[str], bool], clones: Iterable[str] = ()
) -> dict[str, str]:
    """Describe what a snapshot leaves out, so that it shows what of it was changed.

    Args:
        git_dirs: the repository.
        is_noise: tells of a path whether it is not worth a look.
        clones: repositories inside that are no submodules and that nobody ignores.

    Returns:
        By name, with one or two strokes before it, what differs once it was changed.

    """
    described = {f"{INSIDE}{path}": tree for path, tree in _repositories(git_dirs.root, clones)}
    try:
        options = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
        output = git(git_dirs.root, *options)
        passed_over = _passed_over(git_dirs)
    except GitmemError:
        return described
    names = [os.fsdecode(name).rstrip("/") for name in output.split(b"\0") if name]
    for name in [name for name in [*passed_over, *names] if not is_noise(name)][:_MOST]:
        described[f"/{name}"] = _stamp(os.path.join(git_dirs.root, name))
    return described


def _passed_over(git_dirs: GitDirs) -> list[str]:
    """Name the tracked files that are there and that git was told not to compare.

    Raises:
        EnvironmentProblem: git fails.

    """
    # A small letter: assume-unchanged. S: skip-worktree, as all have that a sparse checkout lacks.
    tags = b"[a-z]" if is_sparse(git_dirs) else b"[a-zS]"
    output = git(git_dirs.root, "ls-files", "-v", "-z")
    return [os.fsdecode(name) for name in re.findall(rb"(?:\A|\0)%b ([^\0]+)" % tags, output)]


def _repositories(root: str, clones: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Give the repositories inside that no snapshot looks into, each with a snapshot of it.

    These are the submodules that are checked out, and work trees and clones that nobody ignores.
    """
    for path in [*_submodules(root), *clones][:_MOST_REPOSITORIES]:
        full = os.path.realpath(os.path.join(root, path))
        inside = find(full) if full.startswith(os.path.realpath(root) + os.sep) else None
        if inside is None or inside.root != full:
            continue
        try:
            # Nothing is started that its own settings name.
            yield path, code_state(inside.root, inside.git_dir, "", filters=False).tree
        except GitmemError:
            continue


def _submodules(root: str) -> list[str]:
    try:
        with open(os.path.join(root, ".gitmodules"), encoding="utf-8", errors="replace") as stream:
            lines = stream.read(1 << 16).splitlines()
    except OSError:
        return []
    keys = (line.partition("=") for line in lines)
    return [value.strip() for key, _, value in keys if key.strip() == "path"]


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
