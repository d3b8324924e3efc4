"""Finds the commit that introduced a failure: ``git bisect`` with a command, always undone."""

import os
import subprocess
from collections.abc import Callable
from typing import Final, NamedTuple

from gitmem.errors import ConflictError, EnvironmentProblem
from gitmem.git.command import command_line, git, sealed_environment
from gitmem.git.git_dirs import GitDirs
from gitmem.git.repository import shown_words
from gitmem.git.state import in_progress
from gitmem.system import shell

_UNTESTABLE: Final = 125
_LAST_BAD: Final = 127
_LANGUAGE: Final = ("LC_ALL", "LANGUAGE")
Tell = Callable[[str], None]


class BisectResult(NamedTuple):
    """What a search came to.

    Attributes:
        commit: id of the first bad commit; empty: none was found.
        subject: its first line.
        why_not: why none was found; empty if one was.

    """

    commit: str
    subject: str
    why_not: str = ""


def refuse_unsafe(git_dirs: GitDirs) -> None:
    """Raise ConflictError where files would be lost or a merge disturbed.

    Raises:
        ConflictError: tracked files are changed, or git is in the middle of something.
        EnvironmentProblem: git is missing or refuses.

    """
    if under_way := in_progress(git_dirs):
        hint = f"finish it first, or end it with: git {under_way} --abort"
        if under_way == "bisect":
            hint = "end it first with: git bisect reset"
        raise ConflictError(f"a {under_way} is under way in {git_dirs.root}", hint)
    options = ("--porcelain", "--untracked-files=no")
    if git(git_dirs.root, "status", *options).strip():
        message = f"{git_dirs.root} has changes that are in no commit"
        raise ConflictError(message, "commit them first, or set them aside with: git stash")


def bisect(git_dirs: GitDirs, bad: str, good: str, command: str, tell: Tell) -> BisectResult:
    """Search between two commits; the work tree is as it was at the end, whatever happens.

    Both ends are tried first: of a command that says the same at both, nothing can be learnt.

    Args:
        git_dirs: the repository.
        bad: where the command fails.
        good: where it passes.
        command: a line for the shell: 0 is good, 1 to 127 bad, 125 can't be tested.
        tell: is told each line of output.

    Raises:
        ConflictError: the work tree is not clean, or git is in the middle of something.
        EnvironmentProblem: git is missing or refuses.

    """
    refuse_unsafe(git_dirs)
    try:
        git(git_dirs.root, "bisect", "start")
        for commit, wanted in ((good, "pass"), (bad, "fail")):
            git(git_dirs.root, "checkout", "-q", "--detach", commit, filters=True)
            tell(f"at {commit[:10]}, where it has to {wanted}:")
            code = _run(git_dirs, shell(command), tell)
            if code == _UNTESTABLE or code > _LAST_BAD or (code == 0) != (wanted == "pass"):
                why = f"the command did not {wanted} at {commit[:10]}: it exited with {code}"
                return BisectResult("", "", why)
    finally:
        git(git_dirs.root, "bisect", "reset")
    try:
        git(git_dirs.root, "bisect", "start", bad, good)
        code = _run(
            git_dirs,
            command_line(git_dirs.root, "bisect", "run", "sh", "-c", command, filters=True),
            tell,
        )
        if code:
            return BisectResult("", "", f"git bisect run ended with {code}")
        output = git(git_dirs.root, "log", "-1", "--format=%H%x1f%s", "refs/bisect/bad")
        commit, _, subject = output.decode(errors="replace").strip("\n").partition("\x1f")
        return BisectResult(commit, shown_words(subject))
    finally:
        git(git_dirs.root, "bisect", "reset")


def _environment() -> dict[str, str]:
    """Give the user's own environment, but for what would send git to another repository."""
    sealed = sealed_environment()
    return {
        name: os.environ.get(name, value)
        for name, value in sealed.items()
        if name not in _LANGUAGE or name in os.environ
    }


def _run(git_dirs: GitDirs, command: list[str], tell: Tell) -> int:
    """Run something and hand its output on, line by line; give its exit code."""
    try:
        child = subprocess.Popen(
            command,
            cwd=git_dirs.root,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        raise EnvironmentProblem(f"{command[0]} can't be started: {error.strerror}") from None
    try:
        for line in child.stdout or ():
            tell(line.rstrip("\n"))
        code = child.wait()
    finally:
        if child.poll() is None:  # interrupted
            child.terminate()
            child.wait()
        if child.stdout:
            child.stdout.close()
    return code if code >= 0 else 128 - code
