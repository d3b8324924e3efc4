"""Paths as people type them, made relative to the repository."""

import os


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
    inside = os.path.relpath(meant, root)
    if inside.split(os.sep)[0] == os.pardir or os.path.isabs(inside):
        return typed
    return inside.replace(os.sep, "/")
