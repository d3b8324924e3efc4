"""Finds the lines that records refer to now: moved, unchanged, or why that is unknown.

What a record says of a place is never rewritten. Each time it is asked, the place is found anew:
from the text that the commit which added the record has, to the text as it is. All records that
are asked about at once share one ``git log`` and one process that reads old texts.
"""

import os
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Final

from gitmem.answers.places import FoundLines, PlacedAnchor, RecordAnchor
from gitmem.git.file_fates import FileFate, commits_touching, whereabouts
from gitmem.git.objects import Objects
from gitmem.git.provenance import origins
from gitmem.matching.relocate import (
    ALIKE,
    SEVERAL,
    UNKNOWN,
    FileText,
    LineRange,
    LostLines,
    SoughtLines,
    in_base,
)
from gitmem.matching.relocate import locate as locate_in
from gitmem.matching.symbols import defines, definition_of
from gitmem.memory.anchors.anchor_memo import quote_in
from gitmem.worktree import read_text

if TYPE_CHECKING:
    from gitmem.catalog.rows import Row
    from gitmem.memory.anchors.anchor_memo import PlainAnchor
    from gitmem.memory.core.workspace import Workspace
    from gitmem.records.parts import Anchor

EXACT: Final = "exact"
MAPPED: Final = "mapped"
RENAMED: Final = "renamed"
QUOTE: Final = "quote"
SYMBOL: Final = "symbol"
_MOST_BYTES: Final = 2_000_000
_MOST_TEXTS: Final = 256
_MOST_REASONS: Final = 50
"""Lost lines for which the commit that changed them is looked for, each some calls of git."""


def anchored(row: "Row", anchor: "Anchor | PlainAnchor") -> RecordAnchor:
    """Give the place that an anchor of a record names."""
    first, last = anchor.lines or (0, 0)
    target = SoughtLines(first, last, anchor.content_hash if first else "", quote_in(anchor))
    return RecordAnchor(row, anchor.path, target, anchor.symbol, "anchor", anchor.commit)


