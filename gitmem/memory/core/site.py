"""Where a memory is and where its local state goes: found once for each command, without git."""

import os
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from gitmem.config import LISTS, Config, Layer, Layered, from_environment, layered
from gitmem.errors import (
    ConflictError,
    EnvironmentProblem,
    GitmemError,
    InvalidError,
    NotFoundError,
)
from gitmem.git.git_dirs import (
    DERIVED,
    NONE_AROUND,
    GitDirs,
    derived_dir,
    find,
    git_folder_around,
    go_to_work_tree,
    journal_dir,
    no_work_tree,
    why_none,
)
from gitmem.git.state import file_stamp
from gitmem.records.layout import MARKER
from gitmem.sync import VERSION
from gitmem.system import home_of, relative_path

# What ``init`` writes. A marker of just this needs no YAML parser to be read.
PLAIN_MARKER = b"format: 1\n"
_MOST_BYTES = 1 << 20
_UNREADABLE = "make it readable for your user, or repair the disk; then try again"
SENTENCE_MODEL_FILE = "sentence-model.tensors"
_ENTRY = rf"(?P<key>{'|'.join(map(re.escape, LISTS))})\[(?P<number>\d+)\]"


class Site(NamedTuple):
    """One memory and its surroundings.

    Attributes:
        root: folder that the memory belongs to; paths in records are relative to it.
        folder: the memory's folder, absolute.
        git_dirs: where git keeps its files; None outside git.
        derived: this version's folder for derived state; None if no safe one can be written.
        journal: folder for the local journal.
        settings: the layered configuration.
        stamps: of the files that the settings came from, taken before they were read.

    """

    root: str
    folder: str
    git_dirs: GitDirs | None
    derived: str | None
    journal: str
    settings: Layered
    stamps: tuple[object, ...] = ()

    @property
    def config(self) -> Config:
        """The settings in force."""
        return self.settings.config

    @property
    def repository_root(self) -> str:
        """The top of the work tree; outside git the folder that the memory belongs to."""
        return self.git_dirs.root if self.git_dirs else self.root

    @property
    def folder_in_repository(self) -> str:
        """The memory's folder relative to ``repository_root``, with forward slashes."""
        return relative_path(self.folder, self.repository_root)

    @property
    def package_in_repository(self) -> str:
        """The folder that the memory belongs to, relative to ``repository_root``; empty: that."""
        inside = relative_path(self.root, self.repository_root)
        return "" if inside == os.curdir else inside

    def require_git(self) -> GitDirs:
        """Give the repository around the memory; raise EnvironmentProblem if there is none."""
        if self.git_dirs is None:
            if why := self.broken_git():
                hint = "mend that, and try again"
                raise EnvironmentProblem(f"this needs a git repository: {why}", hint)
            raise EnvironmentProblem(
                f"this needs a git repository, and {self.root} is in none",
                "start one with: git init",
            )
        return self.git_dirs

    def broken_git(self) -> str:
        """Say what is wrong with the repository around the memory; empty: nothing, or none."""
        why = why_none(self.root)
        return "" if why == NONE_AROUND else why


def find_site(start: str, flags: Mapping[str, Any], environ: Mapping[str, str]) -> Site:
    """Find the memory that ``start`` belongs to; raise NotFoundError if there is none."""
    git_dirs = find(start)
    of_user = file_stamp(user_config_path(environ))
    layers = [user_layer(environ), from_environment(environ), Layer("flag", flags)]
    name = layered(layers).config.folder
    folder = find_memory(start, name, git_dirs.root if git_dirs else None)
    if folder is None:
        raise _not_found(start, name, git_dirs)
    # Before: what is written while it is read, somebody must find newer than what was read.
    stamps = file_stamp(os.path.join(folder, MARKER)), of_user
    layers.insert(1, team_layer(folder))
    return site_at(folder, git_dirs, layered(layers), environ)._replace(stamps=stamps)


