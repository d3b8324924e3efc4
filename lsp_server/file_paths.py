"""Converts an editor's URIs to files and work trees."""

import os

from pygls.uris import to_fs_path


def path_of(uri: str) -> str:
    """Give the file that an address names; empty for what is no file, such as an unsaved text."""
    try:
        path = to_fs_path(uri) or ""
    except ValueError:
        return ""
    return "" if "\0" in path else path


def work_tree_of(folder: str) -> str:
    """Give the work tree of a git folder, where messages of commits are written; else the folder.

    A linked work tree's git folder lies within the main one's, and names its work tree.
    """
    above, inside, below = folder.partition(f"{os.sep}.git")
    if not inside or (below and not below.startswith(os.sep)):
        return folder
    linked = below.split(os.sep)[1:3]
    if linked[:1] == ["worktrees"] and len(linked) == 2:  # noqa: PLR2004  and its name
        try:
            with open(os.path.join(above, ".git", *linked, "gitdir"), encoding="utf-8") as file:
                return os.path.dirname(file.read(4096).strip()) or above
        except (OSError, ValueError):
            return above
    return above
