"""What the next commit will hold: files as they are staged, and trailers of its message."""

import os
from collections.abc import Sequence
from contextlib import closing
from typing import Final, NamedTuple

from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs
from gitmem.git.objects import Objects

_ADDED: Final = b"A"
_GONE: Final = b"D"
_PLAIN: Final = (b"100644", b"100755")
_MOST_BYTES: Final = 8 << 20
_SCISSORS: Final = b" ------------------------ >8 ------------------------"


class Staged(NamedTuple):
    """A file that is staged.

    Attributes:
        path: relative to the work tree's top.
        new: no commit has had it.
        content: what is staged; None where that is no plain file, or too large.

    """

    path: str
    new: bool
    content: bytes | None


def staged(git_dirs: GitDirs, pathspec: str, index: str | None = None) -> list[Staged]:
    """List staged files that differ from the commit that is checked out; deleted ones are not.

    In a merge: from all commits that are merged.

    Args:
        git_dirs: the repository.
        pathspec: which files.
        index: git's index file if it is another than the work tree's own, as in a hook of
            ``git commit FILE``.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    base = git(git_dirs.root, "rev-parse", "--verify", "--quiet", "HEAD^{tree}", ok=(0, 1))
    against = base.decode().strip() or git(git_dirs.root, "mktree").decode().strip()
    full = os.path.join(git_dirs.root, index) if index else None
    differs = _differing(git_dirs, against, pathspec, full)
    for commit in _merged(git_dirs):
        there = _differing(git_dirs, commit, pathspec, full)
        differs = {
            path: (mode, name, new and there[path][2])
            for path, (mode, name, new) in differs.items()
            if path in there
        }
    files = []
    with closing(Objects(git_dirs)) as objects:
        for path, (mode, name, new) in differs.items():
            read = objects.read(name, _MOST_BYTES) if mode in _PLAIN else None
            content = read[0] if read and read[1] <= _MOST_BYTES else None
            files.append(Staged(path, new, content))
    return files


def names_staged(git_dirs: GitDirs, folder: str, index: str | None = None) -> list[str]:
    """Name all files below a folder that the next commit will hold, those that stay included.

    Args:
        git_dirs: the repository.
        folder: relative to the work tree's top; the names are relative to it.
        index: as for ``staged``.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    full = os.path.join(git_dirs.root, index) if index else None
    where = f":(top,literal){folder}"
    output = git(git_dirs.root, "ls-files", "-z", "--full-name", "--", where, index=full)
    return [os.fsdecode(name)[len(folder) + 1 :] for name in output.split(b"\0") if name]


def _differing(
    git_dirs: GitDirs, against: str, pathspec: str, index: str | None
) -> dict[str, tuple[bytes, str, bool]]:
    """Give mode, object and whether it is new, by path, of what is staged and differs."""
    options = ("diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev")
    output = git(git_dirs.root, *options, against, "--", pathspec, index=index).split(b"\0")
    differing = {}
    for head, path in zip(output[0::2], output[1::2], strict=False):
        _, mode, _, name, how = head.split()
        if not how.startswith(_GONE):
            differing[os.fsdecode(path)] = mode, name.decode(), how.startswith(_ADDED)
    return differing


def _merged(git_dirs: GitDirs) -> list[str]:
    """Give the other commits of the merge that is under way."""
    try:
        with open(os.path.join(git_dirs.git_dir, "MERGE_HEAD"), encoding="ascii") as file:
            return file.read().split()
    except (OSError, ValueError):
        return []


def has_words(git_dirs: GitDirs, message_file: str, *, given: bool = False) -> bool:
    """Tell whether a commit message says something: git refuses one that does not.

    Args:
        git_dirs: the repository.
        message_file: where the message is, as git leaves it to hooks.
        given: it was given on the command line, where no line is a comment.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    words = _read(message_file)
    if given:
        return bool(words.strip())
    mark = git(git_dirs.root, "config", "--get", "core.commentChar", ok=(0, 1)).strip()
    mark = mark if mark and mark != b"auto" else b"#"
    template = git(git_dirs.root, "config", "--type=path", "--get", "commit.template", ok=(0, 1))
    path = os.path.join(git_dirs.root, os.fsdecode(template.strip(b"\n")))
    untouched = _message_lines(_read(path), mark) if template and os.path.isfile(path) else []
    return _message_lines(words, mark) not in ([], untouched)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(_MOST_BYTES)


def _message_lines(text: bytes, mark: bytes) -> list[bytes]:
    """Give the lines of a message that are no comment, up to what git shows below it."""
    trailers = []
    for line in text.splitlines():
        if line.startswith(mark):
            if _SCISSORS in line:
                break
        elif line.strip():
            trailers.append(line.rstrip())
    return trailers


def add_trailers(git_dirs: GitDirs, message_file: str, trailers: Sequence[str]) -> None:
    """Add trailers to a commit message; those that it has are not added again.

    Raises:
        EnvironmentProblem: git is missing or refuses.
        OSError: the message can't be read or written.

    """
    options = [part for trailer in trailers for part in ("--trailer", trailer)]
    if not options:
        return
    with open(message_file, "r+b") as file:
        # git merge ends its message in the middle of a line, and that line would be gone on with.
        if not file.read().endswith(b"\n"):
            file.write(b"\n")
    git(
        git_dirs.root,
        "interpret-trailers",
        "--in-place",
        "--if-exists=addIfDifferent",
        "--no-divider",
        *options,
        os.path.abspath(message_file),
    )
