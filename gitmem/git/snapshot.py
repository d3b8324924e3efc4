"""The work tree as a tree object, and what changed between two of them.

A snapshot goes through a copy of the index, so no ref, no stash, no file and not the index
itself is touched. The objects it writes belong to no ref: git's own clean-up takes them
after two weeks or more, which is longer than a session lasts.
"""

import contextlib
import os
import time
from collections.abc import Iterator

from gitmem.errors import EnvironmentProblem
from gitmem.git.command import all_but, git

MAX_FILE_BYTES = 20 * 1024 * 1024
MAX_UNTRACKED = 20_000
"""New or changed files, at most: each is read and becomes an object, 20,000 of them in seconds.
More are most often a folder of generated files that nobody has ignored yet."""
_MAX_LEFT_OUT = 500
# Somebody waits for the command: in a work tree where this takes longer, it is not observed.
_MAX_SECONDS = 30.0
_LEFTOVER_SECONDS = 3600
_CHUNK = 1 << 20


def snapshot(
    root: str,
    git_dir: str,
    exclude: str,
    *,
    max_file_bytes: int = MAX_FILE_BYTES,
    max_untracked: int = MAX_UNTRACKED,
) -> str:
    """Write the whole work tree (tracked and untracked, not ignored) as a tree; give its id.

    A file that can't be read or is too large stands as it does in the index; a repository
    inside this one is left out unless it is a submodule, which stands as the commit checked
    out. Git's clean filters run as in ``git status``, or every filtered file would look
    changed; hooks do not.

    Args:
        root: the work tree's top.
        git_dir: its git folder.
        exclude: the memory's folder, relative to ``root``; empty for none.
        max_file_bytes: larger new or changed files are left out.
        max_untracked: with more new or changed files than this, nothing is written.

    Raises:
        EnvironmentProblem: git is missing or fails, or the work tree is too full.

    """
    others = all_but(exclude)
    sparse = os.path.exists(os.path.join(git_dir, "info", "sparse-checkout"))
    outside = ["--sparse"] if sparse else []  # files outside the cone count too
    with _index_copy(git_dir) as index:
        if others:
            here = f":(top,literal){exclude}"
            arguments = ["rm", "-rqf", "--cached", "--ignore-unmatch", *outside, "--", here]
            git(root, *arguments, index=index)
        left_out = _left_out(root, index, others, max_file_bytes, max_untracked)
        specs = others + [f":(exclude,top,literal){path}" for path in left_out]
        # 1: single files could not be added. They stand as they are in the index.
        git(
            root, "add", "-A", "--ignore-errors", *outside, "--", *specs,
            index=index, ok=(0, 1), seconds=_MAX_SECONDS,
        )  # fmt: skip
        # Only the id is wanted: in a partial clone not every object need be here.
        return git(root, "write-tree", "--missing-ok", index=index).decode().strip()


def exists(root: str, tree: str) -> bool:
    """Tell whether a tree (or commit) is still here. Snapshots go when git cleans up."""
    if not tree:
        return False
    try:
        git(root, "cat-file", "-e", f"{tree}^{{tree}}")
    except EnvironmentProblem:
        return False
    return True


def _left_out(root: str, index: str, others: list[str], max_bytes: int, most: int) -> list[str]:
    """List what must not be added: files that are too large, and repositories in this one."""
    said = git(
        root, "ls-files", "-z", "--others", "--modified", "--exclude-standard", "--", *others,
        index=index, seconds=_MAX_SECONDS,
    )  # fmt: skip
    paths = set(said.split(b"\0")) - {b""}
    if len(paths) > most:
        raise EnvironmentProblem(
            f"no snapshot of {root}: {len(paths)} new or changed files (at most {most})",
            "name generated folders in .gitignore, or commit first",
        )
    top = os.fsencode(root)
    left_out = sorted(os.fsdecode(path) for path in paths if _unfit(top, path, max_bytes))
    if len(left_out) > _MAX_LEFT_OUT:
        raise EnvironmentProblem(
            f"no snapshot of {root}: {len(left_out)} new files are over {max_bytes} bytes",
            "name folders of large files in .gitignore",
        )
    return left_out


def _unfit(top: bytes, path: bytes, max_bytes: int) -> bool:
    if path.endswith(b"/"):  # how git lists a repository inside this one
        return True
    try:
        return os.lstat(os.path.join(top, path)).st_size > max_bytes
    except OSError:
        return False  # deleted: a change like any other


@contextlib.contextmanager
def _index_copy(git_dir: str) -> Iterator[str]:
    """Copy the index under another name, and clear the copy away afterwards."""
    folder = os.path.join(git_dir, "gitmem")
    copy = os.path.join(folder, f"snapshot-{os.getpid()}-{os.urandom(4).hex()}")
    try:
        os.makedirs(folder, exist_ok=True)
        _clear_leftovers(folder)
        _copy(os.path.join(git_dir, "index"), copy)
    except OSError as error:
        raise EnvironmentProblem(
            f"no snapshot: can't write in {folder}: {error.strerror}",
            "check free space and the permissions of the git folder",
        ) from error
    try:
        yield copy
    finally:
        for path in (copy, f"{copy}.lock"):
            with contextlib.suppress(OSError):
                os.unlink(path)


def _copy(source: str, target: str) -> None:
    """Copy bytes and modification time.

    The time matters: git compares contents only of files that are as young as the index. With
    a younger index it would take a file for unchanged that was edited in the same moment.
    """
    try:
        read = os.open(source, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return  # nothing was ever added: git starts from an empty index
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        with open(target, "wb", opener=lambda path, _: os.open(path, flags, 0o600)) as written:
            while block := os.read(read, _CHUNK):
                written.write(block)
        stamp = os.fstat(read)
        os.utime(target, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    finally:
        os.close(read)


def _clear_leftovers(folder: str) -> None:
    """Drop copies whose process was killed."""
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        with contextlib.suppress(OSError):
            if name.startswith("snapshot-") and _age(path) > _LEFTOVER_SECONDS:
                os.unlink(path)


def _age(path: str) -> float:
    return time.time() - os.lstat(path).st_ctime
