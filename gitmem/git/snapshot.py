"""The work tree as a tree object, and what changed between two of them.

A snapshot goes through a copy of the index, so no ref, no stash, no file and not the index
itself is touched. The objects it writes belong to no ref: git's own clean-up takes them
after two weeks or more, which is longer than a session lasts.
"""

import os
import stat
import time
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from gitmem.errors import EnvironmentProblem
from gitmem.git.code_index import IndexCopies, index_copies, write_tree
from gitmem.git.command import all_but, git

MAX_FILE_BYTES = 20 * 1024 * 1024
MAX_UNTRACKED = 20_000
"""New or changed files, at most: each is read and becomes an object, 20,000 of them in seconds.
More are most often a folder of generated files that nobody has ignored yet."""
_MAX_NAMED = 500
# Somebody waits for the command: in a work tree where this takes longer, it is not observed.
_MAX_SECONDS = 30.0
_YOUNG_NS: Final = 2_000_000_000
"""A file so young can be written once more without other times."""
_WORDS_BEFORE_NAME: Final = {b"1": 7, b"u": 9}
"""Of the two kinds of changed files in git's status."""


class CodeState(NamedTuple):
    """The code of a work tree at one moment.

    Attributes:
        tree: id of the tree that holds all of it.
        commit: id of the commit that was checked out; empty before the first.
        proof: equal for two moments between which nothing changed; None where times can't tell.
        clones: folders of repositories inside that are no submodules and that nobody ignores.

    """

    tree: str
    commit: str
    proof: tuple[object, ...] | None
    clones: tuple[str, ...]


def code_state(
    root: str,
    git_dir: str,
    exclude: str,
    *,
    unchanged: Iterable[str] = (),
    earlier: CodeState | None = None,
    max_file_bytes: int = MAX_FILE_BYTES,
    max_untracked: int = MAX_UNTRACKED,
    filters: bool = True,
) -> CodeState:
    """Write the whole work tree (tracked and untracked, not ignored) as a tree.

    For a tracked file that can't be read or is too large a mark stands that changes as it does; a
    new one is left out, and so is a repository inside this one, unless it is a submodule, which
    stands as the commit checked out. Git's clean filters run as in ``git status``, or every
    filtered file would look changed; hooks do not.

    Args:
        root: the work tree's top.
        git_dir: its git folder.
        exclude: the memory's folder, relative to ``root``; empty for none.
        unchanged: files that stand as they do in the index, whatever they hold now.
        earlier: the same work tree before: where nothing changed since, its tree is given again.
        max_file_bytes: larger new or changed files are left out.
        max_untracked: with more new or changed files than this, nothing is written.
        filters: run clean filters that the repository's own settings name. Without them an edited
            file of these looks changed, and a secret that they hide is not hidden: for trees that
            are only compared.

    Raises:
        EnvironmentProblem: git is missing or fails, or the work tree is too full.

    """
    others = all_but(exclude)
    folder = exclude if others else ""
    others += [f":(exclude,top,literal){path}" for path in unchanged]
    began = time.time_ns()
    stamp = _stamp(os.path.join(git_dir, "index"))
    with index_copies(root, git_dir, folder) as index:
        status = _status(root, index, folder, others, filters=filters)
        if len(status.changed) > max_untracked:
            raise EnvironmentProblem(
                f"no snapshot of {root}: {len(status.changed)} new or changed files "
                f"(at most {max_untracked})",
                "name generated folders in .gitignore, or commit first",
            )
        stamps = [stamp, *_stamps(root, status.changed)]
        settled = all(file and max(file.mtime, file.ctime) < began - _YOUNG_NS for file in stamps)
        proof = (*others, status.output, *stamps) if settled else None
        if proof and earlier and proof == earlier.proof:
            return earlier
        whole = status.intended or not index.code
        target, left_out = (index.whole, folder) if whole else (index.code, "")
        if status.changed:
            fit = _fit(root, status.changed - status.unread, max_file_bytes)
            large = status.changed - status.unread - fit
            unfit = [f":(exclude,top,literal){path}" for path in _text(status.changed - fit)]
            named = [f":(top,literal){path}" for path in _text(fit)]
            sparse = os.path.exists(os.path.join(git_dir, "info", "sparse-checkout"))
            specs = others + unfit
            complete = _add(root, target, named, specs, sparse=sparse, filters=filters)
            if large or status.unread or not complete:
                from gitmem.git.stand_ins import not_taken, stand_in, take_itself

                small = _fit(root, status.unread, max_file_bytes)
                missing = status.unread - take_itself(root, target, small, filters=filters)
                missing |= set() if complete else not_taken(root, target, specs) & fit
                stand_in(root, target, (large | missing) - status.new)
        tree = write_tree(root, target, left_out)
    clones = tuple(path.rstrip("/") for path in _text(status.new) if path.endswith("/"))
    return CodeState(tree, status.commit, proof, clones)


def snapshot(root: str, git_dir: str, exclude: str) -> str:
    """Write the whole work tree as a tree, as ``code_state`` does; give its id."""
    return code_state(root, git_dir, exclude).tree


def exists(root: str, tree: str) -> bool:
    """Tell whether a tree (or commit) is still here. Snapshots go when git cleans up."""
    if not tree:
        return False
    try:
        git(root, "cat-file", "-e", f"{tree}^{{tree}}")
    except EnvironmentProblem:
        return False
    return True


class _Stamp(NamedTuple):
    """What differs once a file was written; times in nanoseconds."""

    mtime: int
    ctime: int
    size: int
    inode: int
    mode: int


