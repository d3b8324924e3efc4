"""What is checked out, asked without GitPython, as a watched command waits for the answer."""

import os
from functools import lru_cache
from typing import NamedTuple

from gitmem.errors import EnvironmentProblem
from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs

_IN_PROGRESS = (
    ("rebase-merge", "rebase"),
    ("rebase-apply/applying", "am"),
    ("rebase-apply", "rebase"),
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("BISECT_LOG", "bisect"),
)

_MOST_READ = 1 << 20
_GONE_TO = (b"checkout:", b"reset:", b"merge ", b"pull", b"rebase")
_MOST_LOGGED = 2000
_BRANCHES = "refs/heads/"
TABLES = "reftable/tables.list"
"""Where a repository keeps branches and logs in tables, the list of these is what git writes."""
_NO_BRANCH = ".invalid"
"""What HEAD names there: which branch it is stands in the tables."""


def in_progress(git_dirs: GitDirs) -> str:
    """Name what git is in the middle of (merge, rebase, bisect, ...), or an empty string."""
    for name, state in _IN_PROGRESS:
        if os.path.exists(os.path.join(git_dirs.git_dir, name)):
            return state
    return ""


def head(git_dirs: GitDirs) -> str:
    """Give the id of the commit that is checked out; empty before the first one.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    output = git(git_dirs.root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}", ok=(0, 1))
    return output.decode().strip()


def same_head(git_dirs: GitDirs) -> str:
    """Give what ``head`` does; git is asked again only once another commit may be checked out."""
    return _head_at(git_dirs, tip_stamp(git_dirs))


@lru_cache(maxsize=8)
def _head_at(git_dirs: GitDirs, _stamp: tuple[object, ...]) -> str:
    return head(git_dirs)


def checked_out(git_dirs: GitDirs) -> tuple[str, str]:
    """Give the branch's name (empty if detached) and the commit's id (empty before the first).

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    # One start of git; before the first commit it answers neither.
    revisions = ("rev-parse", "HEAD^{commit}", "--symbolic-full-name", "HEAD")
    output = git(git_dirs.root, *revisions, ok=(0, 128)).decode(errors="replace")
    commit, _, name = output.rstrip("\n").partition("\n")
    if name == "HEAD":
        return "", commit
    if name.startswith(_BRANCHES):
        return name.removeprefix(_BRANCHES), commit
    output = git(git_dirs.root, "symbolic-ref", "--quiet", "HEAD", ok=(0, 1)).decode(
        errors="replace"
    )
    return output.rstrip("\n").removeprefix(_BRANCHES), head(git_dirs)


def branch(git_dirs: GitDirs) -> str:
    """Give the branch's name; empty if detached or unreadable. Git is asked only for tables."""
    name = _branch_in_file(git_dirs)
    if name != _NO_BRANCH:
        return name
    try:
        return checked_out(git_dirs)[0]
    except EnvironmentProblem:
        return ""


def _branch_in_file(git_dirs: GitDirs) -> str:
    try:
        with open(os.path.join(git_dirs.git_dir, "HEAD"), encoding="utf-8") as stream:
            content = stream.read(4096).strip()
    except (OSError, ValueError):
        return ""
    return (
        content.removeprefix("ref: refs/heads/") if content.startswith("ref: refs/heads/") else ""
    )


def tip_stamp(git_dirs: GitDirs) -> tuple[object, ...]:
    """Give what differs once another commit is checked out; six files are looked at.

    git writes the log of HEAD with every commit and checkout. Where there is no such log, the
    branch's own file tells, or the list of packed or of tabled branches.
    """
    own, shared = git_dirs.git_dir, git_dirs.common_dir
    paths = [os.path.join(own, name) for name in ("HEAD", os.path.join("logs", "HEAD"), TABLES)]
    own_branch = os.path.join("refs", "heads", _branch_in_file(git_dirs))
    paths += [os.path.join(shared, name) for name in (own_branch, "packed-refs", TABLES)]
    return tuple(map(file_stamp, paths))


