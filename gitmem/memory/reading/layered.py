"""Questions about a memory's own records first, then about its archives and packs."""

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from gitmem.answers.found import SearchResult, Shown
from gitmem.catalog.rows import Row
from gitmem.errors import NotFoundError
from gitmem.memory.reading.reader import Reader

if TYPE_CHECKING:
    from gitmem.memory.reading.layers import Layers


class LayeredReader(Reader):
    """Answers from the memory's own records and, where that is little, from what lies beside.

    Args:
        workspace: of the memory.
        annotate: see ``Reader``; it is given the own hits alone.

    """

    @cached_property
    def layers(self) -> "Layers":
        """What is read beside the own files: archives, and packs of knowledge."""
        from gitmem.memory.reading.layers import Layers

        return Layers(self.workspace)

    def close(self) -> None:
        """Close files."""
        if layers := self.__dict__.pop("layers", None):
            layers.close()
        super().close()

    def search(
        self, text: str, limit: int | None = None, *, prompt: bool = False, weak: bool = True
    ) -> SearchResult:
        """Find records, best first; where the own ones are few, archives and packs are asked.

        Args:
            text: a question in the query language, or any pasted error text.
            limit: how many hits at most; None: the setting ``search.limit``.
            prompt: do not wait for git's look at all files; see ``Workspace.ask_promptly``.
            weak: false: who asks for a pasted text leaves out what is *weak*.

        """
        result = super().search(text, limit, prompt=prompt, weak=weak)
        most = self.workspace.site.config.search_limit if limit is None else limit
        return result if len(result.hits) >= most else self.layers.search(text, result, most)

    def find(self, reference: str, kind: str | None = None) -> Row:
        """Find one of the memory's own records; where only a layer has it, say what to do."""
        try:
            return super().find(reference, kind)
        except NotFoundError:
            self.layers.refuse(reference)
            raise

    def show(self, reference: str) -> Shown:
        """Give one record with the records around it, also one of an archive or a pack."""
        try:
            return super().show(reference)
        except NotFoundError:
            with suppress(NotFoundError):
                return self.layers.show(reference)
            raise

    def catch_up(self, *, indexed: bool = True) -> None:
        """Bring derived state in step with the files, as every question does first.

        Args:
            indexed: the text index and that of the layers, too, which takes longer.

        """
        if indexed:
            # First: who shows answers looks for others when the memory's own state changes.
            self.layers.catch_up()
            self.workspace.ask(lambda now: now.index)
        else:
            self.workspace.ask(lambda now: now.catalog)
