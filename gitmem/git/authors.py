"""Who brought files, and in which order: the commit that added each, and whom it names."""

import os
from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from gitmem.git.command import git
from gitmem.git.commit_cache import log
from gitmem.git.git_dirs import GitDirs
from gitmem.git.ranges import Range
from gitmem.git.repository import shown_words
from gitmem.git.state import same_head
from gitmem.lazy_pattern import lazily
from gitmem.records.layout import id_in
from gitmem.system import relative_path

_MEANS_MORE: Final = lazily(r"[*?\[\\]")
_OPTIONS: Final = (
    "--diff-filter=A",
    "--no-renames",
    "--name-only",
    "-z",
    "--encoding=UTF-8",
    "--format=%x01%H%x1f%an%x1f%ae%x1f%(trailers:key=Co-authored-by,valueonly)",
)


_MOST_NAMED: Final = 20
"""Records that git looks for by name; of more, all that came is read, sooner."""


class Bringing(NamedTuple):
    """A commit that added files: its id, and names and addresses of its people, its author first.

    Who is named by ``Co-authored-by`` is one of them.
    """

    id: str
    people: tuple[str, ...]


class Arrival(NamedTuple):
    """When a record came to what is checked out, and who brought it.

    Attributes:
        place: grows with the commits that were made or merged here, whatever dates they have.
        people: as ``Bringing`` has them; empty: not known.

    """

    place: int
    people: frozenset[str]


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
    brought: dict[str, Bringing] = {}
    where = f":(top,literal){folder}"
    for bringing, paths in _read(git(git_dirs.root, "log", *_OPTIONS, commits, "--", where)):
        for path in paths:
            brought.setdefault(relative_path(path, folder), bringing)
    return brought


def arrivals(
    git_dirs: GitDirs, ids: Sequence[str], folder: str, seconds: float
) -> dict[str, Arrival]:
    """Give when records came, by their ids, which their files' names hold wherever they lie.

    Those that are in no commit are left out.

    Args:
        git_dirs: the repository.
        ids: of records.
        folder: of the memory, relative to the work tree's top.
        seconds: for each of two questions.

    Raises:
        EnvironmentProblem: git is missing, refuses, or takes longer.

    """
    tip = same_head(git_dirs)
    if not tip:
        return {}
    below = _MEANS_MORE.sub(r"\\\g<0>", folder)
    where = tuple(f":(top,glob){below}/**/*{record}*" for record in ids)
    if len(ids) > _MOST_NAMED:
        where = (f":(top,literal){folder}",)
    people: dict[str | None, set[str]] = {}
    for bringing, paths in _read(log(git_dirs, tip, _OPTIONS, where, seconds)):
        for path in paths:
            people.setdefault(id_in(path), set()).update(map(str.casefold, bringing.people))
    # A branch that was merged came with the merge: when its own commits were made, it says itself.
    merged = log(git_dirs, tip, ("--first-parent", "-m", *_OPTIONS), where, seconds)
    came: dict[str | None, int] = {}
    for place, (_, paths) in enumerate(reversed([*_read(merged)]), 1):
        for path in paths:
            came.setdefault(id_in(path), place)
    return {
        record: Arrival(came[record], frozenset(people.get(record, ())))
        for record in ids
        if record in came
    }


def is_by(people: Collection[str], name: str, email: str) -> bool:
    """Tell whether somebody may be one of the people of a commit; nobody is anybody."""
    names = {person.casefold() for person in people}
    return (
        not names
        or not (name or email)
        or not names.isdisjoint((name.casefold(), email.casefold()))
    )


def _read(output: bytes) -> Iterator[tuple[Bringing, list[str]]]:
    for part in output.split(b"\x01")[1:]:
        head, _, names = part.partition(b"\0")
        commit, name, email, others = head.decode(errors="replace").split("\x1f", 3)
        people = [name, email]
        for other in others.splitlines():
            named, _, address = other.partition("<")
            people += [named.strip(), address.rstrip("> ")]
        bringing = Bringing(commit, tuple(shown_words(person) for person in people if person))
        yield bringing, [os.fsdecode(path) for path in names.strip(b"\n").split(b"\0") if path]
