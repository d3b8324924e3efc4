"""The tools that a repository describes itself, by problem matchers."""

import os
from importlib import import_module
from typing import TYPE_CHECKING

from gitmem.tools.matchers import RefusedMatcher, candidates

if TYPE_CHECKING:
    from gitmem.memory.core.site import Site
    from gitmem.memory.core.workspace import Workspace
    from gitmem.tools.matchers.found import FoundMatchers
    from gitmem.tools.matchers.reader import Matchers

_OFF = "off"


def matchers_of(workspace: "Workspace") -> "Matchers | None":
    """Give the matchers for outputs of this repository; None: it has none, or they are off."""
    matchers = found_matchers(workspace.site)
    if matchers is None or not matchers.matchers:
        return None
    root = workspace.site.repository_root
    inside = os.path.relpath(os.path.realpath(workspace.start), os.path.realpath(root))
    folder = "" if inside == os.curdir or inside.startswith(os.pardir) else inside
    return matchers.usable(root, folder.replace(os.sep, "/"))


def found_matchers(site: "Site") -> "FoundMatchers | None":
    """Give what was found, with the files and what is refused; None: nothing at all, or off."""
    config = site.config
    named = config.tools_matchers
    if config.tools_repository == _OFF or not candidates(site.repository_root, named):
        return None
    files = import_module("gitmem.tools.matchers.found")
    result: FoundMatchers = files.found(site.repository_root, named)
    return result


def refused_matchers(site: "Site") -> tuple[RefusedMatcher, ...]:
    """List the matchers, and files of them, that are not used."""
    matchers = found_matchers(site)
    return matchers.refused if matchers else ()
