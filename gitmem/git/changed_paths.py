"""Which paths differ between two trees."""

import os
from collections.abc import Collection

from gitmem.git.command import all_but, git


def changed_paths(root: str, tree_a: str, tree_b: str, exclude: str = "") -> set[bytes]:
    """Name the paths that differ, as raw bytes; both paths of a renamed file."""
    options = ("--name-only", "--no-renames")
    output = diff_tree(root, *options, trees=(tree_a, tree_b), exclude=exclude, only=())
    return set(output.split(b"\0")) - {b""}


def diff_tree(
    root: str, *options: str, trees: tuple[str, str], exclude: str, only: Collection[bytes]
) -> bytes:
    """Ask git what differs between two trees or commits."""
    fixed = ("-r", "-z", "--ignore-submodules=none")
    specs = [f":(top,literal){os.fsdecode(path)}" for path in only]
    where = (*specs, *all_but(exclude))
    return git(root, "diff-tree", *fixed, *options, *trees, "--", *where)
