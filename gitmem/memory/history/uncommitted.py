"""Record files that differ from the checked-out commit; fast, as it is asked often.

git compares all files for that, 0.4 s at 100,000 records. A memory that the system tells of
changes asks about those alone that were touched since, while nothing else changed that the answer
follows from: the commit, git's index and settings, and the rules of what it ignores and how it
reads files.
"""

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.git.ranges import Range
from gitmem.git.settings import Settings, settings
from gitmem.memory.anchors.anchor_memo import remembered, stamped
from gitmem.memory.history.record_changes import record_files

if TYPE_CHECKING:
    from gitmem.memory.core.site import Site
    from gitmem.memory.core.workspace import Workspace
    from gitmem.store.listing import Stamp

_NAME: Final = "uncommitted"
_RULES: Final = (".gitignore", ".gitattributes")
"""In any folder."""
_OWN: Final = (
    "index", "info/exclude", "info/attributes", "info/grafts", "packed-refs", "refs/replace",
)  # fmt: skip
"""In git's own folders; the last ones can put another commit in the place of one."""
_MOST_TOUCHED: Final = 300
"""Of more, git is asked about all."""


class _RememberedAnswer(NamedTuple):
    """What was answered, and what that follows from.

    Attributes:
        commit: it was compared with.
        settings: of git.
        look: when all files that were touched by then had been compared.
        stamps: of the files that it also follows from.
        files: what became of each record file that differs.

    """

    commit: str
    settings: Settings
    look: int
    stamps: "Mapping[str, Stamp | None]"
    files: dict[str, str]


def uncommitted(workspace: "Workspace", commit: str) -> dict[str, str]:
    """Give what became of each record file since a commit; see ``changed.record_files``.

    Args:
        workspace: of the memory.
        commit: the one that is checked out.

    Raises:
        EnvironmentProblem: this is no git repository, or git refuses.

    """
    since = Range(commit, "")
    site, comparison = workspace.site, workspace.derived.comparison
    look = comparison.look()
    if look is None:
        return record_files(site, since)
    git_settings = settings(site.require_git())
    remembering = remembered(workspace)
    previous_answer = remembering.answer(_NAME)
    former: _RememberedAnswer | None = previous_answer[0] if previous_answer else None
    touched: frozenset[str] | None = None
    if former and (former.commit, former.settings) == (commit, git_settings):
        touched = comparison.touched_since(former.look)
    if former is None or touched is None or len(touched) > _MOST_TOUCHED:
        folders = workspace.ask(lambda now: now.catalog.folders())
        stamps = _stamps(site, git_settings, folders)
        files = record_files(site, since)
    elif touched:
        stamps = _stamps(site, git_settings, {os.path.dirname(path) for path in touched})
        stamps |= former.stamps
        files = {path: how for path, how in former.files.items() if path not in touched}
        files |= record_files(site, since, touched)
    else:
        return former.files
    if git_settings.told:
        answer = _RememberedAnswer(commit, git_settings, look, stamps, files)
        remembering.keep(_NAME, stamps, answer)
    return files


def _stamps(
    site: "Site", git_settings: Settings, folders: Iterable[str]
) -> "dict[str, Stamp | None]":
    """Stamp the files with rules that hold for folders of the memory."""
    git_dirs = site.require_git()
    top = site.folder_in_repository
    wanted = {""}
    for folder in folders:
        path = f"{top}/{folder}".rstrip("/")
        while path and path not in wanted:
            wanted.add(path)
            path = path.rpartition("/")[0]
    root = git_dirs.root
    paths = [os.path.join(root, folder, name) for folder in sorted(wanted) for name in _RULES]
    # With such a folder it is another repository's.
    paths += [os.path.join(root, folder, ".git") for folder in sorted(wanted - {""})]
    own = sorted({git_dirs.git_dir, git_dirs.common_dir})
    paths += [os.path.join(folder, name) for folder in own for name in _OWN]
    return stamped([*paths, *git_settings.files])
