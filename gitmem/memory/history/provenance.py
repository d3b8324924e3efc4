"""Where a record comes from, as git tells it: nothing of this is written into the record."""

import os
from typing import TYPE_CHECKING

from gitmem.answers import RecordOrigin
from gitmem.git.command import git
from gitmem.git.provenance import boundary, provenance_of
from gitmem.git.state import in_progress

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.git.places import GitDirs
    from gitmem.memory.view import View


def provenance(memory: "View", row: "Row", revision: str | None = None) -> RecordOrigin:
    """Tell which commit added a record.

    Args:
        memory: the memory.
        row: the record.
        revision: only what can be reached from here counts; None: from what is checked out.

    Raises:
        EnvironmentProblem: this is no git repository, or git refuses.

    """
    places = memory.site.require_git()
    folder = memory.site.folder_in_repository
    path = f"{folder}/{row.path}"
    found = provenance_of(places, path, revision or "HEAD", folder=folder)
    return RecordOrigin(found, "" if found else _why_not(places, path, revision or "HEAD"), path)


def _why_not(places: "GitDirs", path: str, revision: str) -> str:
    said = git(
        places.root, "ls-tree", "-z", "--name-only", "--full-tree", revision, "--", path,
        ok=(0, 128),
    )  # fmt: skip
    if said.rstrip(b"\0") == os.fsencode(path):
        if boundary(places):
            return "this clone is shallow: git fetch --unshallow, and it can be told"
        return "only a merge commit has it in this form"
    under_way = in_progress(places)
    return "in no commit yet" + (f": a {under_way} is under way" if under_way else "")
