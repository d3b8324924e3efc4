"""Find the repository that a folder belongs to, without starting git.

Every command begins here, so this only looks at the disk (about 0.1 ms). It answers as
``git rev-parse`` does: physical paths, no way past a broken ``.git`` file into an outer
repository, None in a bare repository. ``GIT_DIR`` and ``GIT_WORK_TREE`` are not followed: inside
a hook they name a repository that need not be the one of ``start``. Where they are the reason why
none is found, ``why_none`` says so.
"""

import os
import stat
from functools import lru_cache
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.system import OPEN, is_endless, is_ours, program, spawn, wait_for

DERIVED: Final = "derived"
"""Begins the names of folders of derived state, in the one that ``derived_dir`` gives."""
NONE_AROUND = "there is no git repository around this folder"
_NOT_FOLLOWED = "gitmem does not follow GIT_DIR, and there is no .git here or in a folder above"
_IS_BARE = " is a bare repository"
_LONGEST = 1 << 20  # git reads no more of these small files either
# What git reads to its end, whatever it is asked: in the git folders, and at the work tree's top.
_OWN = (
    "HEAD", "commondir", "config", "config.worktree", "index", "packed-refs", "shallow",
    "info/exclude", "info/attributes", "info/grafts", "info/sparse-checkout",
    "objects/info/alternates",
)  # fmt: skip
_AT_TOP = (".gitignore", ".gitattributes", ".gitmodules", ".mailmap")
# How settings end that name a file for git to read.
_NAMING = ("file", "path", "template")
_MOST_INCLUDED = 100
_MOST_NAMED = 5
# What may make a work tree another one, or none. Names of settings stand as they are, in any case.
_MOVING = lazily(r"(?i)worktree|bare|include")
_USUAL = "\tbare = false\n"
"""As git itself writes it into each repository."""


class GitDirs(NamedTuple):
    """Where a repository lies, as absolute paths without symbolic links.

    Attributes:
        root: top of the work tree.
        git_dir: the git folder of this work tree.
        common_dir: the git folder that all work trees of the repository share.

    """

    root: str
    git_dir: str
    common_dir: str


def find(start: str) -> GitDirs | None:
    """Walk up from ``start`` to the work tree around it; None if there is none or it is broken."""
    result = _discover(start)
    return None if isinstance(result, str) else result


def is_sparse(git_dirs: GitDirs) -> bool:
    """Tell whether a checkout was ever sparse, so that files may be left out of the work tree."""
    return os.path.exists(os.path.join(git_dirs.git_dir, "info", "sparse-checkout"))


def why_none(start: str) -> str:
    """Say in one line why ``find`` gives None here; an empty string if it does not."""
    result = _discover(start)
    return result if isinstance(result, str) else ""


def git_folder_around(start: str) -> str:
    """Give the git folder without a work tree that a folder belongs to; empty: it has one, or none.

    It is in that folder, or around it is a ``.git`` that leads to a bare repository.
    """
    here = os.path.realpath(start)
    while not _is_git_dir(here):
        parent = os.path.dirname(here)
        dot_git = os.path.join(here, ".git")
        if os.path.lexists(dot_git):
            return _git_dir_at(here, dot_git) if why_none(here).endswith(_IS_BARE) else ""
        if parent == here:
            return ""
        here = parent
    return here


def no_work_tree(git_dir: str) -> str:
    """Say what a git folder lacks in which, or beside which, somebody stands."""
    return f"{git_dir} is a git folder without a work tree"


def go_to_work_tree(git_dir: str) -> str:
    """Say where to go from a git folder without a work tree: to those that it made elsewhere."""
    try:
        names = sorted(os.listdir(os.path.join(git_dir, "worktrees")))
    except OSError:
        names = []
    pointers = (_read(os.path.join(git_dir, "worktrees", name, "gitdir")) for name in names)
    tops = (os.path.dirname(pointer.rstrip("\r\n")) for pointer in pointers)
    there = [top for top in tops if os.path.isdir(top)]
    if not there:
        return "change to a git work tree"
    return f"change to one of its work trees: {', '.join(there[:_MOST_NAMED])}"


def derived_dir(git_dirs: GitDirs) -> str | None:
    """Give the folder for derived state of this work tree, or None where it can't be trusted.

    Opening the index there unpickles. So the folder must be one that no clone can have
    brought along (git refuses to track anything inside a ``.git``) and that no other user owns.
    """
    inside = os.path.relpath(git_dirs.git_dir, git_dirs.root).split(os.sep)
    if inside[0] != os.pardir and ".git" not in inside:
        return None
    folder = os.path.join(git_dirs.git_dir, "gitmem")
    try:
        ours = is_ours(git_dirs.git_dir, os.stat(git_dirs.git_dir))
        if not ours or os.path.islink(folder):
            return None
    except OSError:
        return None
    return folder


def journal_dir(git_dirs: GitDirs) -> str:
    """Give the journal's folder: one for all work trees, which outlives each of them."""
    return os.path.join(git_dirs.common_dir, "gitmem", "journal")


def _discover(start: str) -> GitDirs | str:
    """Give the places, or the reason why there are none."""
    try:
        here = os.path.realpath(start)
    except OSError:
        return "this folder can't be read"
    ceilings = _ceilings()
    while True:
        dot_git = os.path.join(here, ".git")
        if os.path.isfile(dot_git):
            return _behind_file(here, dot_git)
        if _is_git_dir(dot_git):
            git_dir = os.path.realpath(dot_git)
            return _with_work_tree(here, git_dir, _common_dir(git_dir))
        if _is_git_dir(here):
            return no_work_tree(here)
        parent = os.path.dirname(here)
        if parent in (here, *ceilings):
            return _NOT_FOLLOWED if os.environ.get("GIT_DIR") else NONE_AROUND
        here = parent


