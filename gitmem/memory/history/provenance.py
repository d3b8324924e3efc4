"""Where a record comes from according to git; none of it is written into the record."""

import os
from typing import TYPE_CHECKING

from gitmem.answers.places import RecordOrigin
from gitmem.git.command import git
from gitmem.git.provenance import boundary, provenance_of
from gitmem.git.state import in_progress

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.git.git_dirs import GitDirs
    from gitmem.memory.core.site import Site


def provenance(site: "Site", row: "Row", revision: str | None = None) -> RecordOrigin:
    """Tell which commit added a record.

    Args:
        site: of the memory.
        row: the record.
        revision: only what can be reached from here counts; None: from what is checked out.

    Raises:
        EnvironmentProblem: this is no git repository, or git refuses.

    """
    git_dirs = site.require_git()
    folder = site.folder_in_repository
    path = f"{folder}/{row.path}"
    origin = provenance_of(git_dirs, path, revision or "HEAD", folder=folder)
    why_not = "" if origin else _why_not(git_dirs, path, revision or "HEAD")
    return RecordOrigin(origin, why_not, path)


def _why_not(git_dirs: "GitDirs", path: str, revision: str) -> str:
    options = ("ls-tree", "-z", "--name-only", "--full-tree")
    output = git(git_dirs.root, *options, revision, "--", path, ok=(0, 128))
    if output.rstrip(b"\0") == os.fsencode(path):
        if boundary(git_dirs):
            return "this clone is shallow; find out with: git fetch --unshallow"
        return "only a merge commit has this"
    under_way = in_progress(git_dirs)
    return "in no commit yet" + (f": a {under_way} is under way" if under_way else "")
