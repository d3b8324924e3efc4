"""The embedder that the settings ask for."""

from typing import Final, NamedTuple

from gitmem.errors import EnvironmentProblem, install
from gitmem.semantic.protocol import Embedder

AUTO: Final = "auto"
OFF: Final = "off"
WORDS: Final = "words"
ENDPOINT: Final = "endpoint"


class Choice(NamedTuple):
    """The settings, and a file of ours that the word table's vocabulary is kept in.

    Attributes:
        embedder: ``auto`` is the word table where its package is installed, else none.
        url: of the endpoint.
        model: its model's name.
        key: sent to the endpoint and nowhere else.

    """

    embedder: str = OFF
    url: str = ""
    model: str = ""
    key: str = ""

    def make(self, vocabulary: str) -> Embedder | None:
        """Make the embedder; None where there is none.

        Args:
            vocabulary: a path for the word table's own file, whose folder need not exist.

        Raises:
            EnvironmentProblem: it was asked for by name and can't be had.
            UsageError: the endpoint's settings are no good.

        """
        if self.embedder == ENDPOINT:
            from gitmem.semantic.endpoint import RemoteEmbedder

            return RemoteEmbedder(self.url, self.model, self.key)
        if self.embedder == OFF:
            return None
        from gitmem.semantic.words import WordTable, installed

        package = installed()
        if package:
            return WordTable(package, vocabulary)
        if self.embedder == WORDS:
            raise EnvironmentProblem(
                "semantic.embedder is words, but the word table is not installed",
                install("semantic"),
            )
        return None
