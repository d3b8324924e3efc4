"""What can be asked of other revisions of a memory than the one that is checked out."""

from functools import cached_property
from typing import TYPE_CHECKING

from gitmem.memory.reading.layered import LayeredReader
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
    )
    from gitmem.catalog.rows import Row
    from gitmem.git.bisect import BisectResult
    from gitmem.memory.reading.layers import Layers
    from gitmem.records.problems import Problem
    from gitmem.sync.past import Past

    # The class has a method named list, so types of lists are named out here.
    Places = list[Placed]
    Problems = list[Problem]


class Versioned(View):
    """A memory with a history in git."""

    @cached_property
    def reader(self) -> LayeredReader:
        """What answers questions about records, those of archives and packs too."""
        from gitmem.memory.anchors.withholding import marked  # noqa: PLC0415  start-up
        from gitmem.memory.failures.verdicts import judged, judged_hits  # noqa: PLC0415  start-up

        workspace = self.workspace
        return LayeredReader(
            workspace, lambda result: judged_hits(workspace, marked(workspace, result)), judged
        )

    def check(self, *, secrets: bool = True) -> "Problems":
        """List what is wrong with the files, as ``View.check`` does; with those of archives."""
        found = super().check(secrets=secrets)
        if self.layers.archived is None:
            return found
        return sorted([*self.layers.judged(found), *self.layers.problems()])

    @property
    def layers(self) -> "Layers":
        """What is read beside the memory's own files: its archives, and packs of knowledge."""
        return self.reader.layers

    def catch_up(self, *, indexed: bool = True) -> None:
        """Bring derived state in step, as ``View.catch_up`` does; that of the layers, too."""
        self.reader.catch_up(indexed=indexed)

    def at(self, revision: str, *, or_empty: bool = False) -> View:
        """Give the memory as it was at a revision, straight from git's objects; close it, too.

        Args:
            revision: a commit, branch, tag or anything else that git takes for one.
            or_empty: where there was no memory yet, or no commit (an empty name), give an empty
                memory.

        Raises:
            NotFoundError: there is no such revision, or there was no memory yet.

        """
        from gitmem.memory.reading.revisions import at  # noqa: PLC0415  start-up

        return self._over(at(self.workspace, revision, or_empty=or_empty))

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

        return None if self.site.git_dirs is None else regression(self, errors, fixes, now=True)

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

        return stale(self.workspace)

    def anchors(self, reference: str | None = None) -> "Places":
        """Tell where the places are now that records name, and of which that can't be told.

        Args:
            reference: an id or a unique prefix of one; None: all records.

        """
        from gitmem.memory.anchors.holding import anchors  # noqa: PLC0415  start-up

        return anchors(self.workspace, None if reference is None else self.find(reference))

    def on_all_branches(self) -> tuple[View, "Branches"]:
        """Give what all branches hold together, as a memory to be read and closed.

        With it come the names of the branches that have each file of the memory.
        """
        from gitmem.memory.reading.revisions import on_all_branches  # noqa: PLC0415  start-up

        past, branches = on_all_branches(self.workspace)
        return self._over(past), branches

    def _over(self, past: "Past") -> View:
        return View(self.workspace.reading(past))
