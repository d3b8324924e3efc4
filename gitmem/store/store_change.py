"""The change that a watcher reports, and which paths count."""

import os
from typing import NamedTuple

from gitmem.records.layout import KIND_OF_FOLDER, MARKER


class StoreChange(NamedTuple):
    """What may have changed in one memory since the last call.

    Attributes:
        paths: record files and the marker, relative to the memory, with forward slashes.
        everything: more may have changed than ``paths`` name.
        head: HEAD points elsewhere; commits on the same branch do not count, but where branches
            stand in tables, as nothing tells them apart there.

    """

    paths: frozenset[str]
    everything: bool = False
    head: bool = False


class WatchedStore(NamedTuple):
    """A memory to watch: its folder, and the git folder of its work tree (None outside git)."""

    folder: str
    git_dir: str | None

    @property
    def head(self) -> str:
        """The file that git writes when something else is checked out; empty outside git.

        Where branches stand in tables that is the list of tables, written with every commit.
        """
        if self.git_dir is None:
            return ""
        tables = os.path.join(self.git_dir, "reftable", "tables.list")
        return tables if os.path.exists(tables) else os.path.join(self.git_dir, "HEAD")


class PendingChanges:
    """Changes that were received and not yet reported."""

    def __init__(self) -> None:
        self.paths: set[str] = set()
        self.everything = self.head = self.rearm = False
        self.folder = ""  # the newest one

    def __bool__(self) -> bool:
        return bool(self.paths or self.everything or self.head or self.rearm or self.folder)


def is_told_of(path: str) -> bool:
    """Tell record files and the marker from temporary files, backups and attachments."""
    if path == MARKER:
        return True
    folder, _, name = path.rpartition("/")
    hidden = any(part.startswith(".") for part in path.split("/"))
    is_record = folder.partition("/")[0] in KIND_OF_FOLDER and name.endswith((".yaml", ".yml"))
    return is_record and not hidden


def last_folder(top: str) -> str:
    """Name the folder that a walk from ``top`` comes to last."""
    last = top
    for here, _, _ in os.walk(top):
        last = here
    return last
