"""``gitmem init``: make a folder a memory. Running it again changes nothing."""

import os
from collections.abc import Mapping
from typing import NamedTuple

from gitmem.config import layered
from gitmem.errors import ConflictError, EnvironmentProblem, GitmemError, NotFoundError
from gitmem.git.git_dirs import (
    NONE_AROUND,
    find,
    git_folder_around,
    go_to_work_tree,
    no_work_tree,
    why_none,
)
from gitmem.git.sparse import refuse_left_out
from gitmem.memory.core.ignored import ignored_problem
from gitmem.memory.core.site import (
    PLAIN_MARKER,
    Site,
    site_at,
    stays_inside,
    team_layer,
    user_layer,
)
from gitmem.memory.history.merge_driver import register
from gitmem.records.layout import MARKER
from gitmem.store.files import Store, is_leftover

# Ours stay LF on every machine; attachments are bytes. They lie in our own folder, so that
# no file of the project has to be touched.
FILES = {
    ".gitattributes": b"* text eol=lf\nattachments/** -text\n",
    ".gitignore": b"# Nothing derived lies here; this is belt and braces.\n.*.tmp\n.journal/\n",
    MARKER: PLAIN_MARKER,  # last: a folder with a marker is a whole memory
}


class Initialised(NamedTuple):
    """What init did, or with ``dry_run`` would do.

    Attributes:
        site: the memory.
        created: files that were (would be) made, relative to the memory's folder.
        notices: what the user should know.
        merges: this clone merges records field by field from now on, and did not before.

    """

    site: Site
    created: list[str]
    notices: list[str]
    merges: bool = False


def initialise(
    start: str,
    environ: Mapping[str, str],
    name: str,
    *,
    here: bool,
    dry_run: bool,
    attributes: bool,
) -> Initialised:
    """Make a memory for the repository around ``start``, or for ``start`` itself with ``here``."""
    if not os.path.isdir(start):
        raise NotFoundError(f"{start} is not a folder")
    git_dirs = find(start)
    if git_dirs is None and (bare := git_folder_around(start)):
        raise EnvironmentProblem(no_work_tree(bare), go_to_work_tree(bare))
    root = git_dirs.root if git_dirs and not here else os.path.abspath(start)
    folder = os.path.join(root, name)
    if git_dirs:
        # What it would write is there already, and the team's settings with it.
        refuse_left_out(git_dirs, start, name, os.path.realpath(root))
    _refuse_foreign(folder)
    _refuse_outside(folder, git_dirs.root if git_dirs else None)
    names = [file for file in FILES if attributes or file != ".gitattributes"]
    missing = [file for file in names if not os.path.lexists(os.path.join(folder, file))]
    if os.path.lexists(os.path.join(folder, MARKER)):
        team_layer(folder)  # raises for a memory of a newer format
        missing = []
    store = Store(folder, 0)
    for file in missing if not dry_run else ():
        store.create(file, FILES[file])
    notices, merges = [], False
    if git_dirs is None:
        why = why_none(root)
        why = "this is not a git repository" if why == NONE_AROUND else why
        notices.append(f"{why}: no history, no branches, and gitmem run learns no fixes")
    elif not dry_run:
        try:
            merges = register(git_dirs, name)
        except GitmemError as error:  # everything is safe without it
            notices.append(f"records are merged line by line: {error.message}")
    settings = layered([user_layer(environ)])
    site = site_at(folder, git_dirs, settings, environ)
    if ignored := ignored_problem(site):
        notices.append(f"{ignored.message}; {ignored.hint}")
    return Initialised(site, missing, notices, merges)


def _refuse_outside(folder: str, top: str | None) -> None:
    if not stays_inside(folder, top):
        message = f"{folder} is a link that leads out of the repository, so it is not read"
        raise ConflictError(message, "put the folder itself here, or set GITMEM_FOLDER")


def _refuse_foreign(folder: str) -> None:
    if not os.path.lexists(folder) or os.path.isfile(os.path.join(folder, MARKER)):
        return
    hint = "choose another name with GITMEM_FOLDER"
    if not os.path.isdir(folder):
        raise ConflictError(f"{folder} is not a folder", hint)
    # An init that was killed left its file without a name.
    there = {name for name in os.listdir(folder) if not is_leftover(name)}
    strangers = sorted(there - set(FILES))
    if strangers:
        shown = ", ".join(strangers[:3]) + (", …" if len(strangers) > 3 else "")  # noqa: PLR2004
        raise ConflictError(
            f"{folder} belongs to another tool (it holds {shown}, no {MARKER})", hint
        )
