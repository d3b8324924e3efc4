"""Copies of git's index that a snapshot goes through: all of it, and the code without the memory.

In the repository of a large memory most files are records. An index without them takes git a
fraction of the time to read, to write and to make a tree of. It is made when git's own was
written, by git, and kept beside the derived state: not in it, for it names the files of the
repository as git's own does, and what is derived holds no secret. Its entries are those of git's
index, stamps included, so that no file is read again.
"""

import contextlib
import hashlib
import os
import time
from collections.abc import Iterator
from typing import Final, NamedTuple

from gitmem.errors import EnvironmentProblem
from gitmem.git.command import git

_LEFTOVER_SECONDS: Final = 3600
_KEPT: Final = "code-index-"
_COPY: Final = "snapshot-"
_WRITE_TREE: Final = ("write-tree", "--missing-ok")
"""Only the id is wanted: in a partial clone not every object need be here."""


class IndexCopies(NamedTuple):
    """Copies of git's index.

    Attributes:
        whole: path of one with every file.
        code: path of one without the memory's folder; empty: there is no such.

    """

    whole: str
    code: str


@contextlib.contextmanager
def index_copies(root: str, git_dir: str, folder: str) -> Iterator[IndexCopies]:
    """Copy the index under other names, and clear the copies away afterwards.

    Args:
        root: the work tree's top.
        git_dir: its git folder.
        folder: the memory's folder, relative to ``root``; empty for none.

    Raises:
        EnvironmentProblem: it can't be copied.

    """
    place = os.path.join(git_dir, "gitmem")
    whole = os.path.join(place, f"{_COPY}{os.getpid()}-{os.urandom(4).hex()}")
    code = f"{whole}.code"
    try:
        try:
            os.makedirs(place, exist_ok=True)
            _clear_leftovers(place)
            stamp = _copy(os.path.join(git_dir, "index"), whole)
            has_code = stamp and folder and _make_code(root, whole, code, folder, stamp)
        except OSError as error:
            raise EnvironmentProblem(
                f"no snapshot: can't write in {place}: {error.strerror}",
                "check free space and the permissions of the git folder",
            ) from error
        yield IndexCopies(whole, code if has_code else "")
    finally:
        for copy in (whole, code):
            for path in (copy, f"{copy}.lock"):
                with contextlib.suppress(OSError):
                    os.unlink(path)


def write_tree(root: str, index: str, exclude: str) -> str:
    """Write an index as a tree without a folder; give its id."""
    try:
        tree = git(root, *_WRITE_TREE, index=index).decode().strip()
    except EnvironmentProblem:
        if not exclude:
            raise
        # A conflict in the folder, perhaps. Taking all of it out takes git longer.
        folder = f":(top,literal){exclude}"
        options = ("rm", "-rqf", "--cached", "--sparse", "--ignore-unmatch", "--")
        git(root, *options, folder, index=index)
        return git(root, *_WRITE_TREE, index=index).decode().strip()
    return _without(root, tree, exclude) if exclude else tree


def _make_code(root: str, whole: str, code: str, folder: str, stamp: tuple[int, ...]) -> bool:
    """Give an index without a folder the name ``code``; false if git can't make one.

    Raises:
        OSError: it can't be written.

    """
    place = os.path.dirname(whole)
    name = hashlib.blake2b(repr((stamp, folder)).encode(), digest_size=8).hexdigest()
    stored = os.path.join(place, f"{_KEPT}{name}")
    if _copy(stored, code):
        return True
    _copy(whole, code)
    try:
        tree = git(root, *_WRITE_TREE, index=code).decode().strip()
        # Only the index is written, and its entries stay as they are where the tree has the same.
        git(root, "read-tree", "-i", "-m", _without(root, tree, folder), index=code)
    except EnvironmentProblem:
        return False  # in the middle of a merge
    times = os.stat(whole)
    os.utime(code, ns=(times.st_atime_ns, times.st_mtime_ns))
    if os.path.islink(place):  # it leads to who knows where
        return True
    with contextlib.suppress(OSError):  # then the next snapshot makes it again
        for old in os.listdir(place):
            if old.startswith(_KEPT):
                os.unlink(os.path.join(place, old))
        _copy(code, f"{whole}.stored")
        os.replace(f"{whole}.stored", stored)
    return True


def _without(root: str, tree: str, folder: str) -> str:
    """Write a copy of a tree without a folder; give its id."""
    left = _tree_without(root, tree, os.fsencode(folder).split(b"/"))
    return left or git(root, "mktree").decode().strip()


def _tree_without(root: str, tree: str, path: list[bytes]) -> str:
    """Write a copy of a tree without one entry; empty: it has no other.

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


def _copy(source: str, target: str) -> tuple[int, ...] | None:
    """Copy an index with its times; give its stamp, None where there is none: git starts empty.

    The time of change matters: git compares contents only of files that are as young as the
    index. With a younger index it would take a file for unchanged that was edited in the same
    moment.
    """
    try:
        with open(source, "rb") as file:
            stamp = os.fstat(file.fileno())
            data = file.read()
    except FileNotFoundError:
        return None
    with open(target, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(data)
    os.utime(target, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    return stamp.st_size, stamp.st_mtime_ns, stamp.st_ctime_ns, stamp.st_ino


def _clear_leftovers(folder: str) -> None:
    """Drop copies whose process was killed."""
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        with contextlib.suppress(OSError):
            if name.startswith(_COPY) and _age(path) > _LEFTOVER_SECONDS:
                os.unlink(path)


def _age(path: str) -> float:
    return time.time() - os.lstat(path).st_ctime