class AnchorFinder:
    """Finds the places that records name. Use as a context manager, or close.

    Args:
        workspace: of the memory.
        revision: as the code is there; empty: as it is in the work tree.
        lost: files that the commit checked out lacks, with what became of them (None: no commit
            ever had one): they are not asked for again, and others are added. None: ``recorded``
            will be asked of such files, too.

    Methods raise EnvironmentProblem if git is missing or refuses.

    """

    def __init__(
        self,
        workspace: "Workspace",
        revision: str = "",
        lost: "dict[str, FileFate | None] | None" = None,
    ) -> None:
        self._site = workspace.site
        self._git_dirs = workspace.site.git_dirs
        self._revision = revision
        self._folder = workspace.site.folder_in_repository if self._git_dirs else ""
        base = os.path.dirname(self._folder)
        self._prefix = f"{base}/" if base else ""
        self._objects = Objects(self._git_dirs) if self._git_dirs else None
        self._old: dict[str, FileText | None] = {}
        self._texts: dict[bytes, FileText] = {}
        self._now: dict[str, FileText | None] = {}
        self._fates: dict[str, FileFate] = {}
        self._committed: set[str] = set()  # names in the commit, of files that are not there
        self._lost = {} if lost is None else lost
        self._brief = lost is not None
        self._origins: dict[str, str] = {}
        self._looked_up: set[str] = set()
        self._reasons = 0

    def close(self) -> None:
        """End what reads."""
        if self._objects:
            self._objects.close()

    def place(self, wanted: Sequence[RecordAnchor]) -> list[PlacedAnchor]:
        """Find places, in their order."""
        self.find({anchor.path for anchor in wanted})
        present = [anchor for anchor in wanted if not self._brief or self._present(anchor.path)]
        self._find_origins({anchor.row.path for anchor in present})
        # Those of one file together: its texts are read once.
        order = sorted(range(len(wanted)), key=lambda at: (wanted[at].path, wanted[at].row.path))
        placed = {at: self._placed(wanted[at]) for at in order}
        return [placed[at] for at in range(len(wanted))]

    def now(self, path: str) -> FileText | None:
        """Give a file's text as it is; None: it is not there, is binary, or too large.

        Args:
            path: relative to the folder that the memory belongs to.

        """
        if path not in self._now:
            if self._revision:
                self._now[path] = self._at(self._revision, path)
            else:
                self._now[path] = file_text(self._site.root, path)
        return self._now[path]

    def follow_git(self, name: str) -> tuple[str, FileText | None]:
        """Give the present name and text of a file that a patch names, from the work tree's top."""
        if not name.startswith(self._prefix):
            return name, None
        path = name[len(self._prefix) :]
        self.find({path})
        fate = self._fates.get(path)
        path = path if self._is_there(path) else fate.path if fate else ""
        return self._prefix + path, self.now(path) if path else None

    def recorded(self, wanted: RecordAnchor) -> tuple[str, int, int] | None:
        """Give the commit and lines (from 1) that an anchor was recorded from; None: unknown."""
        commit, base = self._base(wanted, FileText(""))
        at = in_base(wanted.target, base) if base is not None and commit else None
        return (commit, at[0] + 1, at[1] + 1) if at else None

    def _find_origins(self, files: set[str]) -> None:
        new = files - self._looked_up
        if self._git_dirs and new:
            self._looked_up |= new
            called = {f"{self._folder}/{path}": path for path in new}
            tip = self._revision or "HEAD"
            commits = origins(self._git_dirs, sorted(called), tip, folder=self._folder)
            self._origins |= {called[path]: commit for path, commit in commits.items()}

    def find(self, paths: Collection[str]) -> None:
        """Follow files that are not there under their name, all at once."""
        followed = self._fates.keys() | self._lost.keys()
        missing = {path for path in {*paths} - followed if not self._is_there(path)}
        if self._git_dirs and missing:
            named = {self._prefix + path: path for path in missing}
            fates, committed = whereabouts(self._git_dirs, [*named], self._revision)
            self._committed |= committed
            for path, fate in fates.items():
                inside = fate.path.startswith(self._prefix)
                new = fate.path[len(self._prefix) :] if inside else ""
                self._fates[named[path]] = FileFate(new, fate.commit)
        for path in missing if self._brief else ():
            became = self._fates.get(path)
            deleted = became is not None and not became.path and became.commit
            if deleted or (became is None and not self._is_left_out(path)):
                self._lost[path] = became

    def _present(self, path: str) -> str:
        """Give the path that a file has now; empty: it is gone."""
        if self._is_there(path):
            return path
        if path in self._lost:
            return ""
        fate = self._fates.get(path)
        path = fate.path if fate else path
        return path if path and (self._is_there(path) or self._is_left_out(path)) else ""

    def fate(self, path: str) -> FileFate | None:
        """Tell what became of a file that was asked for; None: it is there, or never was."""
        return self._lost.get(path) or self._fates.get(path)

    def _is_there(self, path: str) -> bool:
        if self._revision:
            return self.now(path) is not None
        return os.path.lexists(os.path.join(self._site.root, path))

    def _placed(self, wanted: RecordAnchor) -> PlacedAnchor:
        path = self._present(wanted.path)
        fate = None if path == wanted.path else self.fate(wanted.path)
        if not path:
            return PlacedAnchor(wanted, None, _why_missing(fate))
        renamed = bool(fate)
        target = wanted.target
        if not target.first and not target.quote:
            return PlacedAnchor(wanted, FoundLines(path, 0, 0, RENAMED if renamed else EXACT))
        now = self.now(path)
        if now is None:
            return PlacedAnchor(wanted, None, "the file is binary or too large to be read")
        commit, base = self._base(wanted, now)
        lines = locate_in(target, base, now)
        how = ""
        if wanted.symbol and (isinstance(lines, LostLines) or lines.by_quote):
            definition = _definition(wanted, path, base, now)
            lines, how = (definition, SYMBOL) if definition else (lines, "")
        if isinstance(lines, LostLines):
            return PlacedAnchor(wanted, None, self._reason(wanted, lines, commit, path))
        by_quote = lines.by_quote or not target.first
        same = EXACT if lines.first == target.first else MAPPED
        how = how or (QUOTE if by_quote else RENAMED if renamed else same)
        return PlacedAnchor(wanted, FoundLines(path, lines.first, lines.last, how))

    def _is_left_out(self, path: str) -> bool:
        """Tell whether a file is missing only because of a sparse checkout.

        Then it is as the commit has it that is checked out.
        """
        if self._revision or self._prefix + path not in self._committed:
            return False
        self._now[path] = self._at("HEAD", path)
        return self._now[path] is not None

    def _base(self, wanted: RecordAnchor, now: FileText) -> tuple[str, FileText | None]:
        """Give the commit and text that an anchor was recorded from, if they are known."""
        if self._git_dirs is None:
            return "", None
        origin = self._origins.get(wanted.row.path, "")
        if not origin:
            # In no commit: its numbers are those of the work tree, if that was not edited.
            base = self._at("HEAD", wanted.path)
            same = base is not None and base.lines == now.lines
            return "", base if same else None
        given = [wanted.commit] if wanted.commit else []
        other = None
        for commit in (*given, origin, f"{origin}^"):
            base = self._at(commit, wanted.path)
            if base is not None and in_base(wanted.target, base) is not None:
                return commit, base
            other = other or base
        return origin, other

    def _at(self, commit: str, path: str) -> FileText | None:
        name = f"{commit}:{self._prefix}{path}"
        if name in self._old:
            return self._old[name]
        if len(self._old) >= _MOST_TEXTS:
            self._old.pop(next(iter(self._old)))
        self._old[name] = self._read_object(name)
        return self._old[name]

    def _read_object(self, name: str) -> FileText | None:
        if self._objects is None or "\n" in name:
            return None
        content = self._objects.read(name, _MOST_BYTES)
        if content is None or content[1] > _MOST_BYTES or b"\0" in content[0]:
            return None
        # A file is the same in most commits: what is made of its text is made once.
        data = content[0]
        if data not in self._texts:
            if len(self._texts) >= _MOST_TEXTS:
                self._texts.pop(next(iter(self._texts)))
            self._texts[data] = FileText(data.decode(errors="replace"))
        return self._texts[data]

    def _reason(self, wanted: RecordAnchor, lost: LostLines, commit: str, path: str) -> str:
        if lost.reason == SEVERAL:
            return f"the quoted line is there {lost.times} times"
        if lost.reason == ALIKE:
            return "it can't be told apart from identical lines"
        if lost.reason == UNKNOWN:
            return "the record holds no text of these lines"
        lines = "the line" if wanted.target.first == wanted.target.last else "the lines"
        what = wanted.symbol or lines
        if not commit or self._git_dirs is None:
            return f"{what} changed"
        if self._reasons >= _MOST_REASONS:
            return f"{what} changed since {commit[:10]}"
        self._reasons += 1
        return f"{what} {self._changed_in(wanted, commit, path)}"

    def _changed_in(self, wanted: RecordAnchor, since: str, path: str) -> str:
        """Name the commit in which an anchor's lines were lost."""
        base = self._at(since, wanted.path)
        if base is None or self._git_dirs is None:
            return "can't be told apart from other lines"
        tip = self._revision or "HEAD"
        commit = self._first_without(wanted, base, since, path, tip)
        if not commit and path != wanted.path:
            commit = self._first_without(wanted, base, since, wanted.path, tip)
        return f"changed in {commit[:10]}" if commit else "changed, in no commit yet"

    def _first_without(
        self, wanted: RecordAnchor, base: FileText, since: str, path: str, tip: str
    ) -> str:
        commits = commits_touching(self._git_dirs, path, since, tip) if self._git_dirs else []

        def holds(commit: str) -> bool:
            text = self._at(commit, path)
            return text is not None and isinstance(locate_in(wanted.target, base, text), LineRange)

        return first_without(commits, holds)


