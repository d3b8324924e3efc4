"""Questions about commits, and the diff between two trees."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from gitmem.errors import NotFoundError
from gitmem.git.command import git
from gitmem.git.git_dirs import find, why_none
from gitmem.git.provenance import shown_words

if TYPE_CHECKING:
    from collections.abc import Iterable

_MAX_BYTES = 200_000
_COMMIT_FORMAT = "--format=%H%x1f%P%x1f%an%x1f%ae%x1f%ct%x1f%s"


class Commit(NamedTuple):
    """One commit, as a log tells it. ``at`` is when it was made here (committer's date, UTC)."""

    id: str
    subject: str
    name: str
    email: str
    at: datetime
    parents: tuple[str, ...]


class Repository:
    """The commits of a repository.

    Args:
        root: a folder inside the work tree.

    Raises:
        NotFoundError: there is no repository around ``root``.
        EnvironmentProblem: git is missing, or refuses (raised by every method).

    """

    def __init__(self, root: str) -> None:
        git_dirs = find(root)
        if git_dirs is None:
            raise NotFoundError(
                f"no git repository: {why_none(root)}",
                "change to a folder inside a git repository, or start one with git init",
            )
        self.git_dirs = git_dirs

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

    def paths_of(self, commit: str) -> tuple[bytes, ...]:
        """List the paths that a commit changed against its first parent, as raw bytes."""
        output = git(
            self.git_dirs.root,
            "diff-tree",
            "-r",
            "-z",
            "--root",
            "--no-commit-id",
            "--name-only",
            "--no-renames",
            "-m",
            "--first-parent",
            commit,
        )
        return tuple(path for path in output.split(b"\0") if path)

    def _ask(self, *arguments: str) -> str:
        return git(self.git_dirs.root, *arguments).decode(errors="replace").rstrip("\n")


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


def _commit(entry: str) -> Commit:
    commit_id, parents, name, email, seconds, subject = entry.split("\x1f", 5)
    at = datetime.fromtimestamp(int(seconds), UTC)
    who = shown_words(name), shown_words(email)
    return Commit(commit_id, shown_words(subject), *who, at, tuple(parents.split()))
