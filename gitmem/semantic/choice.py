"""The embedder that the settings ask for."""

import os
from typing import Final, NamedTuple

from gitmem.errors import EnvironmentProblem, install
from gitmem.semantic.protocol import Embedder

AUTO: Final = "auto"
OFF: Final = "off"
WORDS: Final = "words"
ENDPOINT: Final = "endpoint"
SENTENCES: Final = "sentences"


class Choice(NamedTuple):
    """The settings, and where a sentence model is if one is installed.

    Attributes:
        embedder: ``auto`` is the word table where its package is installed, and the sentence
            model if one is installed.
        url: of the endpoint.
        model: its model's name.
        key: sent to the endpoint and nowhere else.
        sentences: path that a sentence model's file has where one is installed; empty: nowhere.

    """

    embedder: str = OFF
    url: str = ""
    model: str = ""
    key: str = ""
    sentences: str = ""

    def make_sentences(self) -> Embedder | None:
        """Make the embedder that reads sentences; None where there is none.

        Raises:
            EnvironmentProblem: it was asked for by name and can't be had, or is damaged.

        """
        if self.embedder in {AUTO, SENTENCES} and os.path.isfile(self.sentences):
            from gitmem.semantic.sentences import SentenceModel

            return SentenceModel(self.sentences)
        if self.embedder == SENTENCES:
            raise EnvironmentProblem(
                "semantic.embedder is sentences, but no sentence model is installed",
                "install one: gitmem index semantic install",
            )
        return None

    def make(self, vocabulary: str) -> Embedder | None:
        """Make the embedder whose vectors are made while files are read; None: there is none.

        Args:
            vocabulary: a path for the word table's own file, whose folder need not exist.

        Raises:
            EnvironmentProblem: it was asked for by name and can't be had.
            UsageError: the endpoint's settings are no good.

        """
        if self.embedder == ENDPOINT:
            from gitmem.semantic.endpoint import RemoteEmbedder

            return RemoteEmbedder(self.url, self.model, self.key)
        if self.embedder in {OFF, SENTENCES}:
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