def site_at(
    folder: str, git_dirs: GitDirs | None, settings: Layered, environ: Mapping[str, str]
) -> Site:
    """Describe the memory at ``folder``."""
    root = os.path.dirname(folder)
    if git_dirs is None:
        key = _key(folder)
        derived, journal = (
            own_folder(environ, "CACHE", ".cache", f"{key}.{VERSION}"),
            own_folder(environ, "STATE", ".local/state", key),
        )
        return Site(
            root, folder, None, derived, journal or os.path.join(folder, ".journal"), settings
        )
    # Several memories in one work tree (packages of a monorepo) have their own state.
    inside = relative_path(folder, git_dirs.root)
    suffix = "" if inside == settings.config.folder else "-" + _digest(os.fsencode(inside), 6)
    base = derived_dir(git_dirs)
    derived = os.path.join(base, f"{DERIVED}{suffix}.{VERSION}") if base else None
    if derived is None or os.path.islink(derived) or not _writable(derived):
        derived = own_folder(environ, "CACHE", ".cache", f"{_key(folder)}.{VERSION}")
    journal = journal_dir(git_dirs) + suffix
    if os.path.islink(journal) or os.path.islink(os.path.dirname(journal)):
        # Of a copied folder, it may lead anywhere: as outside git.
        own = own_folder(environ, "STATE", ".local/state", _key(folder))
        journal = own or os.path.join(folder, ".journal")
    return Site(root, folder, git_dirs, derived, journal, settings)


def sentence_model_path(environ: Mapping[str, str]) -> str:
    """Say where the user's sentence model lies if one is installed; empty: nowhere."""
    folder = own_folder(environ, "CACHE", ".cache", "models")
    return os.path.join(folder, SENTENCE_MODEL_FILE) if folder else ""


def _key(folder: str) -> str:
    return _digest(os.fsencode(os.path.realpath(folder)), 10)


def _digest(data: bytes, size: int) -> str:
    import hashlib  # noqa: PLC0415  start-up: brings all of OpenSSL

    return hashlib.blake2b(data, digest_size=size).hexdigest()


def own_folder(environ: Mapping[str, str], which: str, default: str, key: str) -> str | None:
    """Give a folder of the user's for a memory outside git, by the XDG rules."""
    home = home_of(environ)
    home = home if os.path.isdir(home) else ""  # an account without one gets none made
    base = environ.get(f"XDG_{which}_HOME") or (os.path.join(home, default) if home else "")
    if not os.path.isabs(base) or not _writable(base):
        return None
    return os.path.join(base, "gitmem", key)


def _writable(path: str) -> bool:
    while not os.path.lexists(path):
        path = os.path.dirname(path)
    return os.access(path, os.W_OK | os.X_OK)


def _not_found(start: str, name: str, git_dirs: GitDirs | None) -> GitmemError:
    where = git_dirs.root if git_dirs else os.path.abspath(start)
    if not os.access(where, os.X_OK):
        what = f"{where}: permission denied, so gitmem can't see whether there is a memory"
        return EnvironmentProblem(what, "ask its owner for access")
    there = os.path.join(where, name)
    if os.path.lexists(there):
        what = "is a file" if os.path.isfile(there) else f"has no {MARKER}"
        hint = "if it belongs to another tool, choose another name with GITMEM_FOLDER"
        return ConflictError(f"{there} {what}: it is not a memory of gitmem", hint)
    if git_dirs is None and (bare := git_folder_around(start)):
        return NotFoundError(f"no memory in {where}: {no_work_tree(bare)}", go_to_work_tree(bare))
    return NotFoundError(f"no memory in {where}", "start one with: gitmem init")


def user_config_path(environ: Mapping[str, str]) -> str:
    """Where the user's own settings are; empty if there is no home."""
    home = home_of(environ)
    base = environ.get("XDG_CONFIG_HOME") or (os.path.join(home, ".config") if home else "")
    return os.path.join(base, "gitmem", "config.yaml") if base else ""


def user_layer(environ: Mapping[str, str]) -> Layer:
    """Read the user's settings, if there are any."""
    path = user_config_path(environ)
    if not path or not os.path.isfile(path):
        return Layer("user", {})
    return Layer("user", _read_yaml(path))


