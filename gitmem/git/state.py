"""What is checked out, asked without GitPython: a command under observation waits for this."""

import os

from gitmem.git.command import git
from gitmem.git.places import Places

_IN_PROGRESS = (
    ("rebase-merge", "rebase"),
    ("rebase-apply/applying", "am"),
    ("rebase-apply", "rebase"),
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("BISECT_LOG", "bisect"),
)


def in_progress(places: Places) -> str:
    """Name what git is in the middle of (merge, rebase, bisect, ...), or an empty string."""
    for name, state in _IN_PROGRESS:
        if os.path.exists(os.path.join(places.git_dir, name)):
            return state
    return ""


def head(places: Places) -> str:
    """Give the id of the commit that is checked out; empty before the first one.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    said = git(
        places.root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}", ok=(0, 1)
    )  # fmt: skip
    return said.decode().strip()


def branch(places: Places) -> str:
    """Give the branch's name, read from HEAD; empty if detached or unreadable."""
    try:
        with open(os.path.join(places.git_dir, "HEAD"), encoding="utf-8") as stream:
            said = stream.read(4096).strip()
    except (OSError, ValueError):
        return ""
    return said.removeprefix("ref: refs/heads/") if said.startswith("ref: refs/heads/") else ""


def text_at(places: Places, tree: str, path: str, most: int = 1 << 20) -> str | None:
    """Give a file's text as a tree has it; None if it has none, or one too large or binary.

    Args:
        places: the repository.
        tree: a tree or commit.
        path: relative to the work tree's root.
        most: bytes that are read.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    name = f"{tree}:{path}"
    size = git(places.root, "cat-file", "-s", name, ok=(0, 128)).strip()
    if not size.isdigit() or int(size) > most:
        return None
    data = git(places.root, "cat-file", "blob", name, ok=(0, 128))
    return None if b"\0" in data else data.decode(errors="replace")
