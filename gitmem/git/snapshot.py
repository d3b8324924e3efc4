"""The work tree as a tree object, and what changed between two of them.

A snapshot goes through a copy of the index, so no ref, no stash, no file and not the index
itself is touched. The objects it writes belong to no ref: git's own clean-up takes them
after two weeks or more, which is longer than a session lasts.
"""

import contextlib
import os
import time
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from gitmem.errors import EnvironmentProblem
from gitmem.git.command import all_but, git
from gitmem.git.edits import IndexStamp, stamp_at
from gitmem.git.index_file import without

MAX_FILE_BYTES = 20 * 1024 * 1024
MAX_UNTRACKED = 20_000
"""New or changed files, at most: each is read and becomes an object, 20,000 of them in seconds.
More are most often a folder of generated files that nobody has ignored yet."""
_MAX_LEFT_OUT = 500
# Somebody waits for the command: in a work tree where this takes longer, it is not observed.
_MAX_SECONDS = 30.0
_LEFTOVER_SECONDS = 3600
_YOUNG_NS: Final = 2_000_000_000
"""An index so young can be written once more without another stamp."""
_MOST_KEPT: Final = 4
_MOST_KEPT_BYTES: Final = 4 << 20


class _FileSnapshot(NamedTuple):
    """What a file held at one moment."""

    data: bytes
    times: tuple[int, int]


# Who stays takes snapshots again and again: indexes without their folder, by path and folder.
_cut: dict[tuple[str, str], tuple[IndexStamp, _FileSnapshot]] = {}


def snapshot(
    root: str,
    git_dir: str,
    exclude: str,
    *,
    unchanged: Iterable[str] = (),
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
        unchanged: files that stand as they do in the index, whatever they hold now.
        max_file_bytes: larger new or changed files are left out.
        max_untracked: with more new or changed files than this, nothing is written.

    Raises:
        EnvironmentProblem: git is missing or fails, or the work tree is too full.

    """
    others = all_but(exclude)
    with index_without(root, git_dir, exclude if others else "") as index:
        others += [f":(exclude,top,literal){path}" for path in unchanged]
        changed = _changed(root, index, others, max_untracked)
        if changed:
            left_out = _left_out(root, changed, max_file_bytes)
            _add(root, git_dir, index, others + left_out)
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


def _changed(root: str, index: str, others: list[str], most: int) -> set[bytes]:
    """Name what differs from the index: new, edited or deleted."""
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
    return paths


def _left_out(root: str, paths: set[bytes], max_bytes: int) -> list[str]:
    """Give pathspecs of what must not be added: too large files, repositories in this one."""
    top = os.fsencode(root)
    left_out = sorted(os.fsdecode(path) for path in paths if _unfit(top, path, max_bytes))
    if len(left_out) > _MAX_LEFT_OUT:
        raise EnvironmentProblem(
            f"no snapshot of {root}: {len(left_out)} new files are over {max_bytes} bytes",
            "name folders of large files in .gitignore",
        )
    return [f":(exclude,top,literal){path}" for path in left_out]


def _add(root: str, git_dir: str, index: str, specs: list[str]) -> None:
    sparse = os.path.exists(os.path.join(git_dir, "info", "sparse-checkout"))
    outside = ["--sparse"] if sparse else []  # files outside the cone count too
    # 1: single files could not be added. They stand as they are in the index.
    git(
        root, "add", "-A", "--ignore-errors", *outside, "--", *specs,
        index=index, ok=(0, 1), seconds=_MAX_SECONDS,
    )  # fmt: skip


def _unfit(top: bytes, path: bytes, max_bytes: int) -> bool:
    if path.endswith(b"/"):  # how git lists a repository inside this one
        return True
    try:
        return os.lstat(os.path.join(top, path)).st_size > max_bytes
    except OSError:
        return False  # deleted: a change like any other


@contextlib.contextmanager
def index_without(root: str, git_dir: str, exclude: str) -> Iterator[str]:
    """Copy the index without a folder under another name, and clear the copy away afterwards.

    Args:
        root: the work tree's top.
        git_dir: its git folder.
        exclude: the folder, relative to ``root``; empty for none.

    Raises:
        EnvironmentProblem: it can't be copied.

    """
    folder = os.path.join(git_dir, "gitmem")
    copy = os.path.join(folder, f"snapshot-{os.getpid()}-{os.urandom(4).hex()}")
    try:
        try:
            os.makedirs(folder, exist_ok=True)
            _clear_leftovers(folder)
            _copy(root, os.path.join(git_dir, "index"), copy, exclude)
        except OSError as error:
            raise EnvironmentProblem(
                f"no snapshot: can't write in {folder}: {error.strerror}",
                "check free space and the permissions of the git folder",
            ) from error
        yield copy
    finally:
        for path in (copy, f"{copy}.lock"):
            with contextlib.suppress(OSError):
                os.unlink(path)


def _copy(root: str, source: str, target: str, exclude: str) -> None:
    """Copy the index, without a folder unless that is empty."""
    stamp = stamp_at(source)
    known, kept = _cut.get((source, exclude), (None, None))
    if kept and stamp == known:
        _write(target, *kept)
        return
    try:
        index = _read(source)
    except FileNotFoundError:
        return  # nothing was ever added: git starts from an empty index
    if not exclude:
        _write(target, *index)
        return
    left = without(index.data, exclude)
    if left is not None:
        _keep((source, exclude), stamp, _FileSnapshot(left, index.times))
    if left is None:  # split, sparse or version 4: git writes it plainly
        _write(target, *index)
        form = ("--index-version=2", "--force-write-index")
        git(root, "-c", "index.sparse=false", "update-index", *form, index=target)
        index = _read(target)
        left = without(index.data, exclude)
        os.unlink(target)
        if left is None:
            raise EnvironmentProblem(
                f"no snapshot of {root}: git's index has a form that gitmem does not know",
                "see what git --version says: a newer gitmem may know its index",
            )
    _write(target, left, index.times)


def _keep(name: tuple[str, str], stamp: IndexStamp | None, cut: _FileSnapshot) -> None:
    """Keep what an index of a stamp, taken before it was read, is without a folder."""
    young = time.time_ns() - _YOUNG_NS
    if stamp is None or max(stamp.mtime_ns, stamp.ctime_ns) > young:
        return
    if len(cut.data) > _MOST_KEPT_BYTES:
        return
    if len(_cut) >= _MOST_KEPT:
        _cut.clear()
    _cut[name] = stamp, cut


def _read(path: str) -> _FileSnapshot:
    with open(path, "rb") as file:
        stamp = os.fstat(file.fileno())
        return _FileSnapshot(file.read(), (stamp.st_atime_ns, stamp.st_mtime_ns))


def _write(path: str, data: bytes, times: tuple[int, int]) -> None:
    """Write a new file with the times of an older one.

    The time of change matters: git compares contents only of files that are as young as the
    index. With a younger index it would take a file for unchanged that was edited in the same
    moment.
    """
    with open(path, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(data)
    os.utime(path, ns=times)


def _clear_leftovers(folder: str) -> None:
    """Drop copies whose process was killed."""
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        with contextlib.suppress(OSError):
            if name.startswith("snapshot-") and _age(path) > _LEFTOVER_SECONDS:
                os.unlink(path)


def _age(path: str) -> float:
    return time.time() - os.lstat(path).st_ctime