def moves(git_dirs: GitDirs, since: int) -> tuple[int, bool | None]:
    """Tell where the log of HEAD ends, and whether commits were only added since an offset in it.

    Anything else (amend, rebase, reset, checkout, a log that is off) may have taken commits away.
    None: nothing was logged since. git writes the log before it moves the branch, so that a move
    may show after the line that tells of it was read.
    """
    try:
        with open(os.path.join(git_dirs.git_dir, "logs", "HEAD"), "rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            if not 0 < since <= size or size - since > _MOST_READ:
                return size, False
            stream.seek(since)
            lines = stream.read(size - since).splitlines()
            if not lines:
                return size, None
    except OSError:
        return 0, False
    messages = (line.partition(b"\t")[2] for line in lines)
    return size, all(message.startswith((b"commit: ", b"commit (merge): ")) for message in messages)


def switched(git_dirs: GitDirs, since: float, commit: str) -> bool:
    """Tell whether another commit was gone to, and not made, after a moment.

    Args:
        git_dirs: the repository.
        since: that moment, as seconds since 1970.
        commit: what was checked out then.

    """
    try:
        entries = log_of_head(git_dirs, since, commit)
    except OSError:
        return False
    if entries is None:
        return True  # what was gone to nobody knows
    return any(entry.moved and entry.message.startswith(_GONE_TO) for entry in entries)


class HeadLogEntry(NamedTuple):
    """What git's log of HEAD says of one step.

    Attributes:
        commit: the one that was gone to, or made.
        moved: it is another one than before.
        message: how.

    """

    commit: str
    moved: bool
    message: bytes


def log_of_head(git_dirs: GitDirs, since: float, commit: str) -> list[HeadLogEntry] | None:
    """Give what git's log of HEAD says since a moment, newest first; None if it is damaged.

    The log knows whole seconds only. Of the moment's own second, what led to the commit that was
    checked out at the moment came before it, and so did all that is older.

    Args:
        git_dirs: the repository.
        since: that moment, as seconds since 1970.
        commit: what was checked out then.

    Raises:
        OSError: there is no such log.

    """
    logged = _lines_of_log if _branch_in_file(git_dirs) != _NO_BRANCH else _lines_by_git
    entries: list[HeadLogEntry] = []
    for line in logged(git_dirs):
        facts, _, message = line.partition(b"\t")
        words = facts.split()
        try:
            moment, new = int(words[-2]), words[1].decode()
        except (IndexError, ValueError):
            return None
        if moment < int(since) or (moment == int(since) and new == commit):
            break
        entries.append(HeadLogEntry(new, words[0] != words[1], message))
    return entries


def _lines_of_log(git_dirs: GitDirs) -> list[bytes]:
    """Give the lines of the log, newest first."""
    with open(os.path.join(git_dirs.git_dir, "logs", "HEAD"), "rb") as stream:
        size = os.fstat(stream.fileno()).st_size
        stream.seek(max(0, size - _MOST_READ))
        return stream.read(_MOST_READ).splitlines()[::-1]


def _lines_by_git(git_dirs: GitDirs) -> list[bytes]:
    """Give them where they stand in tables, as a log of its own would have them."""
    form = "--format=%H%x00%gd%x00%gs"
    options = ("-g", "--date=unix", f"--max-count={_MOST_LOGGED}", form, "HEAD", "--")
    try:
        output = git(git_dirs.root, "log", *options, ok=(0, 128))
    except EnvironmentProblem as error:
        raise OSError(error.message) from error
    steps = [line.split(b"\0", 2) for line in output.splitlines()]
    before = [commit for commit, *_ in steps[1:]] + [b"0"]
    return [
        b"%b %b %b +0000\t%b" % (old, new, when.partition(b"{")[2].rstrip(b"}"), how)
        for old, (new, when, how) in zip(before, steps, strict=True)
    ]


def file_stamp(path: str) -> tuple[int, int, int] | None:
    """Give what differs once a file was written; None if there is none."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
