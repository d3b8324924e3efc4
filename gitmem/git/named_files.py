"""Files of a work tree by their bare names, as tools name them that leave out the folder."""

import os
from collections import defaultdict
from collections.abc import Collection

from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs


def files_named(git_dirs: GitDirs, names: Collection[str]) -> dict[str, list[str]]:
    """List the files of the work tree that bear some names; what git ignores is none.

    Args:
        git_dirs: the repository.
        names: without folders.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    wanted = [f":(top,glob)**/{name}" for name in sorted(names) if not set(name) & set("*?[\\")]
    if not wanted:
        return {}
    listed = ("--cached", "--others", "--exclude-standard")
    output = git(git_dirs.root, "ls-files", "-z", *listed, "--", *wanted)
    paths: dict[str, list[str]] = defaultdict(list)
    for path in sorted(set(filter(None, output.split(b"\0")))):
        text = os.fsdecode(path)
        paths[text.rpartition("/")[2]].append(text)
    return paths
