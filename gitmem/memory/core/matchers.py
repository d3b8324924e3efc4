"""The tools that a repository describes itself, by problem matchers."""

import os
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final

from gitmem.system import relative_path

if TYPE_CHECKING:
    from gitmem.memory.core.site import Site
    from gitmem.memory.core.workspace import Workspace
    from gitmem.tools.matchers import RefusedMatcher
    from gitmem.tools.matchers.found import FoundMatchers
    from gitmem.tools.matchers.reader import Matchers

_OFF: Final = "off"
_MOST_FILES: Final = 20
_TASKS: Final = (".vscode", "tasks.json")
_GITHUB: Final = (".github", ".github/workflows")
_WORD: Final = "matcher"
"""What stands in the names of folders in which workflows keep their matchers."""


def matchers_of(workspace: "Workspace") -> "Matchers | None":
    """Give the matchers for outputs of this repository; None: it has none, or they are off."""
    matchers = found_matchers(workspace.site)
    if matchers is None or not matchers.matchers:
        return None
    root = workspace.site.repository_root
    inside = relative_path(os.path.realpath(workspace.start), os.path.realpath(root))
    folder = "" if inside == os.curdir or inside.startswith(os.pardir) else inside
    return matchers.usable(root, folder)


def found_matchers(site: "Site") -> "FoundMatchers | None":
    """Give what was found, with the files and what is refused; None: nothing at all, or off."""
    config = site.config
    named = config.tools_matchers
    if config.tools_repository == _OFF:
        return None
    names = candidates(site.repository_root, named)
    if not names:
        return None
    files = import_module("gitmem.tools.matchers.found")
    result: FoundMatchers = files.found(site.repository_root, names, named)
    return result


def refused_matchers(site: "Site") -> "tuple[RefusedMatcher, ...]":
    """List the matchers, and files of them, that are not used."""
    matchers = found_matchers(site)
    return matchers.refused if matchers else ()


def candidates(root: str, named: Sequence[str] = ()) -> list[str]:
    """Name the files that may hold matchers, relative to the repository; quick where none does.

    Args:
        root: the repository.
        named: further files, by the settings.

    """
    files = list(named)
    if os.path.lexists(os.path.join(root, *_TASKS)):
        files.append("/".join(_TASKS))
    for folder in _GITHUB:
        names, folders = _listed(os.path.join(root, folder))
        files += [f"{folder}/{name}" for name in names]
        for inner in folders:
            files += [
                f"{folder}/{inner}/{name}" for name in _listed(os.path.join(root, folder, inner))[0]
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
    return files[: _MOST_FILES + 1], inner[:_MOST_FILES]
