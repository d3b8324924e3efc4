"""The index on disk: ordinary Whoosh files, our own scoring over whole posting lists.

Whoosh's searcher is not used: it silently drops true hits of the top ten. Terms are scored
one at a time, rarest first, over their postings as they lie in the files, which is exact
and faster.

An index is data that is read into this process. It must lie under the git directory,
never in the work tree, where a clone could bring it; callers see to that. (Pickles in it
are read without calling anything, see ``blocks``; stock Whoosh is not so careful.)
"""

import os
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pickle import UnpicklingError
from typing import TYPE_CHECKING, Final

from gitmem.index import manifest, semantic_scores, spelling
from gitmem.index.hot_cache import HotCache
from gitmem.index.protocol import Allow, Hit, IndexDamaged, Nearness, TextOf
from gitmem.index.ranking import Ranking, ScoredDocument
from gitmem.index.scoring import CANDIDATES, parse_question, spellings
from gitmem.index.whoosh_files import (
    Segment,
    SegmentInfo,
    latest_generation,
    read_toc,
    toc_name,
)
from gitmem.query import Query

if TYPE_CHECKING:
    from gitmem.index.document import Document, Impacts
    from gitmem.index.index_update import Update

_ATTEMPTS: Final = 5
_SPARE: Final = 4
"""Times the hits that are wanted: so many documents are scored at first where some may be out."""
_MORE: Final = 16
"""Times as many are scored if too few of them were in."""
# What reading nonsense may end in; bugs of ours would be others (NameError, AssertionError).
_NONSENSE: Final = (
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    OSError,
    RecursionError,
    TypeError,
    UnpicklingError,
    ValueError,
    struct.error,
)


@contextmanager
def _reading(*, writing: bool = False) -> Iterator[None]:
    """Turn what reading damaged files ends in into IndexDamaged; a full disk is none."""
    try:
        yield
    except IndexDamaged:
        raise
    except _NONSENSE as error:
        if writing and isinstance(error, OSError):
            raise
        raise IndexDamaged(f"{type(error).__name__}: {error}") from error


def wipe(directory: str) -> None:
    """Remove an index's files, and nothing else, from its folder."""
    from gitmem.index.index_update import is_ours

    if os.path.isdir(directory):
        for name in os.listdir(directory):
            if is_ours(name):
                os.unlink(os.path.join(directory, name))


