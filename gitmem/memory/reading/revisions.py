"""The memory at an earlier revision, and the union over all branches."""

import hashlib
import os
from functools import partial
from typing import TYPE_CHECKING, Final

from gitmem.answers.found import Branches
from gitmem.errors import NoMemoryThenError
from gitmem.git.commit_cache import tree_of
from gitmem.git.objects import blobs_of, branches, commit_of
from gitmem.sync.past import Past, PastStore

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gitmem.git.git_dirs import GitDirs
    from gitmem.memory.core.workspace import Workspace

_EMPTY: Final = "0" * 40


def at(workspace: "Workspace", revision: str, *, or_empty: bool = False) -> "Workspace":
    """Give the workspace of the memory as it was at a revision; close it, too.

    Args:
        workspace: of the memory as it is.
        revision: a commit, branch or tag.
        or_empty: where there was no memory yet, or no commit (an empty name), give an empty one.

    Raises:
        NotFoundError: there is no such revision, or there was no memory yet
            (``NoMemoryThenError``).
        EnvironmentProblem: this is no git repository, or git refuses.

    """
    git_dirs = workspace.site.require_git()
    folder = workspace.site.folder_in_repository
    commit = commit_of(git_dirs, revision) if revision or not or_empty else ""
    tree = tree_of(git_dirs, commit, folder) if commit else ""
    if not tree and or_empty:
        return _past(workspace, git_dirs, dict, _EMPTY)
    if not tree:
        hint = f"see when it was added: git log --reverse -- {folder}"
        raise NoMemoryThenError(f"there was no memory in {folder} at {revision}", hint)
    return _past(workspace, git_dirs, partial(blobs_of, git_dirs, tree), tree, tree)


def on_all_branches(workspace: "Workspace") -> "tuple[Workspace, Branches]":
    """Give a workspace of what all branches hold together, and the branches with each path.

    Where branches have different texts of one record, that of the present branch counts, then
    that of the newest commit. What is in no commit is left out.
    """
    git_dirs = workspace.site.require_git()
    folder = workspace.site.folder_in_repository
    blobs: dict[str, str] = {}
    having: dict[str, list[str]] = {}
    files_of_tree: dict[str, dict[str, str]] = {}
    all_branches = branches(git_dirs)
    for name, commit in all_branches:
        tree = tree_of(git_dirs, commit, folder)
        if not tree:
            continue
        if tree not in files_of_tree:
            files_of_tree[tree] = blobs_of(git_dirs, tree)
        for path, blob in files_of_tree[tree].items():
            blobs.setdefault(path, blob)
            having.setdefault(path, []).append(name)
    text = "".join(f"{path}\0{name}\n" for path, name in sorted(blobs.items()))
    key = hashlib.sha256(os.fsencode(text)).hexdigest()
    return _past(workspace, git_dirs, partial(dict, blobs), key), Branches(
        all_branches[0][0] if all_branches else "", having
    )


def _past(
    workspace: "Workspace",
    git_dirs: "GitDirs",
    load: "Callable[[], Mapping[str, str]]",
    key: str,
    tree: str = "",
) -> "Workspace":
    store = PastStore(workspace.store.root, workspace.store.max_bytes, git_dirs, load, tree)
    return workspace.reading(Past(workspace.derived, store, git_dirs, key))
