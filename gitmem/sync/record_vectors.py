"""Vectors of a memory's records: stored beside the index, in step with the catalog.

The catalog notes which files have a vector, of which content and by which embedder; a row is
written before it is noted. Where vectors can't be had, questions are answered without them:
they only put in order what words have found.
"""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.catalog.catalog import Catalog
from gitmem.catalog.vector_rows import AT_ONCE, BESIDE
from gitmem.errors import GitmemError
from gitmem.index.protocol import Near
from gitmem.query import Query
from gitmem.semantic.choice import ENDPOINT, OFF, Choice
from gitmem.semantic.protocol import ERROR, PROSE, EmbeddedText, Embedder, VectorRow, VectorsDamaged

if TYPE_CHECKING:
    from gitmem.semantic.protocol import Vector
    from gitmem.semantic.vectors import Vectors

FILES: Final = {AT_ONCE: "vectors", BESIDE: "sentence-vectors"}
FILE: Final = FILES[AT_ONCE]
VOCABULARY: Final = "pieces"
BATCH: Final = 250
FEWEST_WORDS: Final = 4
"""Fewer words are looked up, not asked: what is near in meaning to one word is anybody's guess."""
FEWEST_IN_SENTENCE: Final = 2
"""The same for an embedder that reads sentences."""
FEWEST_HITS: Final = 20
"""Of fewer hits none can lie far from the others, and whoever asks sees most of them anyway."""
LEAST_COSINE: Final = 0.2
"""None that is farther is brought: 5 % of right answers to questions in people's own words are."""
_CHECKED: Final = 64
"""Of the nearest records so many at a time are looked up in the catalog."""


class TextToEmbed(NamedTuple):
    """The text of a file, with the file's number and the digest of its content."""

    number: int
    digest: bytes
    text: EmbeddedText


