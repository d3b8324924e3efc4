"""Describes a project by its own files: README, manifests, layout, and recent changes."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.errors import GitmemError
from gitmem.git.commit_cache import names_in, newest
from gitmem.git.state import same_head
from gitmem.learning.build_commands import BuildCommands, build_commands, files_to_read
from gitmem.learning.manifests import Manifest, is_manifest, read_manifest
from gitmem.learning.readme import summary
from gitmem.worktree import read_text

if TYPE_CHECKING:
    from gitmem.git.log import AuthoredCommit
    from gitmem.memory.core.site import Site

_MOST_BYTES: Final = 1 << 20
_MOST_MANIFESTS: Final = 12
_MOST_FOLDERS: Final = 60
_MOST_COMMITS: Final = 10
_MOST_NAMES: Final = 40
"""Of more than so many in the top folder only folders are named."""
_READMES: Final = ("README.md", "README.rst", "README.txt", "README", "readme.md")
# Of others: what they hold is not this project's.
_FOREIGN: Final = frozenset({"node_modules", "vendor", "third_party", "build", "dist", "target",
                             "venv", "site-packages", "__pycache__"})  # fmt: skip


class ProjectDescription(NamedTuple):
    """What a project is.

    Attributes:
        summary: what it is for, in its own words; empty if it does not say.
        source: the file that says so.
        manifests: what it is made with; those of the top folder first.
        commands: by which it is built and tested, as its files say.
        layout: names of what lies in its top folder in the last commit; folders end with ``/``.
        commits: the last ones, newest first.
        notes: what could not be read, a line each.

    """

    summary: str
    source: str
    manifests: tuple[Manifest, ...]
    commands: tuple[BuildCommands, ...]
    layout: tuple[str, ...]
    commits: "tuple[AuthoredCommit, ...]"
    notes: tuple[str, ...]


def project(site: "Site") -> ProjectDescription:
    """Read what a project says of itself; what can't be read becomes a note."""
    notes: list[str] = []
    manifests = list(_manifests(site.root, notes))[:_MOST_MANIFESTS]
    source, about = _purpose(site.root, manifests)
    layout, commits = _from_git(site, notes)
    names = frozenset(_names(site.root))
    to_read = names & files_to_read()
    texts = {name: read_text(site.root, name, _MOST_BYTES) or "" for name in to_read}
    commands = build_commands(names, texts)
    return ProjectDescription(
        about, source, tuple(manifests), commands, layout, commits, tuple(notes)
    )


def _purpose(root: str, manifests: list[Manifest]) -> tuple[str, str]:
    for name in _READMES:
        about = summary(read_text(root, name, _MOST_BYTES) or "")
        if about:
            return name, about
    return next(
        ((manifest.path, manifest.about) for manifest in manifests if manifest.about), ("", "")
    )


def _manifests(root: str, notes: list[str]) -> Iterator[Manifest]:
    """Read the manifests of the top folder and of those directly in it."""
    folders = [name for name in _names(root) if os.path.isdir(os.path.join(root, name))]
    own = [name for name in folders if not name.startswith(".") and name not in _FOREIGN]
    for folder in ("", *own[:_MOST_FOLDERS]):
        for name in _names(os.path.join(root, folder)):
            if not is_manifest(name):
                continue
            path = f"{folder}/{name}" if folder else name
            text = read_text(root, path, _MOST_BYTES)
            if text is None:
                notes.append(f"{path} is not text, or is too large")
                continue
            manifest = read_manifest(path, text)
            if manifest.broken:
                notes.append(f"{path}: {manifest.broken}")
            else:
                yield manifest


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []  # not a folder any more, or not ours to read: nothing is said about it


def _from_git(
    site: "Site", notes: list[str]
) -> "tuple[tuple[str, ...], tuple[AuthoredCommit, ...]]":
    git_dirs = site.git_dirs
    tip = same_head(git_dirs) if git_dirs else ""
    if git_dirs is None or not tip:
        return (), ()
    inside = site.package_in_repository
    try:
        names = names_in(git_dirs, tip, inside)
        last = newest(git_dirs, tip, _MOST_COMMITS, inside)
    except GitmemError as error:
        notes.append(error.message)
        return (), ()
    if len(names) > _MOST_NAMES:
        names = tuple(name for name in names if name.endswith("/"))[:_MOST_NAMES]
    return names, last