def user_settings(flags: Mapping[str, Any], environ: Mapping[str, str]) -> Config:
    """Give the settings in force where there is no memory: the user's own, and flags.

    Args:
        flags: settings that win over all others, by key.
        environ: environment variables.

    """
    layers = [user_layer(environ), from_environment(environ), Layer("flag", flags)]
    return layered(layers).config


def team_layer(folder: str) -> Layer:
    """Read the marker's settings; refuse a memory that is too new to be written or read."""
    path = os.path.join(folder, MARKER)
    text = read_marker(folder)
    if text == PLAIN_MARKER:
        return Layer("team", {})
    data = _loaded(path, text, "compare it with git; the least that it says is: format: 1")
    version = data.get("format")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise InvalidError(f"{path}: format must be a number", "the first format is 1", "format")
    if version > 1:
        hint = f"install a gitmem that knows format {version}"
        raise ConflictError(f"{path}: this memory has format {version}; this gitmem knows 1", hint)
    settings = data.get("settings", {})
    if not isinstance(settings, dict):
        raise InvalidError(
            f"{path}: settings must be a mapping", "write 'key: value' lines", "settings"
        )
    return Layer("team", settings)


def line_of(folder: str, complaint: str) -> int:
    """Give the line of the entry of a team's list that a complaint names; 0: it names none."""
    named = re.search(_ENTRY, complaint)
    if named is None:
        return 0
    from gitmem.records import codec  # noqa: PLC0415  start-up

    try:
        positions = codec.positions(read_marker(folder))
    except (InvalidError, codec.YamlError):
        return 0
    at = positions.get(("settings", named["key"], int(named["number"])))
    return at.line if at else 0


def read_marker(folder: str) -> bytes:
    """Read a memory's marker, which a clone may have brought as a link to anything.

    Raises:
        InvalidError: it can't be read, or is a link.

    """
    from gitmem.store.files import ProblemError, Store  # noqa: PLC0415  start-up

    try:
        return Store(folder, _MOST_BYTES).read(MARKER)
    except ProblemError as error:
        is_link = error.problem.code == "symlink"
        hint = "put a file in its place" if is_link else _UNREADABLE
        raise InvalidError(f"{folder}/{MARKER}: {error}", hint) from None
    except FileNotFoundError:
        raise InvalidError(f"{folder}/{MARKER} is gone", "it was there a moment ago") from None


def _read_yaml(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            text = file.read(_MOST_BYTES)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InvalidError(f"{path}: {reason}", _UNREADABLE) from None
    hint = "write 'key: value' lines; see: gitmem help config"
    return _loaded(path, text, hint) if text.strip() else {}


def _loaded(path: str, text: bytes, hint: str) -> dict[str, Any]:
    from gitmem.records import codec  # noqa: PLC0415  start-up

    try:
        return codec.load(text)
    except codec.YamlError as error:
        line, column = error.position
        raise InvalidError(f"{path}:{line}:{column}: {error.message}", error.hint or hint) from None


def find_memory(start: str, folder: str, stop: str | None) -> str | None:
    """Return the memory folder's absolute path, or None.

    Args:
        start: where to begin, a folder.
        folder: the memory folder's name, normally ``.memory``.
        stop: root of the work tree; a memory above it is another project's. None outside git.

    """
    here = os.path.abspath(start)
    while True:
        candidate = os.path.join(here, folder)
        if os.path.isfile(os.path.join(candidate, MARKER)) and stays_inside(candidate, stop):
            return candidate
        parent = os.path.dirname(here)
        if here == parent or (stop is not None and here == stop):
            return None
        here = parent


def stays_inside(candidate: str, stop: str | None) -> bool:
    """Refuse a memory that is a symbolic link out of its repository: a clone could bring one."""
    if stop is None or not os.path.islink(candidate):
        return True
    root = os.path.realpath(stop)
    return os.path.commonpath([root, os.path.realpath(candidate)]) == root