class RecordVectors:
    """The vectors of one memory.

    Args:
        choice: which embedder.
        directory: where derived state lies; None: there are no vectors.
        notices: told once what is in the way.
        of: which set of vectors it is (``catalog.vector_rows``).

    Attributes:
        clean: takes secrets out of a question before it is sent to a server.
        passed_over: the next question does without.

    """

    def __init__(
        self, choice: Choice, directory: str | None, notices: list[str], of: str = AT_ONCE
    ) -> None:
        self.of = of
        self.choice = choice if directory else Choice(OFF)
        self.clean: Callable[[str], str] = str
        self.passed_over = False
        self._directory = directory or ""
        self._notices = notices
        self._embedder: Embedder | None = None
        self._vectors: Vectors | None = None

    def close(self) -> None:
        """Close files."""
        if self._vectors:
            self._vectors.close()
        if self._embedder:
            self._embedder.close()
        self._vectors = self._embedder = None

    @property
    def path(self) -> str:
        """Where the vectors are."""
        return os.path.join(self._directory, FILES[self.of])

    @property
    def vocabulary(self) -> str:
        """Where the word table's vocabulary is kept."""
        return os.path.join(self._directory, VOCABULARY)

    @property
    def remote(self) -> bool:
        """Whether embedding asks a server, which may be slow and must not happen under a lock."""
        return self.choice.embedder == ENDPOINT

    def embedder(self) -> Embedder | None:
        """Give the embedder; None if there is none, with a notice if the settings ask for one."""
        if self._embedder is None and self.choice.embedder != OFF:
            try:
                beside = self.of == BESIDE
                self._embedder = (
                    self.choice.make_sentences() if beside else self.choice.make(self.vocabulary)
                )
            except GitmemError as error:
                self._give_up(error)
            if self._embedder is None:
                self.choice = Choice(OFF)
        return self._embedder

    def _give_up(self, error: GitmemError) -> None:
        self.close()
        self.choice = Choice(OFF)
        hint = f" ({error.hint})" if error.hint else ""
        self._notices.append(f"{error.message}{hint}: searched by words only")

    # Keeping in step

    def in_step(self, catalog: Catalog) -> bool:
        """Tell whether there is nothing to do."""
        embedder = self.embedder()
        if embedder is None:
            return True
        return catalog.vectors_in_step(embedder.name, self.of) and self._whole(catalog, embedder)

    def _whole(self, catalog: Catalog, embedder: Embedder) -> bool:
        """Tell whether the file is there, the embedder's own, and as long as it has to be."""
        try:
            return len(self._open(embedder)) > catalog.last_with_vector(self.of)
        except VectorsDamaged:
            return False

    def prepare(self, catalog: Catalog) -> bool:
        """Make sure that what is stored is the embedder's own; False: there is no embedder.

        Callers exclude other writers.
        """
        embedder = self.embedder()
        if embedder is None:
            return False
        if catalog.vectors_by(self.of) != embedder.name or not self._whole(catalog, embedder):
            self.start_anew(catalog, embedder)
        return True

    def start_anew(self, catalog: Catalog, embedder: Embedder) -> None:
        """Remove all vectors. Callers exclude other writers."""
        from gitmem.semantic.vectors import wipe

        if self._vectors:
            self._vectors.close()
            self._vectors = None
        wipe(self.path)
        with catalog.writing():
            catalog.clear_vectors(embedder.name, self.of)

    def mend(self, catalog: Catalog) -> None:
        """Forget the vectors that are not as they were written. Callers exclude other writers."""
        embedder = self.embedder()
        if embedder is None:
            return
        try:
            bad = self.damaged(catalog.all_with_vectors(self.of))
        except VectorsDamaged:
            self.start_anew(catalog, embedder)
            return
        if bad:
            with catalog.writing():
                catalog.unset_vectors(bad, self.of)

    def damaged(self, digests: Mapping[int, bytes]) -> list[int]:
        """Give those files whose vectors are not those written of them.

        Args:
            digests: of what the files held, by number.

        Raises:
            VectorsDamaged: the file is not one of this embedder's vectors.

        """
        embedder = self.embedder()
        vectors = self._open(embedder) if embedder else None
        return [n for n, digest in digests.items() if vectors and not vectors.intact(n, digest)]

    def unlike(self, texts: Sequence[TextToEmbed]) -> list[int]:
        """Give the numbers of those texts whose vector is another one than is written.

        Raises:
            VectorsDamaged: the file is not one of this embedder's vectors.
            EnvironmentProblem: the embedder can't be asked.

        """
        from gitmem.semantic.vectors import row_of

        embedder = self.embedder()
        if embedder is None or not texts:
            return []
        vectors = self._open(embedder)
        pairs = zip(texts, embedder.embed([text for _, _, text in texts]), strict=True)
        return [
            number
            for (number, digest, text), embedding in pairs
            if vectors.row(number) != row_of(digest, text.manner, embedding)
        ]

    def _open(self, embedder: Embedder) -> "Vectors":
        if self._vectors is None:
            from gitmem.semantic.vectors import Vectors

            self._vectors = Vectors(self.path, embedder.name)
        self._vectors.refresh()
        return self._vectors

    def put(self, texts: Sequence[TextToEmbed]) -> list[int]:
        """Embed texts and write their vectors; give the numbers that have one now.

        Callers exclude other writers, and note in the catalog what was written.
        """
        embeddings = self.embedded([text for _, _, text in texts])
        return self.write(
            [
                VectorRow(number, digest, text.manner, embedding)
                for (number, digest, text), embedding in zip(texts, embeddings, strict=False)
            ]
        )

    def embedded(self, texts: "Sequence[EmbeddedText]") -> "list[Vector]":
        """Give the vectors of texts; none where there is no embedder, or it failed."""
        embedder = self.embedder()
        if embedder is None or not texts:
            return []
        try:
            return embedder.embed(texts)
        except GitmemError as error:
            self._give_up(error)
            return []

    def write(self, rows: Sequence[VectorRow]) -> list[int]:
        """Write vectors; give their numbers. Callers exclude other writers."""
        embedder = self.embedder()
        if embedder is None or not rows:
            return []
        self._open(embedder).write(rows)
        return [row.number for row in rows]

    # Questions

    def near(
        self, having: Callable[[Collection[int]], Mapping[int, bytes]], query: Query, hits: int
    ) -> Near | None:
        """Give what tells the cosine of a question with files; None: there is no such thing.

        What it gives raises VectorsDamaged where vectors are not as they were written.

        Args:
            having: gives those of some files that have a vector, as the catalog says, and the
                digests of what it was made of.
            query: the question.
            hits: how many files its words have found.

        """
        fewest = FEWEST_IN_SENTENCE if self.of == BESIDE else FEWEST_WORDS
        if not query.pasted and len(set(query.words.split())) < fewest:
            return None
        embedder = None if self.passed_over else self.embedder()
        self.passed_over = False
        if embedder is None or (hits < FEWEST_HITS and not embedder.contextual):
            return None
        if embedder.contextual and not len(self._open(embedder)):
            return None
        own = ERROR if query.pasted else PROSE
        text = self.clean(query.words) if self.remote else query.words

        @cache
        def factors_of(manner: str) -> Sequence[float]:
            try:
                return embedder.question(EmbeddedText(manner, text))
            except GitmemError as error:
                self._give_up(error)
                return ()

        def asked(manner: str) -> Sequence[float]:
            # A server and a sentence model embed both manners alike: they are asked once.
            return factors_of(own if self.remote or embedder.contextual else manner)

        if not asked(own):
            return None

        def nearness(files: Collection[int]) -> dict[int, float]:
            digests = having(files)
            return self._open(embedder).nearness(asked, digests) if digests else {}

        def nearest() -> Iterator[int]:
            numbers = self._open(embedder).nearest(asked(own), LEAST_COSINE)
            for at in range(0, len(numbers), _CHECKED):
                some = numbers[at : at + _CHECKED]
                embedded_files = having(some)
                yield from (number for number in some if number in embedded_files)

        return Near(nearness, nearest if embedder.contextual else None)


class EmbeddingBatches:
    """Texts that are embedded a batch at a time while files are read."""

    def __init__(self, meaning: RecordVectors | None) -> None:
        self._meaning = meaning
        self._waiting: list[TextToEmbed] = []
        self.written: list[int] = []

    @property
    def wanted(self) -> bool:
        """Whether there is an embedder, so that texts are to be read."""
        return self._meaning is not None

    def add(self, file: int, digest: bytes, text: EmbeddedText | None) -> None:
        """Take the text of a file whose content has this digest."""
        if self._meaning is not None and text is not None:
            self._waiting.append(TextToEmbed(file, digest, text))
            if len(self._waiting) >= BATCH:
                self._embed()

    def write(self, rows: Iterable[VectorRow]) -> None:
        """Take vectors that another process made."""
        if self._meaning is not None:
            self.written += self._meaning.write(list(rows))

    def _embed(self) -> None:
        if self._meaning is not None:
            self.written += self._meaning.put(self._waiting)
        self._waiting.clear()

    def note(self, catalog: Catalog, taken: Sequence[int]) -> None:
        """Embed what is left, and note in the catalog which of the files taken have vectors."""
        self._embed()
        if self.written:
            catalog.set_vectors(self.written, AT_ONCE)
        if len(set(self.written)) < len(set(taken)):
            catalog.vectors_fall_behind(AT_ONCE)
        if taken:
            catalog.vectors_fall_behind(BESIDE)
