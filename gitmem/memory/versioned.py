"""What can be asked of other revisions of a memory than the one that is checked out."""

from typing import TYPE_CHECKING

from gitmem.memory.view import View

if TYPE_CHECKING:
    from gitmem.answers import Branches
    from gitmem.memory.comparing import Differences
    from gitmem.memory.reviewing import Review
    from gitmem.sync.past import Past


class Versioned(View):
    """A memory with a history in git."""

    def at(self, revision: str) -> View:
        """Give the memory as it was at a revision, straight from git's objects; close it, too.

        Args:
            revision: a commit, branch, tag or anything else that git takes for one.

        Raises:
            NotFoundError: there is no such revision, or there was no memory yet.

        """
        from gitmem.memory.revision import at  # noqa: PLC0415  start-up

        return self._seen(at(self, revision))

    def at_or_empty(self, revision: str) -> View:
        """Give ``at`` a revision, or an empty memory where there was none yet."""
        from gitmem.memory.revision import at  # noqa: PLC0415  start-up

        return self._seen(at(self, revision, or_empty=True))

    def diff(self, before: str, after: str | None = None) -> "Differences":
        """Tell what was learnt between two revisions.

        Args:
            before: the former one.
            after: the later one; None: the files as they are now.

        """
        from gitmem.memory.comparing import differences  # noqa: PLC0415  start-up

        with self.at_or_empty(before) as former:
            if after is None:
                return differences(former, self)
            with self.at_or_empty(after) as latter:
                return differences(former, latter)

    def review(self, span: str = "") -> "Review":
        """Tell what a range of commits teaches, and what is known about the files it changes.

        Args:
            span: ``A..B``, ``A...B`` or ``A``; empty: since this branch left the main one.

        """
        from gitmem.memory.reviewing import review  # noqa: PLC0415  start-up

        return review(self, span)

    def on_all_branches(self) -> tuple[View, "Branches"]:
        """Give what all branches hold together, as a memory to be read and closed.

        With it come the names of the branches that have each file of the memory.
        """
        from gitmem.memory.revision import on_all_branches  # noqa: PLC0415  start-up

        past, branches = on_all_branches(self)
        return self._seen(past), branches

    def _seen(self, past: "Past") -> View:
        view = View(self.site, self.environ, self.start)
        view.store, view.derived = past.store, past
        view.progress = self.progress
        return view
