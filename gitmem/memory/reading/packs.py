"""Packs of knowledge: which exist, which are on, where their records are.

A pack is a folder laid out like a memory, records only. Those that are part of gitmem are one
archive each; the team names others in ``packs.sources``. One of this repository is read where it
lies. One of another repository is fetched when somebody asks for that, at the commit that is named,
and never else.
"""

import os
import zlib
from typing import TYPE_CHECKING, Final

from gitmem.memory.core.site import own_folder
from gitmem.store.readonly import PACK_ARCHIVE, Pack
from gitmem.sync import VERSION
from gitmem.sync.folder import CATALOG

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.config import PackSource
    from gitmem.memory.core.workspace import Workspace

BUILT_IN: Final = {
    "foundations": "patterns, practices and errors common to Python projects",
    "c": "errors of gcc, g++, clang and the linker",
    "rust": "errors of rustc and cargo",
    "go": "errors of the go command, its compiler, vet, tests and runtime",
    "shell": "errors of bash, dash and the programs of scripts",
    "java": "errors of javac and java",
    "make": "errors of make and CMake",
    "actions": "errors in workflows of GitHub Actions, as actionlint reports them",
    "docker": "errors of the docker command and of Compose files",
    "python": "errors of Python, pip and pytest",
    "node": "errors of JavaScript, TypeScript, Node and npm",
    "git": "errors of git",
}
"""What the packs that are part of gitmem hold."""
_HERE: Final = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../packs"))


def packs(workspace: "Workspace") -> list[Pack]:
    """List the packs: those of gitmem first, then the team's in the order of the settings."""
    config = workspace.site.config
    off = set(config.packs_off.replace(",", " ").split())
    packs_by_name = {
        name: Pack(name, about, os.path.join(_HERE, name + PACK_ARCHIVE), on=_is_on(name, off))
        for name, about in BUILT_IN.items()
    }
    for source in config.packs_sources:
        if (
            source.name not in packs_by_name
        ):  # a team's pack never stands in the place of one of ours
            folder = folder_of(workspace, source)
            there = folder if _is_readable(workspace, source, folder) else ""
            about = (
                f"{source.url} {source.path} {source.commit[:10]}" if source.url else source.path
            )
            on = _is_on(source.name, off)
            packs_by_name[source.name] = Pack(source.name, about, there, on, source)
    return list(packs_by_name.values())


def _is_readable(workspace: "Workspace", source: "PackSource", folder: str) -> bool:
    """Tell whether a pack's folder is there; a link of this repository's must not lead out."""
    if not os.path.isdir(folder) or source.url:
        return os.path.isdir(folder)
    top = os.path.realpath(workspace.site.repository_root)
    return os.path.realpath(folder).startswith(top + os.sep)


def _is_on(name: str, off: set[str]) -> bool:
    return name not in off and "all" not in off


def places_on(workspace: "Workspace") -> dict[str, str]:
    """Give the folders and archives of the packs that are on and here, by name."""
    return {pack.name: pack.place for pack in packs(workspace) if pack.on and pack.place}


def folder_of(workspace: "Workspace", source: "PackSource") -> str:
    """Say where the records of a team's pack lie, or will when it is fetched."""
    site = workspace.site
    if not source.url:
        return os.path.join(site.repository_root, source.path)
    return os.path.join(fetched_folder(workspace), f"{source.name}-{source.commit}")


def fetched_folder(workspace: "Workspace") -> str:
    """Say where packs of other repositories are kept: one place for all work trees."""
    return os.path.join(os.path.dirname(workspace.site.journal), "packs")


def prepare(workspace: "Workspace") -> None:
    """Have the packs that are on read in a process of its own, unless somebody has read them.

    A hook must not wait for that: without it, the first failure of all would get no advice.
    """
    places = places_on(workspace)
    folder = state_folder(workspace, places) if places else None
    if folder and not os.path.exists(os.path.join(folder, CATALOG)):
        from gitmem.memory.core.derived_state import leave_to_process

        leave_to_process(workspace.site, workspace.environ)()


def state_folder(workspace: "Workspace", places: "Mapping[str, str]") -> str | None:
    """Say where derived state of packs lies: the user's, for all repositories with the same packs.

    Args:
        workspace: of the memory that asks.
        places: of the packs, by name.

    """
    text = repr((sorted(places.items()), workspace.derived.team_rules))
    data = os.fsencode(text)  # hashlib takes 3 ms to import
    name = f"packs-{zlib.crc32(data):08x}{zlib.adler32(data):08x}.{VERSION}"
    folder = own_folder(workspace.environ, "CACHE", ".cache", name)
    if folder is None and workspace.site.derived:
        folder = os.path.join(workspace.site.derived, "packs")
    return folder
