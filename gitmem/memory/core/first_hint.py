"""Whether somebody who runs a command without a memory has to be told how to begin."""

import os

from gitmem.git.git_dirs import derived_dir, find, journal_dir


def is_first_hint(start: str, name: str = "begin-hint") -> bool:
    """Tell whether this clone gives the hint for the first time, and note that it did.

    Where that can't be noted, outside git, on a read-only disk or in another user's repository,
    there is no hint at all: it would be given with each command.
    """
    git_dirs = find(start)
    if git_dirs is None or derived_dir(git_dirs) is None:
        return False
    folder = os.path.dirname(journal_dir(git_dirs))
    try:
        os.makedirs(folder, exist_ok=True)
        os.close(os.open(os.path.join(folder, name), os.O_CREAT | os.O_EXCL))
    except OSError:
        return False
    return True
