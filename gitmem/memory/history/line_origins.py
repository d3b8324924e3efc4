"""What git knows about the lines of a file: its former names, and each line's commit."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from gitmem.git.blame import Blamed, added_by
from gitmem.git.blame import blame as git_blame
from gitmem.git.command import git
from gitmem.git.file_fates import names_of
from gitmem.git.git_dirs import find
from gitmem.git.patch_id import equals
from gitmem.git.state import head
from gitmem.records.layout import id_in
from gitmem.system import relative_path

if TYPE_CHECKING:
    from gitmem.git.patch_id import EquivalentCommit
    from gitmem.memory.core.site import Site

_MOST_COMPARED: Final = 300


class LineOrigins:
    """A file under all its former names, and the commit of each line.

    Args:
        site: of the memory.
        path: the file, relative to the folder that the memory belongs to.
        line: only this one, from 1; 0: all.

    Attributes:
        path: as above.
        prefix: of what lies in that folder, in paths from the work tree's top.
        git_names: all names that the file had, from the work tree's top.
        names: those of them in that folder, relative to it.
        blamed: where each line comes from.
        twins: for each commit those that make the same change on other branches.
        added: for each of all these commits the ids of the records that it added.
        notes: what could not be told, a line each.

    """

    def __init__(self, site: "Site", path: str, line: int) -> None:
        self._git_dirs = site.require_git()
        self._folder = site.folder_in_repository
        base = os.path.dirname(self._folder)
        self.prefix = f"{base}/" if base else ""
        self.path = path
        self.notes: list[str] = []
        former = names_of(self._git_dirs, self.prefix + path)
        self.git_names = [self.prefix + path, *former]
        self.names = [self.inside(name) for name in self.git_names if name.startswith(self.prefix)]
        self.blamed = self._blamed(line)
        commits = list(dict.fromkeys(source.commit for source in self.committed))
        self.twins = self._twins(commits)
        equal = {twin.commit for twins in self.twins.values() for twin in twins}
        added = added_by(self._git_dirs, sorted({*commits, *equal}), self._folder)
        self.added = {
            commit: [record for file in files if (record := id_in(file))]
            for commit, files in added.items()
        }

    @property
    def committed(self) -> list[Blamed]:
        """The lines whose commit is known."""
        return [source for source in self.blamed if source.commit]

    def inside(self, name: str) -> str:
        """Give a path from the work tree's top relative to the folder that the memory is of."""
        return name[len(self.prefix) :]

    def _blamed(self, line: int) -> list[Blamed]:
        name = self.prefix + self.path
        tracked = git(self._git_dirs.root, "ls-files", "-z", "--", f":(top,literal){name}")
        if not tracked or not head(self._git_dirs):
            inside = find(os.path.dirname(os.path.join(self._git_dirs.root, name)))
            where = relative_path(inside.root if inside else os.curdir, self._git_dirs.root)
            own = inside is not None and where != os.curdir
            why = f"in {where}, a repository of its own" if own else "in no commit yet"
            self.notes.append(f"{self.path} is {why}")
            return []
        # All of it, also for one line: git takes nothing so short for one that was moved.
        blamed = git_blame(self._git_dirs, name)
        blamed = [source for source in blamed if line in (0, source.number)]
        if not all(source.known for source in blamed):
            self.notes.append("this clone is shallow: older commits are not known here")
        return blamed

    def _twins(self, commits: Sequence[str]) -> "Mapping[str, Sequence[EquivalentCommit]]":
        # A line that came from another file was in that one when its equals were made.
        paths = (source.path for source in self.committed)
        names = list(dict.fromkeys([*self.git_names, *paths]))
        if len(commits) > _MOST_COMPARED:
            self.notes.append(
                f"of {len(commits)} commits {_MOST_COMPARED} were compared with "
                "those of other branches"
            )
        return equals(self._git_dirs, commits[:_MOST_COMPARED], names, self._folder)
