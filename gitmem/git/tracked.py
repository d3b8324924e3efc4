"""The files that git tracks, without those that its attributes call generated or vendored."""

import os
from typing import NamedTuple

from gitmem.git.command import git
from gitmem.git.places import Places

_PLAIN = (b"100644", b"100755")
_SPECIAL = ("linguist-generated", "linguist-vendored", "linguist-documentation")


class Tracked(NamedTuple):
    """What git tracks below a folder.

    Attributes:
        paths: plain files, relative to that folder, sorted.
        special: those of them whose attributes say that nobody here wrote them.

    """

    paths: list[str]
    special: frozenset[str]


def tracked(places: Places, folder: str = "") -> Tracked:
    """List tracked files as they are in the index; links and submodules are none.

    Args:
        places: the repository.
        folder: only what lies below it, relative to the work tree's top.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    here = (f":(top,literal){folder}",) if folder else ()
    prefix = f"{folder}/" if folder else ""
    paths = []
    for line in git(places.root, "ls-files", "-z", "--stage", "--", *here).split(b"\0"):
        head, _, path = line.partition(b"\t")
        if head.startswith(_PLAIN):
            paths.append(os.fsdecode(path)[len(prefix) :])
    special: set[str] = set()
    for name in _SPECIAL:
        said = git(places.root, "ls-files", "-z", "--", f":(top,attr:{name}){folder}")
        special.update(os.fsdecode(path)[len(prefix) :] for path in said.split(b"\0") if path)
    return Tracked(sorted(set(paths)), frozenset(special))
