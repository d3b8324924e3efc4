"""What can be asked of other revisions of a memory than the one that is checked out."""

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from gitmem.errors import NotFoundError
from gitmem.memory.view import View

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gitmem.answers import (
        Branches,
        Differences,
        FileHistory,
        Placed,
        RecordOrigin,
        Regression,
        Review,
        Shown,
    )
    from gitmem.answers import SearchResult as Hits
    from gitmem.catalog.rows import Row
    from gitmem.git.bisect import BisectResult
    from gitmem.memory.layers import Layers
    from gitmem.records.problems import Problem
    from gitmem.sync.past import Past

    # The class has a method named list, so types of lists are named out here.
    Places = list[Placed]
    Problems = list[Problem]


class Versioned(View):
    """A memory with a history in git."""

    def search(self, text: str, limit: int | None = None) -> "Hits":
        """Find records as ``View.search`` does; those that are stale say so.

        Where that is little, archives and packs are asked, too; see ``layers``.

        Args:
            text: a question in the query language, or any pasted error text.
            limit: how many hits at most; None: the setting ``search.limit``.

        """
        from gitmem.memory.anchors.withholding import marked  # noqa: PLC0415  start-up

        ask = super().search
        found = self.derived.mended(lambda: marked(self, ask(text, limit)))
        most = self.site.config.search_limit if limit is None else limit
        return found if len(found.hits) >= most else self.layers.search(text, found, most)

    def find(self, reference: str, kind: str | None = None) -> "Row":
        """Find one of the memory's own records; where only a layer has it, say what to do."""
        try:
            return super().find(reference, kind)
        except NotFoundError:
            self.layers.refuse(reference)
            raise

    def show(self, reference: str) -> "Shown":
        """Give one record with the records around it, also one of an archive or a pack."""
        try:
            return super().show(reference)
        except NotFoundError:
            with suppress(NotFoundError):
                return self.layers.show(reference)
            raise

    def check(self, *, secrets: bool = True) -> "Problems":
        """List what is wrong with the files, as ``View.check`` does; with those of archives."""
        found = super().check(secrets=secrets)
        if self.layers.archived is None:
            return found
        return sorted([*self.layers.judged(found), *self.layers.problems()])

    @cached_property
    def layers(self) -> "Layers":
        """What is read beside the memory's own files: its archives, and packs of knowledge."""
        from gitmem.memory.layers import Layers  # noqa: PLC0415  start-up

        return Layers(self)

    def catch_up(self, *, indexed: bool = True) -> None:
        """Bring derived state in step, as ``View.catch_up`` does; that of the layers, too."""
        if indexed:
            # First: who shows answers looks for others when the memory's own state changes.
            self.layers.catch_up()
        super().catch_up(indexed=indexed)

    def close(self) -> None:
        """Close files."""
        if layers := self.__dict__.pop("layers", None):
            layers.close()
        super().close()

    def at(self, revision: str, *, or_empty: bool = False) -> View:
        """Give the memory as it was at a revision, straight from git's objects; close it, too.

        Args:
            revision: a commit, branch, tag or anything else that git takes for one.
            or_empty: where there was no memory yet, or no commit (an empty name), give an empty
                memory.

        Raises:
            NotFoundError: there is no such revision, or there was no memory yet.

        """
        from gitmem.memory.history.revision import at  # noqa: PLC0415  start-up

        return self._seen(at(self, revision, or_empty=or_empty))

    def diff(self, before: str, after: str | None = None) -> "Differences":
        """Tell what was learnt between two revisions.

        Args:
            before: the former one.
            after: the later one; None: the files as they are now.

        """
        from gitmem.memory.history.comparing import differences  # noqa: PLC0415  start-up

        with self.at(before, or_empty=True) as former:
            if after is None:
                return differences(former, self)
            with self.at(after, or_empty=True) as latter:
                return differences(former, latter)

    def review(self, span: str = "", *, worktree: bool = False) -> "Review":
        """Tell what a range of commits teaches, and what is known about the files it changes.

        Args:
            span: ``A..B``, ``A...B``, ``A`` or ``A^!``; empty: since this branch left the main
                one.
            worktree: up to the files as they are now, committed or not.

        """
        from gitmem.memory.history.reviewing import review  # noqa: PLC0415  start-up

        return review(self, span, worktree=worktree)

    def provenance(self, reference: str, revision: str | None = None) -> "RecordOrigin":
        """Tell which commit added a record, and what git says of it; see ``memory.provenance``.

        Args:
            reference: an id or a unique prefix of one.
            revision: the record as it was there; None: as it is.

        """
        from gitmem.memory.history.provenance import provenance  # noqa: PLC0415  start-up

        if revision is None:
            return provenance(self, self.find(reference))
        with self.at(revision) as view:
            return provenance(view, view.find(reference), revision)

    def blame(self, place: str) -> "FileHistory":
        """Tell which records touched a file or a line of it, and why that is known.

        Args:
            place: ``PATH`` or ``PATH:LINE``, as typed in the folder ``start``.

        """
        from gitmem.memory.history.blaming import history, place_typed  # noqa: PLC0415  start-up

        return history(self, *place_typed(self, place))

    def regression(self, reference: str) -> "Regression":
        """Tell what became of the fix of an error that came back; see ``memory.bisecting``.

        Raises:
            NotFoundError: no fix of it worked, or it did not come back.

        """
        from gitmem.memory.history.bisecting import regression_of  # noqa: PLC0415  start-up

        return regression_of(self, reference)

    def came_back(self, errors: "Iterable[Row]", fixes: "Iterable[Row]") -> "Regression | None":
        """Tell what became of the fix of an error that shows now; None if none had worked."""
        from gitmem.memory.history.bisecting import regression  # noqa: PLC0415  start-up

        return None if self.site.places is None else regression(self, errors, fixes, now=True)

    def bisect(self, found: "Regression", tell: "Callable[[str], None]") -> "BisectResult":
        """Run the recorded command over the range of a regression, as ``git bisect run`` does.

        It is only for who asked for just that. The work tree is as it was at the end.

        Args:
            found: as ``regression`` gives it.
            tell: is told each line of output.

        Raises:
            ConflictError: the work tree is not clean, or git is in the middle of something.

        """
        from gitmem.memory.history.bisecting import bisect  # noqa: PLC0415  start-up

        return bisect(self, found, tell)

    def stale(self) -> "Places":
        """List the places named by records that hold no more, with the reasons; see ``anchors``."""
        from gitmem.memory.anchors.holding import stale  # noqa: PLC0415  start-up

        return stale(self)

    def anchors(self, reference: str | None = None) -> "Places":
        """Tell where the places are now that records name, and of which that can't be told.

        Args:
            reference: an id or a unique prefix of one; None: all records.

        """
        from gitmem.memory.anchors.holding import anchors  # noqa: PLC0415  start-up

        return anchors(self, None if reference is None else self.find(reference))

    def on_all_branches(self) -> tuple[View, "Branches"]:
        """Give what all branches hold together, as a memory to be read and closed.

        With it come the names of the branches that have each file of the memory.
        """
        from gitmem.memory.history.revision import on_all_branches  # noqa: PLC0415  start-up

        past, branches = on_all_branches(self)
        return self._seen(past), branches

    def _seen(self, past: "Past") -> View:
        view = View(self.site, self.environ, self.start)
        view.store, view.derived = past.store, past
        view.progress = self.progress
        return view