class WhooshIndex:
    """See ``protocol.Index``. Reads the generation that was the last one when it was opened.

    Args:
        directory: the index's own folder; it need not exist.
        nearness: where there are vectors, how near a question is to records.

    Raises:
        IndexDamaged: there are files, but they are no index that this version can read.

    """

    def __init__(self, directory: str, nearness: Nearness | None = None) -> None:
        self._directory = directory
        self._nearness = nearness
        self._segments: list[Segment] = []
        self._generation = ""
        self._number = -1
        self._files: dict[str, manifest.ManifestEntry] = {}
        self._hot = HotCache()
        self._open()

    def generation(self) -> str:
        """See ``protocol.Index``."""
        return self._generation

    def _open(self) -> None:
        """Open the last generation; try again when a writer replaces it meanwhile."""
        for _ in range(_ATTEMPTS):
            number = latest_generation(self._directory)
            try:
                with _reading():
                    self._load(number)
            except IndexDamaged:
                self.close()
                if latest_generation(self._directory) == number:
                    raise
            else:
                return
        raise IndexDamaged("it keeps changing")

    def refresh(self) -> None:
        """Read the last generation, if it is another one than is open.

        Raises:
            IndexDamaged: as opening it does.

        """
        number = latest_generation(self._directory)
        if number == self._number:
            with _reading():
                if number < 0 or self._named(number, manifest.read(self._directory, number)[0]):
                    return
        self._open()

    def _named(self, number: int, toc: manifest.ManifestEntry) -> bool:
        """Tell whether the open generation is the one with this table of contents."""
        return self._generation == f"{number}-{toc.crc:08x}"

    def _load(self, number: int) -> None:
        if number < 0:
            self.close()
            return
        toc, files = manifest.read(self._directory, number)
        with open(os.path.join(self._directory, toc_name(number)), "rb") as stream:
            data = stream.read()
        if zlib.crc32(data) != toc.crc:
            raise IndexDamaged("its table of contents is damaged")
        manifest.check(self._directory, files)
        # What is open stays open: a segment's name is never used twice.
        had = {segment.info.id: segment for segment in self._segments}
        segments: list[Segment] = []
        with ExitStack() as opened:
            for info in read_toc(data):
                if info.id in had:
                    segments.append(had.pop(info.id).seen_as(info))
                    continue
                segment = Segment(self._directory, info)
                opened.callback(segment.close)
                segments.append(segment)
            opened.pop_all()
        for left in had.values():
            left.close()
        self._segments = segments
        self._hot = HotCache()
        self._number = number
        self._files = files
        self._generation = f"{number}-{toc.crc:08x}"

    def close(self) -> None:
        """See ``protocol.Index``."""
        for segment in self._segments:
            segment.close()
        self._segments = []
        self._hot = HotCache()
        self._generation = ""
        self._number = -1
        self._files = {}

    def keys(self) -> set[int]:
        """See ``protocol.Index``."""
        keys: set[int] = set()
        for segment in self._segments:
            deleted = segment.info.deleted
            keys.update(key for at, key in enumerate(segment.keys) if at not in deleted)
        return keys

    def update(
        self,
        upserts: Iterable[tuple[int, "Document | Impacts"]],
        deletes: Iterable[int],
        progress: Callable[[int], None] | None = None,
    ) -> str:
        """See ``protocol.Index``."""
        from gitmem.index.index_update import Update

        with Update(self._directory, self._segments, self._number, self._files) as update:
            for taken, (key, document) in enumerate(upserts):
                update.put(key, document)
                if progress:
                    progress(taken + 1)
            return self._committed(update, deletes)

    def adopt(self, directory: str, segments: Iterable[SegmentInfo], deletes: Iterable[int]) -> str:
        """Take in what a ``SegmentBuilder`` wrote in another folder; otherwise as ``update``."""
        from gitmem.index.index_update import Update

        with Update(self._directory, self._segments, self._number, self._files) as update:
            update.adopt(directory, segments)
            return self._committed(update, deletes)

    def _committed(self, update: "Update", deletes: Iterable[int]) -> str:
        with _reading(writing=True):
            changed = update.commit(deletes)
        if changed:
            self._open()
        return self._generation

    def search(
        self, query: Query, limit: int, *, allow: Allow = None, text_of: TextOf
    ) -> list[Hit]:
        """See ``protocol.Index``."""
        question = parse_question(query)
        asks = question.demand
        meant = self._nearness if question.ranked else None
        wanted = max(limit, CANDIDATES if asks else semantic_scores.CANDIDATES if meant else 0)
        wanted = wanted if limit > 0 else 0
        most = wanted * _SPARE if question.excluded else wanted  # some of the best are dropped
        with _reading():
            ranking = Ranking(self._segments, self._hot, allow)
            loose: dict[str, float] = {}
            for word, steps in query.fuzzy:
                spelt = spelling.near(word, steps, self._near)
                for term, factor in spellings(spelt, ranking.count).items():
                    loose[term] = max(factor, loose.get(term, 0.0))
            ranking.ask(question, loose)
        while True:
            with _reading():
                ranking.score(most)
            passing = ranking.passing(wanted, text_of)
            if len(passing) == wanted or ranking.all_scored:
                break
            most *= _MORE
        near = meant(query, ranking.found) if meant and limit > 0 else None
        if asks:
            nearer = (
                semantic_scores.nearer(near.cosines([document.key for document in passing]))
                if near
                else None
            )
            from gitmem.index.reranking import reranked

            with _reading():
                return reranked(ranking.lookup, asks, passing, limit, nearer)
        if near is None:
            with _reading():
                return ranking.hits(passing[: max(limit, 0)])
        brought: list[ScoredDocument] = []
        if near.nearest and not question.phrases:
            brought = ranking.brought(near.nearest(), passing, text_of)
        with _reading():
            hits = ranking.hits([*passing, *brought])
        keys = {document.key for document in brought}
        return semantic_scores.with_meaning(hits, near, keys)[:limit]

    def suggest(self, query: Query) -> str | None:
        """See ``protocol.Index``."""
        with _reading():
            count = Ranking(self._segments, self._hot).count
            return spelling.respelt(query, count, self._near, self._starting)

    def _starting(self, start: str) -> set[str]:
        completions = (
            spelling.starting_among(start, segment.words()) for segment in self._segments
        )
        return {word for words in completions for word in words}

    def _near(self, word: str, most: int) -> dict[str, int]:
        distances: dict[str, int] = {}
        for segment in self._segments:
            distances |= spelling.among(word, most, segment.words())
        return distances
