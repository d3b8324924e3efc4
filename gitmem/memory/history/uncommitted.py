"""Which record files are not as the commit that is checked out has them: asked again and again.

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
from gitmem.memory.anchors.remembering import remembered, stamped
from gitmem.memory.history.changed import record_files

if TYPE_CHECKING:
    from gitmem.git.places import GitDirs
    from gitmem.memory.view import View
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


class _Known(NamedTuple):
    """An answer.

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


def uncommitted(memory: "View", commit: str) -> dict[str, str]:
    """Give what became of each record file since a commit; see ``changed.record_files``.

    Args:
        memory: the memory.
        commit: the one that is checked out.

    Raises:
        EnvironmentProblem: this is no git repository, or git refuses.

    """
    since = Range(commit, "")
    look = memory.derived.comparison.look()
    if look is None:
        return record_files(memory, since)
    places = memory.site.require_git()
    now = settings(places)
    found = remembered(memory.workspace).answer(_NAME)
    known: _Known | None = found[0] if found else None
    touched: frozenset[str] | None = None
    if known and (known.commit, known.settings) == (commit, now):
        touched = memory.derived.comparison.touched_since(known.look)
    if known is None or touched is None or len(touched) > _MOST_TOUCHED:
        ask = memory.derived.mended
        folders = ask(lambda: memory.derived.catalog(memory.progress).folders())
        stamps = _stamps(memory, places, now, folders)
        files = record_files(memory, since)
    elif touched:
        folders = {os.path.dirname(path) for path in touched}
        stamps = {**_stamps(memory, places, now, folders), **known.stamps}
        files = {path: how for path, how in known.files.items() if path not in touched}
        files |= record_files(memory, since, touched)
    else:
        return known.files
    answer = _Known(commit, now, look, stamps, files)
    if now.told:
        remembered(memory.workspace).keep(_NAME, stamps, answer)
    return files


def _stamps(
    memory: "View", places: "GitDirs", now: Settings, folders: Iterable[str]
) -> "dict[str, Stamp | None]":
    """Stamp the files with rules that hold for folders of the memory."""
    top = memory.site.folder_in_repository
    wanted = {""}
    for folder in folders:
        path = f"{top}/{folder}".rstrip("/")
        while path and path not in wanted:
            wanted.add(path)
            path = path.rpartition("/")[0]
    paths = [os.path.join(places.root, one, name) for one in sorted(wanted) for name in _RULES]
    # With such a folder it is another repository's.
    paths += [os.path.join(places.root, one, ".git") for one in sorted(wanted - {""})]
    own = sorted({places.git_dir, places.common_dir})
    paths += [os.path.join(folder, name) for folder in own for name in _OWN]
    return stamped([*paths, *now.files])
