"""The work tree as a tree object, and what changed between two of them.

A snapshot goes through a copy of the index, so no ref, no stash, no file and not the index
itself is touched. The objects it writes belong to no ref: git's own clean-up takes them
after two weeks or more, which is longer than a session lasts.
"""

import contextlib
import os
import time
from collections.abc import Iterable, Iterator

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


def snapshot(
    root: str,
    git_dir: str,
    exclude: str,
    *,
    unchanged: Iterable[str] = (),
    max_file_bytes: int = MAX_FILE_BYTES,
    max_untracked: int = MAX_UNTRACKED,
    filters: bool = True,
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
        filters: run clean filters that the repository's own settings name. Without them an edited
            file of these looks changed, and a secret that they hide is not hidden: for trees that
            are only compared.

    Raises:
        EnvironmentProblem: git is missing or fails, or the work tree is too full.

    """
    others = all_but(exclude)
    with _index_copy(git_dir) as index:
        others += [f":(exclude,top,literal){path}" for path in unchanged]
        changed = _changed(root, index, others, max_untracked, filters=filters)
        if changed:
            left_out = _left_out(root, changed, max_file_bytes)
            _add(root, git_dir, index, others + left_out, filters=filters)
        return _write_tree(root, index, exclude if all_but(exclude) else "")


def exists(root: str, tree: str) -> bool:
    """Tell whether a tree (or commit) is still here. Snapshots go when git cleans up."""
    if not tree:
        return False
    try:
        git(root, "cat-file", "-e", f"{tree}^{{tree}}")
    except EnvironmentProblem:
        return False
    return True


def _changed(root: str, index: str, others: list[str], most: int, *, filters: bool) -> set[bytes]:
    """Name what differs from the index: new, edited or deleted; perhaps what was only touched."""
    new = ("ls-files", "-z", "--others", "--exclude-standard")
    # ls-files --modified asks the system of each file that is left out as well.
    edited = ("diff-files", "-z", "--name-only", "--ignore-submodules=dirty")
    paths = _names(root, index, new, others) | _names(root, index, edited, others)
    if len(paths) > most:  # it compares contents, so that a copy of a work tree is unchanged
        paths = _names(root, index, (*new, "--modified"), others, filters=filters)
    if len(paths) > most:
        raise EnvironmentProblem(
            f"no snapshot of {root}: {len(paths)} new or changed files (at most {most})",
            "name generated folders in .gitignore, or commit first",
        )
    return paths


def _names(
    root: str, index: str, command: tuple[str, ...], specs: list[str], *, filters: bool = False
) -> set[bytes]:
    output = git(root, *command, "--", *specs, index=index, seconds=_MAX_SECONDS, filters=filters)
    return set(output.split(b"\0")) - {b""}


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


def _add(root: str, git_dir: str, index: str, specs: list[str], *, filters: bool) -> None:
    sparse = os.path.exists(os.path.join(git_dir, "info", "sparse-checkout"))
    outside = ["--sparse"] if sparse else []  # files outside the cone count too
    # 1: single files could not be added. They stand as they are in the index.
    git(
        root, "add", "-A", "--ignore-errors", *outside, "--", *specs,
        index=index, ok=(0, 1), seconds=_MAX_SECONDS, filters=filters,
    )  # fmt: skip


def _unfit(top: bytes, path: bytes, max_bytes: int) -> bool:
    if path.endswith(b"/"):  # how git lists a repository inside this one
        return True
    try:
        return os.lstat(os.path.join(top, path)).st_size > max_bytes
    except OSError:
        return False  # deleted: a change like any other


def _write_tree(root: str, index: str, exclude: str) -> str:
    """Write an index as a tree without a folder; give its id."""
    # Only the id is wanted: in a partial clone not every object need be here.
    write = ("write-tree", "--missing-ok")
    try:
        tree = git(root, *write, index=index).decode().strip()
    except EnvironmentProblem:
        if not exclude:
            raise
        # A conflict in the folder, perhaps. Taking all of it out takes git longer.
        folder = f":(top,literal){exclude}"
        git(root, "rm", "-rqf", "--cached", "--sparse", "--ignore-unmatch", "--", folder,
            index=index)  # fmt: skip
        return git(root, *write, index=index).decode().strip()
    if not exclude:
        return tree
    left = _tree_without(root, tree, os.fsencode(exclude).split(b"/"))
    return left or git(root, "mktree").decode().strip()


def _tree_without(root: str, tree: str, path: list[bytes]) -> str:
    """Write a tree anew without an entry; empty: nothing else is in it.

    Args:
        root: a folder of the repository.
        tree: the tree's id.
        path: the entry's path in the tree, part by part.

    """
    entries = git(root, "ls-tree", "-z", tree).split(b"\0")[:-1]
    remaining = []
    for entry in entries:
        head, _, name = entry.partition(b"\t")
        mode, kind, number = head.split(b" ")
        if name != path[0]:
            remaining.append(entry)
        elif path[1:] and kind == b"tree":
            left = _tree_without(root, number.decode(), path[1:]).encode()
            remaining += [b"%s %s %s\t%s" % (mode, kind, left, name)] if left else []
        elif path[1:]:
            remaining.append(entry)
    if remaining == entries:
        return tree
    lines = b"".join(entry + b"\0" for entry in remaining)
    return git(root, "mktree", "-z", "--missing", stdin=lines).decode().strip() if lines else ""


@contextlib.contextmanager
def _index_copy(git_dir: str) -> Iterator[str]:
    """Copy the index under another name, and clear the copy away afterwards.

    Raises:
        EnvironmentProblem: it can't be copied.

    """
    folder = os.path.join(git_dir, "gitmem")
    copy = os.path.join(folder, f"snapshot-{os.getpid()}-{os.urandom(4).hex()}")
    try:
        try:
            os.makedirs(folder, exist_ok=True)
            _clear_leftovers(folder)
            _copy(os.path.join(git_dir, "index"), copy)
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


def _copy(source: str, target: str) -> None:
    """Copy the index with its times; where there is none, git starts from an empty one.

    The time of change matters: git compares contents only of files that are as young as the
    index. With a younger index it would take a file for unchanged that was edited in the same
    moment.
    """
    try:
        with open(source, "rb") as file:
            stamp = os.fstat(file.fileno())
            data = file.read()
    except FileNotFoundError:
        return
    with open(target, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(data)
    os.utime(target, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))


def _clear_leftovers(folder: str) -> None:
    """Drop copies whose process was killed."""
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        with contextlib.suppress(OSError):
            if name.startswith("snapshot-") and _age(path) > _LEFTOVER_SECONDS:
                os.unlink(path)


def _age(path: str) -> float:
    return time.time() - os.lstat(path).st_ctime
