"""Paths as people type them, made relative to the repository."""

import os
from typing import Final

from gitmem.system import relative_path

_FROM_HERE: Final = ("./", "../", "/")
_WILDCARDS: Final = "*?"


def repository_path(root: str, start: str, typed: str) -> str:
    """Make a typed path relative to ``root``, with forward slashes.

    It is meant from the folder ``start``, as for git; where nothing is there, but something
    is at that path from the root, that is meant. A path outside the repository (a compiler's
    header, an interpreter's library) stays as it was typed.

    Args:
        root: the folder that the memory belongs to.
        start: the folder that the user is in.
        typed: what was typed, absolute or relative.

    """
    root = os.path.realpath(root)
    here = os.path.normpath(os.path.join(os.path.realpath(start), typed))
    there = os.path.normpath(os.path.join(root, typed))
    meant = there if os.path.lexists(there) and not os.path.lexists(here) else here
    inside = relative_path(meant, root)
    if inside.split("/")[0] == os.pardir or os.path.isabs(inside):
        return typed
    return inside


def repository_glob(root: str, start: str, typed: str) -> str:
    """Make a typed path or pattern relative to ``root``; its folders are taken as paths are."""
    first = min((at for at in map(typed.find, _WILDCARDS) if at >= 0), default=len(typed))
    folder, name = (typed, "") if first == len(typed) else os.path.split(typed[:first])
    inside = repository_path(root, start, folder or os.curdir)
    pattern = name + typed[first:]
    if inside == os.curdir:
        return pattern or "**"
    if pattern:
        return f"{inside}/{pattern}"
    return f"{inside}/" if typed.endswith("/") and inside != typed else inside


def path_filter(root: str, start: str, value: str) -> str:
    """Take a value of ``path:`` as a path from the folder ``start``, where it is written as one.

    Others name the end of a path as well: ``token.py`` is any file of that name.
    """
    is_path = value in (os.curdir, os.pardir) or value.startswith(_FROM_HERE)
    return repository_glob(root, start, value) if is_path else value