def _ceilings() -> list[str]:
    """Folders that git does not walk up into, which also keeps tests inside their own."""
    listed = os.environ.get("GIT_CEILING_DIRECTORIES", "")
    return [os.path.realpath(path) for path in listed.split(os.pathsep) if os.path.isabs(path)]


def _behind_file(root: str, dot_git: str) -> GitDirs | str:
    """Follow a ``.git`` file, as linked work trees and submodules have."""
    word, colon, target = _read(dot_git).partition(":")
    if word != "gitdir" or not colon or not target.strip("\r\n "):
        return f"{dot_git} is not a git file: it does not start with 'gitdir:'"
    git_dir = _git_dir_at(root, dot_git)
    if not _is_git_dir(git_dir):
        return f"{dot_git} points to {git_dir}, where there is no repository any more"
    return _with_work_tree(root, git_dir, _common_dir(git_dir))


def _git_dir_at(root: str, dot_git: str) -> str:
    """Give what a ``.git`` is, or what it points to where it is a file."""
    if not os.path.isfile(dot_git):
        return os.path.realpath(dot_git)
    target = _read(dot_git).partition(":")[2].removeprefix(" ").rstrip("\r\n")
    return os.path.realpath(os.path.join(root, target))


def _with_work_tree(root: str, git_dir: str, common_dir: str) -> GitDirs | str:
    if endless := _endless(root, git_dir, common_dir):
        return f"{endless} is a pipe or a device, and git would wait for its end"
    if git_dir == common_dir:  # in linked work trees git itself passes over these two
        files = (os.path.join(git_dir, name) for name in ("config", "config.worktree"))
        settings = "\0".join(map(_read, files))
        if _MOVING.search(settings.replace(_USUAL, "")):
            return _as_git_says(root, git_dir, settings) or GitDirs(root, git_dir, common_dir)
    return GitDirs(root, git_dir, common_dir)


@lru_cache(maxsize=16)
def _as_git_says(root: str, git_dir: str, _settings: str) -> str:
    """Ask git where it takes the work tree to be; say why that is not ``root``, or nothing.

    Git alone reads its settings: of a line that a reader of our own did not understand, the work
    tree lay outside the repository, and a watched run kept what stood there.
    """
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith("GIT_CONFIG_")
    }
    question = [program("git"), "-C", root, "-c", "core.fsmonitor=false", f"--git-dir={git_dir}"]
    question += ["rev-parse", "--is-bare-repository", "--show-toplevel"]
    reading, writing = os.pipe()  # subprocess would have to be imported for this
    try:
        child = spawn(question, environment, writing)
    except OSError:  # without git nothing is asked of it either
        os.close(reading)
        return ""
    finally:
        os.close(writing)
    with os.fdopen(reading, "rb") as file:
        output = os.fsdecode(file.read())
    failed = wait_for(child)
    if output.startswith("true"):
        return f"{git_dir}{_IS_BARE}"
    if not failed and output.partition("\n")[2].removesuffix("\n") == root:
        return ""
    return f"the work tree of {git_dir} is elsewhere (core.worktree)"


def _endless(root: str, git_dir: str, common_dir: str) -> str:
    """Name a file that git would never have read: a folder that was copied may bring a pipe."""
    paths = [os.path.join(folder, name) for folder in {git_dir, common_dir} for name in _OWN]
    branch = _read(os.path.join(git_dir, "HEAD")).removeprefix("ref: ").strip()
    paths.append(os.path.join(common_dir, branch))
    config_files: set[str] = set()
    for folder, name in ((common_dir, "config"), (git_dir, "config.worktree")):
        paths += _named(os.path.join(folder, name), root, config_files)
    for path in [*paths, *(os.path.join(root, name) for name in _AT_TOP)]:
        try:
            status = os.stat(path)
        except OSError:
            continue
        if is_endless(status):
            return path
    return ""


def pipe_below(root: str) -> str:
    """Name a pipe in a folder of a work tree that git reads as rules; no ``find`` looks so far."""
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != ".git"]
        for name in _AT_TOP:
            path = os.path.join(folder, name)
            if name in names and stat.S_ISFIFO(os.lstat(path).st_mode):
                return path
    return ""


def _named(config: str, root: str, config_files: set[str]) -> list[str]:
    """Give the files that settings name for git to read, and those that included ones name."""
    if config in config_files or len(config_files) > _MOST_INCLUDED:
        return []
    config_files.add(config)
    paths: list[str] = []
    for line in _read(config).splitlines():
        key, equals, value = line.partition("=")
        if equals and key.strip().lower().endswith(_NAMING):
            name = os.path.expanduser(value.strip().strip('"'))
            # An included file is looked for beside the one that names it, others from the top.
            here = {os.path.join(base, name) for base in (root, os.path.dirname(config))}
            paths += here
            for path in here if key.strip().lower().endswith("path") else ():
                paths += _named(path, root, config_files)
    return paths


def _is_git_dir(path: str) -> bool:
    """Tell a git folder from a folder of that name, by git's own three signs."""
    if not os.path.lexists(os.path.join(path, "HEAD")):
        return False
    common = _common_dir(path)
    return all(os.path.isdir(os.path.join(common, name)) for name in ("objects", "refs"))


def _common_dir(git_dir: str) -> str:
    pointer = _read(os.path.join(git_dir, "commondir")).rstrip("\r\n")
    return os.path.realpath(os.path.join(git_dir, pointer)) if pointer else git_dir


def _read(path: str) -> str:
    try:
        # Without waiting: it may be a pipe.
        with os.fdopen(os.open(path, os.O_RDONLY | OPEN), "rb") as file:
            return os.fsdecode(file.read(_LONGEST) or b"")
    except OSError:
        return ""
