"""Finds the files that differ from the catalog: the complete comparison before every answer.

There are three ways to compare all, and the cheapest one that is right is taken:

1. Where there is a seal, git tells which files were edited in place, in a process beside the
   question; folders tell by their stamps where names came or went; the few other files are
   stamped. 0.1 s for 100,000 records, nearly all of it git's.
2. Otherwise every file is stamped, and all stamps together are held against a digest.
3. Where that differs, stamp by stamp. A file as young as its reading is read again.

For who asks often, the system tells which files were touched since they were compared last. Then
only those are compared, mostly none.

A question that says so (``prompt``) does not wait for git: it takes what git found for the question
before, and leaves another look behind for the next one. All the rest is compared as ever.
"""

import contextlib
import marshal
import os
import time
from collections.abc import Collection, Iterable
from importlib.util import source_hash
from types import ModuleType
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.catalog.catalog import Catalog
from gitmem.errors import EnvironmentProblem
from gitmem.git.edits import (
    COPY,
    LEFT,
    Edits,
    IndexStamp,
    LeftEdits,
    copy_index,
    index_stamp,
    keep,
    leave,
    left_at,
    stamp_at,
    started_for,
    vouched_for,
)
from gitmem.git.git_dirs import GitDirs
from gitmem.records.layout import KIND_OF_FOLDER
from gitmem.store.files import Store
from gitmem.store.listing import FolderStamp, Listing, folder_stamp, is_text, walk_folder
from gitmem.sync.difference import DIGEST, RACY_NS, Difference, difference
from gitmem.sync.seal import NEVER, Seal, read_seal
from gitmem.system import relative_path

if TYPE_CHECKING:
    from gitmem.records.problems import Problem
    from gitmem.store.inotify import InotifyQueue

SEAL: Final = "seal with a copy"
_LOOSE_LEAST: Final = 200
_LOOSE_SHARE: Final = 8
_SECOND: Final = 1_000_000_000
_MOST_YOUNG: Final = 200
"""So many files as young as git's index it may compare in every look."""
_WORTH_SEALING: Final = 64
"""Where one in so many files is loose, and git has another index, a new seal is made of that."""
_MOST_FOLDERS: Final = 64
_MOST_TOUCHED: Final = 20_000


class PendingCheck(NamedTuple):
    """A comparison by way of git that is under way, and what it starts from."""

    seal: Seal
    edits: Edits | LeftEdits


class _Loose(NamedTuple):
    """Files that git can't speak for: that it does not look at, and all, with edited ones."""

    unknown: frozenset[str]
    all: frozenset[str]


