"""Converts an editor's URIs to files and work trees."""

import os
from typing import Final

from pygls.uris import to_fs_path

_UNSAVED: Final = "untitled:"
# A cell of a notebook has the notebook's address with a scheme and a fragment of its own.
_CELLS: Final = ("vscode-notebook-cell:", "vscode-notebook-cell-")


def path_of(uri: str) -> str:
    """Give the file that an address names; empty for what is no file, such as an unsaved text."""
    try:
        path = to_fs_path(uri) or ""
    except ValueError:
        return ""
    return "" if "\0" in path else path


def is_unsaved(uri: str) -> bool:
    """Tell whether a document is a text that no file was named for yet."""
    return uri.startswith(_UNSAVED)


def place_of(uri: str) -> str:
    """Give where a document belongs: its file, or of a notebook's cell the notebook; else empty."""
    if uri.startswith(_CELLS):
        _, _, rest = uri.partition(":")
        return path_of(f"file:{rest.partition('#')[0]}")
    return path_of(uri)


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
