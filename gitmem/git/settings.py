"""The git settings that apply in a repository, as a value to compare."""

import os
from typing import Final, NamedTuple

from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs

_FILES: Final = {"core.excludesfile": "ignore", "core.attributesfile": "attributes"}
"""Settings that name a file, and what that is called where they are not set."""
_EVERYBODYS: Final = "/etc/gitattributes"
_BEHIND_INSTALLATION: Final = "%("


class Settings(NamedTuple):
    """Settings of git.

    Attributes:
        said: all of them, from all files, as git says them.
        files: files that they name, or that stand for them, with more rules; also missing ones.
        told: it is known where these files are.

    """

    said: bytes
    files: tuple[str, ...]
    told: bool


def settings(git_dirs: GitDirs) -> Settings:
    """Ask git for its settings.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    output = git(git_dirs.root, "config", "--null", "--list")
    named: dict[str, str] = {}
    for entry in output.split(b"\0"):
        name, _, value = entry.partition(b"\n")
        named[os.fsdecode(name)] = os.fsdecode(value)
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    files = [_EVERYBODYS]
    for key, usual in _FILES.items():
        files.append(os.path.expanduser(named.get(key, os.path.join(home, "git", usual))))
    is_portable = not any(file.startswith(_BEHIND_INSTALLATION) for file in files)
    return Settings(output, tuple(os.path.join(git_dirs.root, file) for file in files), is_portable)
