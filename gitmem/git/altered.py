"""Which files of a folder are no longer as a commit had them."""

import os
from typing import NamedTuple

from gitmem.git.command import git
from gitmem.git.places import Places


class Altered(NamedTuple):
    """Files that a commit had, by what became of them; paths relative to the folder."""

    changed: list[str]
    removed: list[str]


def altered_since(places: Places, commit: str, folder: str) -> Altered:
    """Compare what a commit had below a folder with the work tree.

    Args:
        places: the repository.
        commit: an id.
        folder: relative to the work tree's top.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    options = ("-z", "--name-status", "--no-renames", "--no-ext-diff", "--no-textconv",
               "--diff-filter=MDT")  # fmt: skip
    here = f":(top,literal){folder}"
    words = git(places.root, "diff", *options, commit, "--", here).split(b"\0")
    # A letter, then a path.
    paths: dict[bool, list[str]] = {True: [], False: []}
    for letter, path in zip(words[::2], words[1::2], strict=False):
        inside = os.path.relpath(os.fsdecode(path), folder).replace(os.sep, "/")
        paths[letter == b"D"].append(inside)
    return Altered(paths[False], paths[True])