def _definition(
    wanted: RecordAnchor, path: str, base: FileText | None, now: FileText
) -> LineRange | None:
    """Give the lines of the function or class that an anchor holds, edited inside or not."""
    target, symbol = wanted.target, wanted.symbol
    at = in_base(target, base) if base is not None else None
    if base is not None and at is not None:
        was = definition_of(wanted.path, base.lines, symbol)
        holds = was is not None and at[0] < was.named <= at[1] + 1
    else:
        holds = defines(target.quote, symbol)
    here = definition_of(path, now.lines, symbol) if holds else None
    return LineRange(here.first, here.last) if here else None


def first_without(commits: Sequence[str], holds: Callable[[str], bool]) -> str:
    """Give a commit that does not hold, while the one before it does; empty: the last holds.

    Before ``commits``, oldest first, it held; ``holds`` is asked of few of them.
    """
    if not commits or holds(commits[-1]):
        return ""
    low, high = -1, len(commits) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if holds(commits[middle]):
            low = middle
        else:
            high = middle
    return commits[high]


def _why_missing(fate: FileFate | None) -> str:
    if fate is None:
        return "there is no such file"
    if fate.path:
        return f"its file was moved to {fate.path}, which is not there"
    return f"file deleted{f' in {fate.commit[:10]}' if fate.commit else ', in no commit yet'}"


def file_text(root: str, path: str) -> FileText | None:
    """Read a file of the work tree; None: it is not there, is binary, or too large."""
    text = read_text(root, path, _MOST_BYTES)
    return None if text is None else FileText(text)
