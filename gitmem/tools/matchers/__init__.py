"""Problem matchers: tools that a repository describes as data, in the forms of two editors.

They come with a clone, so nothing in them is trusted: see ``steps`` for what bounds a pattern.
"""

import os
from collections.abc import Sequence
from typing import Final, NamedTuple

MOST_FILES: Final = 20
_TASKS: Final = (".vscode", "tasks.json")
_GITHUB: Final = (".github", os.path.join(".github", "workflows"))
_WORD: Final = "matcher"
"""What stands in the names of folders in which workflows keep their matchers."""


class RefusedMatcher(NamedTuple):
    """A matcher, or a file of them, that is not used.

    Attributes:
        file: relative to the repository.
        reason: in one line.

    """

    file: str
    reason: str


def candidates(root: str, named: Sequence[str] = ()) -> list[str]:
    """Name the files that may hold matchers, relative to the repository; quick where none does.

    Args:
        root: the repository.
        named: further files, by the settings.

    """
    files = list(named)
    if os.path.lexists(os.path.join(root, *_TASKS)):
        files.append(os.path.join(*_TASKS))
    for folder in _GITHUB:
        names, folders = _listed(os.path.join(root, folder))
        files += [os.path.join(folder, name) for name in names]
        for inner in folders:
            files += [
                os.path.join(folder, inner, name)
                for name in _listed(os.path.join(root, folder, inner))[0]
            ]
    return list(dict.fromkeys(files))


def _listed(folder: str) -> tuple[list[str], list[str]]:
    """List a folder's files that end in ``.json``, and its folders for matchers."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return [], []
    files = [name for name in names if name.endswith(".json")]
    inner = [name for name in names if _WORD in name and "." not in name]
    return files[: MOST_FILES + 1], inner[:MOST_FILES]
