"""Searches the files of a work tree for a text, with ``git grep``."""

import os
import re
from collections.abc import Iterable
from typing import NamedTuple

from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs

_MOST = 1_000


class MentionLine(NamedTuple):
    """A line of a file: path relative to the work tree's top, number from 1, text."""

    path: str
    number: int
    text: str


def lines_with(git_dirs: GitDirs, text: str) -> list[MentionLine]:
    """Give the lines that hold a text, by path, of files that git does not ignore.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    options = ("-I", "-n", "-z", "-F", "--untracked", "--no-color", "--full-name")
    output = git(git_dirs.root, "grep", *options, "-e", text, "--", ".", ok=(0, 1))
    matches = []
    for line in output.split(b"\n")[:_MOST]:
        path, _, rest = line.partition(b"\0")
        number, _, held = rest.partition(b"\0")
        if number.isdigit():
            matches.append(
                MentionLine(os.fsdecode(path), int(number), held.decode(errors="replace"))
            )
    return matches


def files_naming(
    git_dirs: GitDirs, tree: str, words: Iterable[str], modules: Iterable[str]
) -> set[str]:
    """Name the files of a tree that hold one of some words, or take in one of some modules.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    patterns = [rf"\b{re.escape(word)}\b" for word in words if word]
    named = [module for module in modules if module]
    # A class that is a file's, as in Java, is named without being taken in.
    patterns += [rf"\b{re.escape(module)}\b" for module in named if module[0].isupper()]
    taken_in = "|".join(map(re.escape, named))
    if taken_in:
        ways = "import|from|use|using|require|require_relative|include|source|load|mod|extern"
        patterns.append(rf"\b({ways})\b.*\b({taken_in})\b")
    if not patterns:
        return set()
    each = [part for pattern in patterns for part in ("-e", pattern)]
    options = ("-I", "-l", "-z", "-E", "--no-color", "--full-name")
    output = git(git_dirs.root, "grep", *options, *each, tree, ok=(0, 1))
    return {os.fsdecode(name.partition(b":")[2]) for name in output.split(b"\0") if name}
