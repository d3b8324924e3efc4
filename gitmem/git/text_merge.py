"""Three-way merge of texts with git, without touching any file of the work tree."""

import os
from typing import Final

from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs
from gitmem.temporary import temporary_folder

_SECONDS: Final = 5
_CONFLICTS: Final = range(1, 128)
_MOST_BYTES: Final = 2_000_000


def blob(git_dirs: GitDirs, name: str) -> str | None:
    """Give the text of a blob; None if git has none of that name, or it is no short UTF-8 text."""
    output = git(git_dirs.root, "cat-file", "blob", name, ok=(0, 128), seconds=_SECONDS)
    if not output or len(output) > _MOST_BYTES:
        return None
    try:
        return output.decode()
    except UnicodeDecodeError:
        return None


def merged(git_dirs: GitDirs, ours: str, base: str, theirs: str) -> str | None:
    """Merge two texts that come from one base; None where they conflict.

    Raises:
        EnvironmentProblem: git is missing, refuses, or takes longer than five seconds.

    """
    with temporary_folder() as folder:
        paths = []
        for name, text in (("ours", ours), ("base", base), ("theirs", theirs)):
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text)
            paths.append(path)
        output = git(
            git_dirs.root, "merge-file", "-p", "-q", *paths, ok=(0, *_CONFLICTS), seconds=_SECONDS
        )
        # The exit code is the number of conflicts, which git's own marks tell as well.
        text = output.decode()
        return None if f"<<<<<<< {paths[0]}" in text else text