class _Status(NamedTuple):
    """What git says of a work tree.

    Attributes:
        output: its words, to compare.
        commit: that is checked out; empty before the first.
        changed: names of what differs from the index: new, edited or deleted.
        new: those of them that are not in the index.
        unread: those of them that git can't look at, as where their path is too long for it.
        intended: git was told that a file will be added (``git add -N``), which is in no tree.

    """

    output: bytes
    commit: str
    changed: set[bytes]
    new: set[bytes]
    unread: set[bytes]
    intended: bool


def _status(
    root: str, index: IndexCopies, folder: str, specs: list[str], *, filters: bool
) -> _Status:
    """Ask how the work tree differs from an index, and that from the commit.

    Only files that ``specs`` name are looked at, and their contents only where their times differ
    from those in the index. ``git status`` would look for new files in the memory's folder, too,
    and then leave them out.
    """
    ignored = [f"--exclude=/{_as_pattern(folder)}/"] if folder else []
    new = git(
        root,
        "ls-files",
        "-z",
        "--others",
        "--exclude-standard",
        *ignored,
        "--",
        *specs,
        index=index.code or index.whole,
        seconds=_MAX_SECONDS,
    )
    complaints: list[bytes] = []
    edited = git(
        root,
        "status",
        "--porcelain=v2",
        "-z",
        "--branch",
        "--no-ahead-behind",
        "--no-renames",
        "--untracked-files=no",
        "--ignore-submodules=dirty",
        "--",
        *specs,
        index=index.whole,  # without the memory all records of the commit would look deleted
        seconds=_MAX_SECONDS,
        filters=filters,
        # Of what it can't look at it says why, behind its name, and then nothing.
        on_complaints=lambda text: complaints.extend(
            line.rpartition(b": ")[0] for line in text.splitlines()
        ),
    )
    others = set(new.split(b"\0")) - {b""}
    commit, changed, intended = b"", set(others), False
    for entry in edited.split(b"\0")[:-1]:
        kind, _, rest = entry.partition(b" ")
        if kind == b"#":
            name, _, value = rest.partition(b" ")
            if name == b"branch.oid" and not value.startswith(b"("):  # (initial)
                commit = value
        else:  # 1: how both differ, six more words, the name; u, of a conflict: eight more
            words = rest.split(b" ", _WORDS_BEFORE_NAME[kind])
            intended |= words[0] == b".A"
            if kind == b"u" or words[0][1:] != b".":
                changed.add(words[-1])
    inside = (name for name in complaints if not os.path.isabs(name) and b".." not in name)
    unread = {name for name in inside if os.path.lexists(_full(root, name))} - changed
    return _Status(new + edited, commit.decode(), changed | unread, others, unread, intended)


def _as_pattern(path: str) -> str:
    """Spell a path so that an ignore pattern means it and nothing else."""
    return "".join(f"\\{letter}" if letter in "\\*?[ " else letter for letter in path)


def _stamps(root: str, changed: set[bytes]) -> Iterator[_Stamp | None]:
    """Give the stamps of changed files; None for what has no times that tell (a submodule)."""
    for path in sorted(changed):
        if not path.endswith(b"/") and os.path.lexists(_full(root, path)):
            yield _stamp(_full(root, path))


def _full(root: str, path: bytes) -> bytes:
    return os.path.join(os.fsencode(root), path)


def _stamp(path: str | bytes) -> _Stamp | None:
    try:
        status = os.lstat(path)
    except OSError:
        return None
    if stat.S_ISDIR(status.st_mode):
        return None
    times = status.st_mtime_ns, status.st_ctime_ns
    return _Stamp(*times, status.st_size, status.st_ino, status.st_mode)


def _fit(root: str, changed: set[bytes], max_bytes: int) -> set[bytes]:
    """Leave out what must not be added: too large files, repositories in this one."""
    unfit = {path for path in changed if _unfit(_full(root, path), max_bytes)}
    if len(unfit) > _MAX_NAMED:
        raise EnvironmentProblem(
            f"no snapshot of {root}: {len(unfit)} new files are over {max_bytes} bytes",
            "name folders of large files in .gitignore",
        )
    return changed - unfit


def _text(paths: set[bytes]) -> list[str]:
    return sorted(map(os.fsdecode, paths))


def _add(
    root: str, index: str, named: list[str], others: list[str], *, sparse: bool, filters: bool
) -> bool:
    """Take changed files into an index; tell whether all could be taken.

    Args:
        root: the work tree's top.
        index: the index.
        named: pathspecs of the files. git looks through no folder for them, but refuses all if
            one was deleted meanwhile.
        others: pathspecs of everything that may be added, for many files, and where it refused.
        sparse: take files outside a sparse checkout, too.
        filters: run clean filters.

    """
    if not named:
        return True
    outside = ["--sparse"] if sparse else []
    options = ("add", "-A", "--ignore-errors", *outside, "--")

    def add(specs: list[str], ok: tuple[int, ...]) -> bool:
        try:
            git(root, *options, *specs, index=index, ok=ok, seconds=_MAX_SECONDS, filters=filters)
        except EnvironmentProblem:
            return False
        return True

    if len(named) <= _MAX_NAMED and add(named, (0,)):
        return True
    if add(others, (0,)):
        return True
    # 1: single files could not be added. They stand as they are in the index.
    git(root, *options, *others, index=index, ok=(0, 1), seconds=_MAX_SECONDS, filters=filters)
    return False


def _unfit(path: bytes, max_bytes: int) -> bool:
    if path.endswith(b"/"):  # how git lists a repository inside this one
        return True
    try:
        return os.lstat(path).st_size > max_bytes
    except OSError:
        return False  # deleted: a change like any other
