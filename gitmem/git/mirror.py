"""A copy of another repository's default branch: bare, one commit deep, without file contents.

Contents are fetched when they are asked for, all of a list at once: what is read of a repository
costs little, however large the repository is.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from gitmem.errors import EnvironmentProblem
from gitmem.git.command import git
from gitmem.git.fetch import SAFE
from gitmem.git.git_dirs import GitDirs
from gitmem.git.objects import Objects, blobs_of, commit_of, tree_of
from gitmem.system import lock_file

_SECONDS: Final = 600
_HEAD: Final = "refs/heads/mirrored"
_UNFINISHED: Final = "unfinished-"
_ALONE: Final = "gitmem-fetches"
_LOCKS: Final = ("shallow.lock", "config.lock", "packed-refs.lock", f"{_HEAD}.lock")
"""What git leaves where it is killed, and then waits for."""


class Mirror:
    """The copy of one repository in a folder of its own.

    Args:
        folder: made if it is not there.
        url: the repository, as git takes it; an absolute path, if it is one.

    """

    def __init__(self, folder: str, url: str) -> None:
        self.git_dirs = GitDirs(folder, folder, folder)
        self._folder = folder
        self._url = url

    def head(self) -> str:
        """Ask the other repository for the commit of its default branch; empty if it has none."""
        command = ("ls-remote", "--quiet", "--", self._url, "HEAD")
        folder = self._folder if os.path.isdir(self._folder) else os.path.dirname(self._folder)
        os.makedirs(folder, exist_ok=True)
        output = git(folder, *SAFE, *command, seconds=_SECONDS)
        return output.split(b"\t")[0].decode()

    def fetch(self) -> str:
        """Fetch the default branch's newest commit, without file contents; give its id."""
        if not os.path.isdir(self._folder):
            self._make()
        self._fetch("--depth", "1", "--filter=blob:none", "origin", f"+HEAD:{_HEAD}")
        return commit_of(self.git_dirs, _HEAD)

    def _make(self) -> None:
        """Make the copy beside its place, so that a process that is killed leaves no half one."""
        above, name = os.path.split(self._folder)
        os.makedirs(above, exist_ok=True)
        for left in os.listdir(above):
            path = os.path.join(above, left)
            with suppress(OSError):
                if (
                    left.startswith(_UNFINISHED)
                    and os.lstat(path).st_mtime < time.time() - _SECONDS
                ):
                    shutil.rmtree(path, ignore_errors=True)
        with tempfile.TemporaryDirectory(dir=above, prefix=_UNFINISHED) as folder:
            unfinished = os.path.join(folder, name)
            git(above, "init", "--bare", "--quiet", unfinished)
            settings = {
                "remote.origin.url": self._url,
                "remote.origin.promisor": "true",
                "remote.origin.partialclonefilter": "blob:none",
                "extensions.partialClone": "origin",
                "core.repositoryFormatVersion": "1",
                "gc.auto": "0",
            }
            for setting, value in settings.items():
                git(unfinished, "config", setting, value)
            with suppress(OSError):  # another process was first
                os.rename(unfinished, self._folder)

    def files(self, commit: str, folder: str) -> dict[str, str]:
        """Give the blobs of the plain files in a folder of a commit, by path in that folder."""
        tree = tree_of(self.git_dirs, commit, folder)
        return blobs_of(self.git_dirs, tree) if tree else {}

    def contents(self, blobs: Collection[str], most: int) -> Iterator[tuple[str, bytes]]:
        """Give what blobs hold; those that are missing are fetched first, in one go.

        Args:
            blobs: their ids.
            most: of a larger one, nothing but one byte more than this is given.

        """
        if missing := self._missing(blobs):
            # Without it git asks the server for each commit that both may have.
            wanted = ("origin", "--stdin", "--filter=blob:none")
            self._fetch(*wanted, stdin="\n".join(missing).encode() + b"\n")
        objects = Objects(self.git_dirs)
        try:
            for name in dict.fromkeys(blobs):
                stored = objects.read(name, most)
                if stored is None:
                    raise EnvironmentProblem(f"{self._url} did not send {name[:10]}")
                data, size = stored
                yield name, data if size <= most else b"\n" * (most + 1)
        finally:
            objects.close()

    def _missing(self, blobs: Collection[str]) -> list[str]:
        # Asked for one that is missing, an older git would fetch it, each by itself.
        listed = ("--batch-all-objects", "--unordered", "--batch-check=%(objectname)")
        there = set(git(self._folder, "cat-file", *listed).decode().split())
        return [name for name in dict.fromkeys(blobs) if name not in there]

    def _fetch(self, *arguments: str, stdin: bytes = b"") -> None:
        with self._alone():
            git(
                self._folder, *SAFE, "-c", "fetch.negotiationAlgorithm=noop", "fetch", "--quiet",
                "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance",
                "--recurse-submodules=no", *arguments, stdin=stdin, seconds=_SECONDS,
            )  # fmt: skip

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other processes of a hub out; so a lock of git's that is there is a killed one's."""
        with open(os.path.join(self._folder, _ALONE), "wb") as file:
            lock_file(file.fileno(), wait=True)
            for name in _LOCKS:
                with suppress(FileNotFoundError):
                    os.unlink(os.path.join(self._folder, name))
            yield