class Comparison:
    """Compares the files of a store with a catalog.

    Args:
        store: the files.
        git_dirs: the repository around them, if there is one.
        directory: where derived state lies; None: git is not asked.

    Attributes:
        prompt: take what git found for the question before, if there is that.
        as_of_ns: when git began to look for what the last comparison took; 0: it took no such.

    """

    git_from = 4_000
    """With fewer files, stamping them all takes no longer than to start git."""

    def __init__(self, store: Store, git_dirs: GitDirs | None, directory: str | None) -> None:
        self.problems: list[Problem] = []
        self._store = store
        self._git_dirs = git_dirs
        self._places = git_dirs if directory and hasattr(os, "posix_spawnp") else None
        self.prompt = False
        self.as_of_ns = 0
        self._leaves = False  # the next question shall find what git tells from now on
        self._copy = os.path.join(directory or "", COPY)
        self._left = os.path.join(directory or "", LEFT)
        self._directory = directory
        self._folder = relative_path(store.root, git_dirs.root) if git_dirs else ""
        self._inotify: InotifyQueue | None = None
        # What was touched since the catalog was in step; None: anything may have been.
        self._touched: frozenset[str] | None = None
        self._looks = self._lost = 0  # looks that something was told in; the last that lost some
        self._touched_in: dict[str, int] = {}  # in which look each path was told last

    def listen(self, queue: "InotifyQueue | None") -> None:
        """Use a queue that reports touched files, or None for none. It is closed at the end."""
        if self._inotify:
            self._inotify.close()
        self._inotify = queue
        self._note(None)
        self.unknown()

    def in_step(self) -> None:
        """Note that the catalog has what the last comparison found."""
        if self._inotify:
            self._touched = frozenset()

    def unknown(self) -> None:
        """Compare everything the next time: it may be another catalog then."""
        self._touched = None

    def close(self) -> None:
        """Leave a look of git's behind, where a question was answered without waiting for one."""
        if self._leaves and self._places:
            with contextlib.suppress(OSError):  # then the next question waits
                leave(self._places, self._folder, self._copy, self._left)
        self._leaves = False
        self.unknown()

    def look(self) -> int | None:
        """Take in what was touched by now; give a number for this moment, None: nobody tells."""
        self._take_in()
        return self._looks if self._inotify else None

    def touched_since(self, look: int) -> frozenset[str] | None:
        """Give the record files that were touched after a moment and before the last look.

        Paths are relative to the memory's folder; None: any may have been.
        """
        if self._lost > look:
            return None
        return frozenset(path for path, moment in self._touched_in.items() if moment > look)

    def begin(self, catalog: Catalog) -> PendingCheck | None:
        """Start git, if its word is needed and counts; None: it is not."""
        self._take_in()
        if self._places is None or self._touched is not None:
            return None
        early = started_for(self._places, self._folder)
        seal = read_seal(catalog.meta(SEAL))
        copy = early.index if early else stamp_at(self._copy)
        if seal is None or seal.loose is None or seal.copy != copy:
            if early:
                early.close()
            return None
        if self.prompt and not early and (left := left_at(self._left, seal.copy, self._folder)):
            return PendingCheck(seal, left)
        try:
            return PendingCheck(seal, early or Edits(self._places, self._folder, self._copy))
        except OSError:
            self._places = None  # git is not there: not asked again
            return None

    def changes(self, catalog: Catalog, doubt: PendingCheck | None) -> Difference:
        """Give what differs, and set ``problems``."""
        self.as_of_ns = 0
        changes = self._by_git(catalog, doubt) if doubt else self._by_touch(catalog)
        if changes is None:
            changes = self._by_walk(catalog)
        if not changes:
            self.in_step()
        return changes

    def differ(self, catalog: Catalog, paths: Iterable[str]) -> bool:
        """Tell whether any of these files is not as the catalog has it."""
        wanted = list(filter(is_text, paths))
        return bool(difference(self._store.stamps(wanted), catalog.states_of(wanted)))

    def again(self, catalog: Catalog, changes: Difference) -> Difference:
        """Look once more at what differed a moment ago."""
        paths = [*changes.read, *changes.recheck, *changes.gone]
        return difference(self._store.stamps(paths), catalog.states_of(paths))

    # Which of several files with one id came first

    def tip(self) -> str:
        """Give the commit that the order of files follows from; empty: git can't tell."""
        tip: str = _first_come().tip(self._git_dirs) if self._git_dirs else ""
        return tip

    def places(self, paths: Collection[str]) -> dict[str, int]:
        """Give a number for each file that is in a commit, smaller for what came sooner."""
        if self._git_dirs is None:
            return {}
        places: dict[str, int] = _first_come().places(self._git_dirs, self._folder, paths)
        return places

    # By what was touched

    def _take_in(self) -> None:
        """Take in the files touched so far; later ones are reported the next time."""
        if self._inotify is None:
            return
        try:
            new = self._inotify.paths()
        except OSError:
            self.listen(None)  # a limit is reached: everything is compared again
            return
        if new != frozenset():
            self._note(new)
        touched = self._touched
        self._touched = None if new is None or touched is None else touched | new

    def _note(self, new: frozenset[str] | None) -> None:
        self._looks += 1
        if new is None or len(self._touched_in) > _MOST_TOUCHED:
            self._lost, self._touched_in = self._looks, {}
        else:
            self._touched_in.update(dict.fromkeys(new, self._looks))

    def _by_touch(self, catalog: Catalog) -> Difference | None:
        self._take_in()
        touched = self._touched
        if not touched:
            return None if touched is None else Difference({}, {}, {})
        stamps = self._store.stamps(touched)
        odd = (
            path
            for path in touched - stamps.keys()
            if os.path.lexists(os.path.join(self._store.root, path))
        )
        if any(odd) or not touched.isdisjoint(problem.path for problem in self.problems):
            self._touched = None  # what is in the way of reading shows when all are listed
            return None
        return difference(stamps, catalog.states_of(touched))

    # By git

    def _by_git(self, catalog: Catalog, doubt: PendingCheck) -> Difference | None:
        seal = doubt.seal
        version = catalog.version()
        edited = self._edited(doubt)
        if self._places is None or edited is None or seal.loose is None:
            self._places = None  # git failed
            catalog.note(SEAL, "", version)  # a copy can refer to a file that git has dropped
            return None
        if stamp_at(self._copy) != seal.copy:
            return None  # another one was made meanwhile: perhaps git compared with that
        suspects = seal.loose | edited | (self._shown(catalog) if self.as_of_ns else set())
        looked = self._look_into(seal)
        newer = catalog.last() - seal.last
        if looked is None or len(suspects) + newer > self._most_suspects(seal):
            return None
        # What the catalog does not have and no folder shows is no record file. What is newer than
        # the seal may have been in a folder that is, too, and that no seal tells to be gone.
        states = catalog.states_of(filter(is_text, suspects)) | catalog.states_after(seal.last)
        files = self._store.stamps(states)
        for folder in looked.folders:
            states |= catalog.states_in(folder)
        files |= looked.files
        self.problems = []
        changes = difference(files, states)
        if not changes:
            new = {path for path in looked.files if states[path].file > seal.last}
            self._renew(catalog, seal, looked.folders, new, doubt.edits.began_ns, version)
        return changes

    def _shown(self, catalog: Catalog) -> set[str]:
        """Give the files that the answer before showed: who edits one has often just seen it."""
        from gitmem.store.shown_answer import last

        shown = last(self._directory)
        return catalog.paths_holding({name for hit in shown.hits for name in hit} if shown else ())

    def _edited(self, doubt: PendingCheck) -> set[str] | None:
        edits = doubt.edits
        edited = edits.paths()
        if isinstance(edits, LeftEdits):
            if edited is not None:
                self.as_of_ns, self._leaves = edits.left_ns, True
            elif self._places:  # it was ended
                with contextlib.suppress(OSError):
                    edited = Edits(self._places, self._folder, self._copy).paths()
        elif self.prompt and edited is not None:
            with contextlib.suppress(OSError):
                keep(edited, self._folder, doubt.seal.copy, edits.began_ns, self._left)
        return edited

    def _most_suspects(self, seal: Seal) -> int:
        """Say how many files may be stamped one by one before a new seal is the better way."""
        most = _most_loose(seal.files)
        if self._places is None or index_stamp(self._places) == seal.git_index:
            return most  # a new one would be no better
        return min(most, max(_LOOSE_LEAST, seal.files // _WORTH_SEALING))

    def _look_into(self, seal: Seal) -> Listing | None:
        """List the folders that changed, new and gone ones too; None if all must be listed."""
        root = self._store.root
        now = {folder: folder_stamp(os.path.join(root, folder)) for folder in seal.folders}
        changed = [folder for folder, stamp in now.items() if stamp != seal.folders[folder]]
        changed += [
            folder
            for folder in KIND_OF_FOLDER
            if folder not in now and os.path.lexists(os.path.join(root, folder))
        ]
        if len(changed) > _MOST_FOLDERS:
            return None
        # Those that are known are judged by their own stamps, not as parts of their parents.
        listing = Listing({}, [], {folder: stamp for folder, stamp in now.items() if stamp})
        for folder in changed:
            walk_folder(root, folder, listing)
        if listing.problems:
            return None
        unchanged = seal.folders.keys() - changed
        for folder in unchanged:
            listing.folders.pop(folder, None)
        listing.folders.update((folder, NEVER) for folder in changed if now.get(folder) is None)
        return listing

    @staticmethod
    def _renew(
        catalog: Catalog,
        seal: Seal,
        looked: dict[str, FolderStamp],
        new: set[str],
        began_ns: int,
        version: int,
    ) -> None:
        """Renew the seal, so that the folders just compared count as known."""
        settled = {folder: _settled(stamp, began_ns) for folder, stamp in looked.items()}
        if set(settled.values()) <= {NEVER} or seal.loose is None:
            return
        loose = seal.loose | new
        if len(loose) > _most_loose(seal.files):
            return
        folders = {f: s for f, s in seal.folders.items() if f not in looked} | settled
        with contextlib.suppress(UnicodeEncodeError):
            text = seal._replace(folders=folders, loose=loose).text()
            catalog.note(SEAL, text, version)

    # By stamping every file

    def _by_walk(self, catalog: Catalog) -> Difference:
        began = time.time_ns()
        version = catalog.version()
        index = index_stamp(self._places) if self._places else None
        listing = self._store.listing()
        self.problems = listing.problems
        digest = _digest(listing)
        if catalog.meta(DIGEST) != digest:
            changes = difference(listing.files, catalog.states())
            if changes:
                return changes
            catalog.note(DIGEST, digest, version)
        if index and not listing.problems and len(listing.files) >= self.git_from:
            self._seal(catalog, listing, index, began, version)
        return Difference({}, {}, {})

    def _seal(
        self, catalog: Catalog, listing: Listing, index: IndexStamp, began_ns: int, version: int
    ) -> None:
        """Note that the catalog is in step, if git can say what happens to the files from now."""
        old = read_seal(catalog.meta(SEAL))
        if self._places is None or (old and old.loose is None and old.git_index == index):
            return
        stamps = listing.files.values()
        try:
            young = sum(stamp[1] // _SECOND >= index.mtime_ns // _SECOND for stamp in stamps)
            copy = copy_index(self._places, self._copy, index, settled=young > _MOST_YOUNG)
            loose = self._loose(listing, copy)
            if loose and len(loose.unknown) <= _most_loose(len(listing.files)) < len(loose.all):
                # As after a copy of the whole repository: git's stamps are those of the original.
                with contextlib.suppress(EnvironmentProblem):
                    copy = copy_index(self._places, self._copy, index, self._folder)
                    if self._store.listing().files != listing.files:
                        return  # what was edited before its stamp was taken would look unchanged
                    loose = self._loose(listing, copy)
        except (OSError, EnvironmentProblem):
            return
        if copy is None or loose is None:
            return
        # git compares whole seconds. No file is so young that it could change again in the same
        # one: then the comparison just made would have had to read it.
        count = len(listing.files)
        vain = len(loose.all) > _most_loose(count)
        folders = {folder: _settled(stamp, began_ns) for folder, stamp in listing.folders.items()}
        last = catalog.last()
        seal = Seal(index, copy, count, last, folders, None if vain else loose.all)
        with contextlib.suppress(UnicodeEncodeError):
            catalog.note(SEAL, seal.text(), version)

    def _loose(self, listing: Listing, copy: IndexStamp | None) -> _Loose | None:
        """Give the files that git can't speak for by a copy of its index; None if it can't tell.

        Raises:
            OSError: git can't be started.
            EnvironmentProblem: git can't tell.

        """
        if self._places is None or copy is None:
            return None
        edits = Edits(self._places, self._folder, self._copy)
        try:
            # The other git runs meanwhile.
            vouched = vouched_for(self._places, self._folder, self._copy)
        except EnvironmentProblem:
            edits.close()
            raise
        edited = edits.paths()
        if edited is None or edits.index != copy or stamp_at(self._copy) != copy:
            return None
        unknown = frozenset(listing.files.keys() - vouched)
        return _Loose(unknown, unknown | (listing.files.keys() & edited))


def _first_come() -> ModuleType:
    from gitmem.git import first_come

    return first_come


def _digest(listing: Listing) -> str:
    # Version 2 writes the same bytes for the same values. The hash is the one by which Python
    # knows changed sources (PEP 552): SipHash, 64 bits. hashlib takes 3 ms to import, and five
    # times as long for 100,000 files.
    return source_hash(marshal.dumps([*listing.files.items()], 2)).hex()


def _most_loose(files: int) -> int:
    """Say how many files may be stamped one by one before stamping all is the better way."""
    return max(_LOOSE_LEAST, files // _LOOSE_SHARE)


def _settled(stamp: FolderStamp, began_ns: int) -> FolderStamp:
    """Give a stamp that may be relied on: a young one can be kept by the next change."""
    return NEVER if max(stamp[:2]) + RACY_NS > began_ns else stamp
