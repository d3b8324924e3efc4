"""Who brought files: the author of the commit that added each, and whom it names beside."""

import os
from typing import Final, NamedTuple

from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs
from gitmem.git.ranges import Range
from gitmem.git.repository import shown_words
from gitmem.system import relative_path

_FORMAT: Final = "--format=%x01%H%x1f%an%x1f%ae%x1f%(trailers:key=Co-authored-by,valueonly)"


class Bringing(NamedTuple):
    """A commit that added a file: its id, and names and addresses of its people, its author first.

    Who is named by ``Co-authored-by`` is one of them.
    """

    id: str
    people: tuple[str, ...]


def authors_of(git_dirs: GitDirs, span: Range, folder: str) -> dict[str, Bringing]:
    """Give for each file that a range added below a folder the newest commit that did.

    Args:
        git_dirs: the repository.
        span: it ends with a commit.
        folder: relative to the work tree's top; names of files are relative to it.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    commits = f"{span.before}..{span.after}" if span.before else span.after
    options = ("--diff-filter=A", "--no-renames", "--name-only", "-z", "--encoding=UTF-8")
    where = f":(top,literal){folder}"
    output = git(git_dirs.root, "log", *options, _FORMAT, commits, "--", where)
    brought: dict[str, Bringing] = {}
    for part in output.split(b"\x01")[1:]:
        head, _, names = part.partition(b"\0")
        commit, name, email, others = head.decode(errors="replace").split("\x1f", 3)
        people = [name, email]
        for other in others.splitlines():
            named, _, address = other.partition("<")
            people += [named.strip(), address.rstrip("> ")]
        bringing = Bringing(commit, tuple(shown_words(person) for person in people if person))
        for path in names.strip(b"\n").split(b"\0"):
            if path:
                brought.setdefault(relative_path(os.fsdecode(path), folder), bringing)
    return brought
