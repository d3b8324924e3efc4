"""Anchors of records as their files have them, and what was found about them.

Whoever asks a memory again and again would read the same records and files each time, and ask
git the same. Everything here is kept with the stamps of what it follows from.

Anchors are read without the classes of records where gitmem wrote the file: the import of those,
and of the YAML parser, takes as long as a whole search.
"""

import os
import time
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from gitmem.git.edits import index_stamp
from gitmem.git.state import file_stamp, tip_stamp
from gitmem.records import canonical
from gitmem.store.listing import Stamp, stamp_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.git.file_fates import FileFate
    from gitmem.memory.core.workspace import Workspace
    from gitmem.records.parts import Anchor

_Answer = TypeVar("_Answer")
_MOST: Final = 20_000
_AT_ONCE: Final = 500
"""Files that are followed at once: what git is asked fits on one command line."""
_YOUNG_NS: Final = 2_000_000_000
"""A file so young can change once more without another stamp."""


class _RememberedValue(NamedTuple):
    stamps: Mapping[str, Stamp | None]
    answer: Any


class AnchorMemo:
    """What one memory remembers.

    Attributes:
        lost: see ``AnchorFinder``; empty again where that may have changed.

    """

    def __init__(self) -> None:
        self.lost: dict[str, FileFate | None] = {}
        self._values: dict[Hashable, _RememberedValue] = {}
        self._from_git: set[Hashable] = set()
        self._commit: tuple[object, ...] = ()
        self._index: object = None
        self._asks = 0
        self._ahead: list[str] = []

    def look(self, workspace: "Workspace") -> None:
        """Forget what follows from another commit, or from another index of git."""
        git_dirs = workspace.site.git_dirs
        if git_dirs is None:
            return
        # A shallow clone can learn of older commits, and any can be told of others in their place.
        others = (os.path.join(git_dirs.common_dir, name) for name in ("shallow", "refs/replace"))
        commit = (*tip_stamp(git_dirs), *map(file_stamp, others))
        index = index_stamp(git_dirs)
        if (commit, index) == (self._commit, self._index):
            return
        same = commit == self._commit
        self.lost = {path: fate for path, fate in self.lost.items() if fate and same}
        self._commit, self._index = commit, index
        self._asks, self._ahead = 0, []
        for name in self._from_git:
            self._values.pop(name, None)
        self._from_git.clear()

    def ahead(self, every: Callable[[], list[str]]) -> list[str]:
        """Give files to follow beside those that git is about to be asked for.

        git walks its commits as long for one as for many: who asks for a second time since it
        last changed will ask again.

        Args:
            every: names the files that may be asked for.

        """
        self._asks += 1
        if self._asks == 2:  # noqa: PLR2004  the second time
            self._ahead = every()
        now, self._ahead = self._ahead[:_AT_ONCE], self._ahead[_AT_ONCE:]
        return now

    def answer(self, name: Hashable) -> tuple[Any] | None:
        """Give an answer that was kept, alone in a tuple; None: its files changed since."""
        remembered = self._values.get(name)
        if remembered is None or any(
            _stamp(path) != stamp for path, stamp in remembered.stamps.items()
        ):
            return None
        return (remembered.answer,)

    def once(
        self, name: Hashable, paths: Iterable[str], question: Callable[[], _Answer]
    ) -> _Answer:
        """Answer a question, unless it was and none of some files changed since.

        Args:
            name: of the question.
            paths: the files that the answer follows from.
            question: answers it.

        """
        former = self.answer(name)
        if former:
            answer: _Answer = former[0]
            return answer
        stamps = stamped(paths)
        return self.keep(name, stamps, question())

    def keep(
        self,
        name: Hashable,
        stamps: Mapping[str, Stamp | None],
        answer: _Answer,
        *,
        of_git: bool = False,
    ) -> _Answer:
        """Keep an answer, if its files are old enough for their stamps to be reliable.

        Args:
            name: of the question.
            stamps: of the files that it follows from, taken before they were read.
            answer: the answer.
            of_git: it also follows from the commit and from the index; see ``look``.

        """
        before = time.time_ns() - _YOUNG_NS
        if any(stamp and max(stamp[1:3]) > before for stamp in stamps.values()):
            return answer
        if len(self._values) >= _MOST:
            self._values.clear()
            self._from_git.clear()
        self._values[name] = _RememberedValue(stamps, answer)
        if of_git:
            self._from_git.add(name)
        return answer


def stamped(paths: Iterable[str]) -> "dict[str, Stamp | None]":
    """Stamp files; None: there is none."""
    return {path: _stamp(path) for path in paths}


def _stamp(path: str) -> Stamp | None:
    try:
        return stamp_of(os.stat(path))
    except (OSError, ValueError):
        return None


_of_memories: "WeakKeyDictionary[Workspace, AnchorMemo]" = WeakKeyDictionary()


def remembered(workspace: "Workspace") -> AnchorMemo:
    """Give what a memory remembers; it goes with the workspace."""
    remembering = _of_memories.get(workspace)
    if remembering is None:
        remembering = _of_memories[workspace] = AnchorMemo()
    return remembering


_TEXTS: Final = ("path", "symbol", "content_hash", "quote", "commit")


class PlainAnchor(NamedTuple):
    """What ``records.parts.Anchor`` has, by the same names."""

    path: str
    lines: tuple[int, int] | None = None
    symbol: str = ""
    content_hash: str = ""
    quote: str = ""
    commit: str = ""


def anchors_in(data: bytes, path: str) -> "Sequence[Anchor | PlainAnchor]":
    """Give the places that a record's file names.

    Args:
        data: the file.
        path: its path, relative to the memory's folder.

    """
    fields = (canonical.read(data) or {"anchors": None}).get("anchors", [])
    plain = [_plain(anchor) for anchor in fields] if isinstance(fields, list) else [None]
    anchors = [anchor for anchor in plain if anchor]
    if len(anchors) == len(plain):
        return anchors
    from gitmem.records.convert import decode

    record = decode(data, path).record
    return record.anchors if record else ()


def _plain(fields: Any) -> PlainAnchor | None:  # noqa: ANN401  whatever a file has
    """Give an anchor; None if its fields have other types: what is wrong others say."""
    if not isinstance(fields, dict) or not fields.get("path"):
        return None
    texts = {name: fields.get(name, "") for name in _TEXTS}
    lines = fields.get("lines")
    if not all(isinstance(text, str) for text in texts.values()):
        return None
    if lines is None:
        return PlainAnchor(**texts)
    match lines:
        case [int(first), int(last)]:
            return PlainAnchor(**texts, lines=(first, last))
    return None


def quote_in(anchor: "Anchor | PlainAnchor") -> str:
    """Give the line that an anchor quotes, without blanks around it; empty: it quotes none."""
    return next((line.strip() for line in anchor.quote.splitlines() if line.strip()), "")
