"""Files of any revision, read straight from git's objects: nothing is checked out."""

import os
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Final

from gitmem.errors import EnvironmentProblem, NotFoundError
from gitmem.git.command import LACKING, git, start
from gitmem.git.git_dirs import GitDirs

if TYPE_CHECKING:
    import subprocess

_PLAIN: Final = ("100644", "100755")
_PIECE: Final = 1 << 20
_MOST_TEXT: Final = 1 << 20


def commit_of(git_dirs: GitDirs, revision: str) -> str:
    """Give the id of the commit that a revision names.

    Raises:
        NotFoundError: there is none of that name here.
        EnvironmentProblem: git is missing or refuses.

    """
    commit = ""
    if revision and not revision.startswith("-") and "\0" not in revision:
        options = ("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
        output = git(git_dirs.root, *options, ok=(0, 1, 128))
        commit = output.decode().strip()
    if not commit:
        shallow = os.path.exists(os.path.join(git_dirs.common_dir, "shallow"))
        hint = (
            "this clone is shallow, so it may lack the commit"
            if shallow
            else ("a branch, a tag or a commit; see: git log --oneline")
        )
        raise NotFoundError(f"no revision {revision}", hint)
    return commit


def tree_of(git_dirs: GitDirs, commit: str, folder: str) -> str:
    """Give the id of a folder's tree in a commit; empty if it has no such folder.

    Args:
        git_dirs: the repository.
        commit: a commit's id.
        folder: relative to the work tree's top.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    output = git(git_dirs.root, "ls-tree", "-d", "-z", "--full-tree", commit, "--", folder)
    head, _, path = output.rstrip(b"\0").partition(b"\t")
    return head.split()[2].decode() if os.fsdecode(path) == folder else ""


def blobs_of(git_dirs: GitDirs, tree: str) -> dict[str, str]:
    """Give the ids of the plain files in a tree and below, by their paths.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    blobs = {}
    for line in git(git_dirs.root, "ls-tree", "-r", "-z", "--full-tree", tree).split(b"\0"):
        head, _, path = line.partition(b"\t")
        mode, _, rest = head.decode().partition(" ")
        if mode in _PLAIN:
            blobs[os.fsdecode(path)] = rest.partition(" ")[2]
    return blobs


def edited(git_dirs: GitDirs, folder: str) -> set[str]:
    """Give the tracked files below a folder that differ from the commit that is checked out.

    Args:
        git_dirs: the repository.
        folder: relative to the work tree's top.

    Returns:
        Paths relative to the folder. Files that only seem to differ may be among them.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    options = ("diff-index", "-z", "--name-only", "--no-renames", "HEAD", "--")
    output = git(git_dirs.root, *options, f":(top,literal){folder}")
    return {os.fsdecode(path)[len(folder) + 1 :] for path in output.split(b"\0") if path}


def branches(git_dirs: GitDirs) -> list[tuple[str, str]]:
    """Give name and commit of every branch, local and remote: the present one, then the newest.

    A remote branch that a local one already stands for is left out.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    form = "%(HEAD)%00%(refname)%00%(objectname)%00%(symref)"
    options = ("for-each-ref", f"--format={form}", "--sort=-committerdate", "refs/heads")
    output = git(git_dirs.root, *options, "refs/remotes")
    tips: list[tuple[str, str]] = []
    for line in output.decode(errors="surrogateescape").splitlines():
        here, name, commit, symbolic = line.split("\0")
        if symbolic:
            continue
        short = name.removeprefix("refs/heads/").removeprefix("refs/remotes/")
        tips.insert(0 if here == "*" else len(tips), (short, commit))
    if not any(here.startswith("*") for here in output.decode(errors="replace").splitlines()):
        with suppress(NotFoundError):
            tips.insert(0, ("HEAD", commit_of(git_dirs, "HEAD")))  # detached
    local = set(tips)
    return [
        (name, commit)
        for name, commit in tips
        if "/" not in name or (name.partition("/")[2], commit) not in local
    ]


class Objects:
    """Reads objects by their ids, all in one process of git. Use as a context manager, or close.

    It is for one thread. Pickled, it is one that was not used yet.
    """

    def __init__(self, git_dirs: GitDirs) -> None:
        self.git_dirs = git_dirs
        self._process: subprocess.Popen[bytes] | None = None
        self._pipes: tuple[IO[bytes], IO[bytes]] | None = None
        self._partial = False

    def __getstate__(self) -> dict[str, object]:
        return {"git_dirs": self.git_dirs, "_process": None, "_pipes": None, "_partial": False}

    def read(self, name: str, most: int) -> tuple[bytes, int] | None:
        """Give an object's content and size; None if this clone does not have it.

        Args:
            name: its id.
            most: of a larger one the content is left out.

        Raises:
            EnvironmentProblem: git is missing or went away.

        """
        answer = self._answer(name, most)
        return answer[1:] if answer else None

    def text(self, tree: str, path: str, most: int = _MOST_TEXT) -> str | None:
        """Give a file's text as a tree has it; None if it has none, or one too large or binary.

        A folder's is empty.

        Args:
            tree: a tree or commit.
            path: relative to the work tree's root.
            most: bytes that are read.

        Raises:
            EnvironmentProblem: git is missing or went away.

        """
        name = f"{tree}:{path}"
        if "\n" in path:  # which ends a request
            query = ("rev-parse", "--verify", "--quiet", name)
            name = git(self.git_dirs.root, *query, ok=(0, 1, 128)).decode().strip()
        answer = self._answer(name, most) if name else None
        if answer is None:
            return None
        kind, data, size = answer
        if kind != b"blob":
            return ""
        return None if size > most or b"\0" in data else data.decode(errors="replace")

    def _answer(self, name: str, most: int) -> tuple[bytes, bytes, int] | None:
        """Give an object's type, content and size; None if this clone does not have it."""
        requests, answers = self._pipes or self._start()
        try:
            requests.write(os.fsencode(f"{name}\n"))
            requests.flush()
            head = answers.readline().split()
            # "NAME missing", and a name may hold blanks; else: id, type, size
            if len(head) != 3 or head[-1] == b"missing":  # noqa: PLR2004
                if not head:
                    self._ended(name)
                return None
            size = int(head[2])
            data = answers.read(size) if size <= most else b""
            left = size - len(data) + 1
            while left > 0 and (passed := answers.read(min(left, _PIECE))):
                left -= len(passed)
        except (OSError, ValueError) as error:
            raise EnvironmentProblem(
                f"git cat-file failed in {self.git_dirs.root}: {error}"
            ) from None
        return head[1], data, size

    def _ended(self, name: str) -> None:
        """Go on after git ended at an object that a partial clone lacks, as it does there."""
        self.close()
        if not self._partial:
            try:
                git(self.git_dirs.root, "cat-file", "-e", name)
            except EnvironmentProblem as error:
                self._partial = LACKING in error.message
        if not self._partial:
            raise EnvironmentProblem(f"git cat-file ended in {self.git_dirs.root}")

    def _start(self) -> "tuple[IO[bytes], IO[bytes]]":
        import subprocess  # noqa: PLC0415  start-up

        self._process = start(
            self.git_dirs.root,
            "cat-file",
            "--batch",
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        if self._process.stdin is None or self._process.stdout is None:
            raise EnvironmentProblem("git cat-file has no pipes")
        self._pipes = self._process.stdin, self._process.stdout
        return self._pipes

    def close(self) -> None:
        """End the process."""
        for pipe in self._pipes or ():
            with suppress(OSError):
                pipe.close()
        if self._process:
            self._process.wait()
        self._process = self._pipes = None
