"""Questions about commits, over GitPython's plumbing calls; and the diff between two trees.

Importing GitPython takes 60 to 85 ms, so it is imported when a repository is opened. Only
``repo.git.<command>`` is used: its own objects and diffs are many times slower than git.
"""

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from gitmem.errors import EnvironmentProblem, NotFoundError
from gitmem.git.command import git, refusal, sealed_environment
from gitmem.git.git_dirs import GitDirs, find, why_none

if TYPE_CHECKING:
    from collections.abc import Iterable

    from git import Repo

_NAMING = (
    "GIT_DIR",
    "GIT_COMMON_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
)
# Even a diff of two trees reads the index, and asks the user's monitor or starts git's own.
_QUIET = ("core.fsmonitor=false", "core.quotePath=false", f"core.hooksPath={os.devnull}",
          "log.showSignature=false")  # fmt: skip
_MAX_BYTES = 200_000
_COMMIT_FORMAT = "--format=%H%x1f%P%x1f%an%x1f%ae%x1f%ct%x1f%s"


def shown_words(words: str) -> str:
    """Give what somebody wrote into git without its secrets: a message, a name, a branch."""
    from gitmem.redaction import redact

    return redact(words, environ={}).text


class Commit(NamedTuple):
    """One commit, as a log tells it. ``at`` is when it was made here (committer's date, UTC)."""

    id: str
    subject: str
    name: str
    email: str
    at: datetime
    parents: tuple[str, ...]


class Repository:
    """An open repository; use it in a ``with``, since GitPython may keep child processes.

    Args:
        root: a folder inside the work tree.

    Raises:
        NotFoundError: there is no repository around ``root``.
        EnvironmentProblem: git is missing, or refuses (also raised by every method).

    """

    def __init__(self, root: str) -> None:
        git_dirs = find(root)
        if git_dirs is None:
            raise NotFoundError(
                f"no git repository: {why_none(root)}",
                "change to a folder inside a git repository, or start one with git init",
            )
        self.git_dirs = git_dirs
        self._repo: Repo = _open(git_dirs)
        self._repo.git.update_environment(**_override(git_dirs))
        self._repo.git.set_persistent_git_options(c=list(_QUIET))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of every child process. Closing twice does no harm."""
        self._repo.close()

    def commits_between(self, a: str, b: str) -> tuple[Commit, ...]:
        """List the commits that ``b`` has and ``a`` has not, oldest first."""
        output = self._ask(
            "log",
            "-z",
            "--reverse",
            "--encoding=UTF-8",
            _COMMIT_FORMAT,
            "--end-of-options",
            f"{a}..{b}",
            "--",
        )
        return tuple(_commit(entry) for entry in output.split("\0") if entry)

    def commit(self, name: str) -> Commit:
        """Give one commit."""
        return _commit(self._ask("log", "-1", "--encoding=UTF-8", _COMMIT_FORMAT, name, "--"))

    def message_of(self, commit: str) -> str:
        """Give the whole message of a commit."""
        return self._ask("log", "-1", "--format=%B", "--encoding=UTF-8", commit, "--")

    def paths_of(self, commit: str, *, by_hand: bool = False) -> tuple[bytes, ...]:
        """List the paths that a commit changed against its first parent, as raw bytes.

        Args:
            commit: the commit.
            by_hand: of a merge only those that are as in none of its parents.

        """
        against = ("-c",) if by_hand else ("-m", "--first-parent")
        output = self._bytes(
            "diff_tree",
            "-r",
            "-z",
            "--root",
            "--no-commit-id",
            "--name-only",
            "--no-renames",
            *against,
            commit,
        )
        return tuple(path for path in output.split(b"\0") if path)

    def _ask(self, command: str, *arguments: str, ok: tuple[int, ...] = (0,)) -> str:
        return self._bytes(command, *arguments, ok=ok).decode(errors="replace").rstrip("\n")

    def _bytes(self, command: str, *arguments: str, ok: tuple[int, ...] = (0,)) -> bytes:
        from git import GitCommandNotFound, GitError

        what = f"git {command.replace('_', '-')}"
        call: Any = getattr(self._repo.git, command)
        try:
            code, output, complaint = call(
                *arguments,
                with_extended_output=True,
                with_exceptions=False,
                stdout_as_string=False,
                strip_newline_in_stdout=False,
            )
        except GitCommandNotFound as error:
            raise _no_git() from error
        except (GitError, OSError) as error:
            raise refusal(what, self.git_dirs.root, str(error)) from error
        if code not in ok:
            raise refusal(what, self.git_dirs.root, str(complaint))
        return bytes(output)


def unified_diff(
    root: str, a: str, b: str, *, paths: "Iterable[str]" = (), max_bytes: int = _MAX_BYTES
) -> str:
    """Give the unified diff between two commits or trees.

    Args:
        root: a folder of the repository.
        a: the older one.
        b: the newer one.
        paths: only these, relative to the work tree's root; all if none is given.
        max_bytes: a longer diff ends at a line's end before this, with a mark.

    Raises:
        EnvironmentProblem: git is missing, or one of them is not here.

    """
    specs = [f":(top,literal){path}" for path in paths]
    options = ("-r", "-p", "-M", "--no-color", "--end-of-options")
    output = git(root, "diff-tree", *options, a, b, "--", *specs)
    if len(output) <= max_bytes:
        return output.decode(errors="replace")
    head = output[: output.rfind(b"\n", 0, max_bytes) + 1]
    return head.decode(errors="replace") + f"[cut: {len(output) - len(head)} more bytes]\n"


def _open(git_dirs: GitDirs) -> "Repo":
    try:
        from git import InvalidGitRepositoryError, NoSuchPathError, Repo
    except ImportError as error:  # GitPython looks for git while it is imported
        raise _no_git() from error
    try:
        return Repo(git_dirs.root, expand_vars=False)
    except (InvalidGitRepositoryError, NoSuchPathError) as error:
        raise EnvironmentProblem(f"the repository at {git_dirs.root} can't be opened") from error


def _no_git() -> EnvironmentProblem:
    return EnvironmentProblem("git was not found", "install git, or add it to PATH")


def _override(git_dirs: GitDirs) -> dict[str, str]:
    """Seal GitPython's commands. It can only add to the environment, so leaks are overwritten.

    Naming the git folder makes git skip its check of who owns it: only done where a hook's
    environment names one already, which git has then checked.
    """
    sealed = sealed_environment()
    fixed = {name: sealed[name] for name in sealed if sealed[name] != os.environ.get(name)}
    if any(name in os.environ for name in _NAMING):
        fixed |= {
            "GIT_DIR": git_dirs.git_dir,
            "GIT_COMMON_DIR": git_dirs.common_dir,
            "GIT_WORK_TREE": git_dirs.root,
            "GIT_INDEX_FILE": os.path.join(git_dirs.git_dir, "index"),
            "GIT_OBJECT_DIRECTORY": os.path.join(git_dirs.common_dir, "objects"),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": "",
            "GIT_NAMESPACE": "",
            "GIT_TRACE": "0",
        }
    return fixed


def _commit(entry: str) -> Commit:
    commit_id, parents, name, email, seconds, subject = entry.split("\x1f", 5)
    at = datetime.fromtimestamp(int(seconds), UTC)
    who = shown_words(name), shown_words(email)
    return Commit(commit_id, shown_words(subject), *who, at, tuple(parents.split()))
