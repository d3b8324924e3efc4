"""Typed words and their synonyms: ``k8s`` is ``kubernetes``, ``oom`` is *out of memory*.

``synonyms.txt`` says in each line what is the same thing in the world of software: an
abbreviation, another spelling, another name of it. A team adds its own lines as the setting
``search.synonyms``. Kinds and kin (*nosql* and *mongodb*) are not among them: measured, what they
bring in is as often wrong as right (docs/recall.md).

Only lines that may matter are taken apart: every search reads the table.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final

from gitmem.index.analysis import query_terms, terms
from gitmem.index.fillers import telling

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.answers.found import SearchHit
    from gitmem.catalog.rows import Row
    from gitmem.query import Query

SAME: Final = "="
_TABLE: Final = os.path.join(os.path.dirname(__file__), "synonyms.txt")
_MOST_WORDS: Final = 40
"""Of a longer question its own words say enough."""
_FEWEST_LETTERS: Final = 2
_FEW: Final = 3
"""One word in so many is few."""
_LONG: Final = 9
"""Words of a question beyond these ask for no more."""


def related(words: str, own: Sequence[str] = ()) -> tuple[str, ...]:
    """Give other words for some of those that were typed.

    Args:
        words: as they were typed.
        own: the team's lines, in the form of the table.

    """
    roots = _roots(words)
    if not roots or len(roots) > _MOST_WORDS:
        return ()
    synonyms: dict[str, None] = {}
    for line in dict.fromkeys(_lines(roots, own)):
        names = [name.strip() for name in line.split(SAME)]
        others = [name for name in names if not _within(_roots(name), roots)]
        if len(others) < len(names):
            synonyms |= dict.fromkeys(others)
    return tuple(synonyms)


def named_whole(
    hits: "Iterable[SearchHit]", query: "Query", text_of: "Callable[[Row], str]"
) -> "list[SearchHit]":
    """Leave out hits that have no typed word, and of another name only scattered words.

    Who asks for ``timeout`` means *timed out*, not each text with *time* and *out* in it.

    Args:
        hits: with the words that found each as ``parts``.
        query: the question, with other names of its words.
        text_of: gives the text of a record's file.

    """
    names = [roots for name in query.related if len(roots := _roots(name)) > 1]
    loose = {root for roots in names for root in roots} - set(_roots(query.words))
    if not loose:
        return list(hits)

    def is_named(hit: "SearchHit") -> bool:
        if hit.label or any(term not in loose for term, _ in hit.parts):
            return True
        text = _roots_in_order(text_of(hit.row))
        return any(_within(roots, text) for roots in names)

    return [hit for hit in hits if is_named(hit)]


def few_words(hits: "Sequence[SearchHit]", query: "Query") -> bool:
    """Tell whether each hit has at most a third of the words that were typed.

    Who asks about something that nobody recorded still shares a word with some record. A phrase
    or a word to be respelt was found as it was meant, and what lies near in meaning needs no word.

    Args:
        hits: with the words that found each as ``parts``.
        query: the question, with other names of its words.

    """
    if query.phrases or query.fuzzy or any(hit.label for hit in hits):
        return False
    words = telling(query_terms(query.words), also=False)
    others = [_roots(name) for name in query.related]

    def scored(hit: "SearchHit") -> set[str]:
        return {term for term, _ in hit.parts}

    def shares_much(found_by: set[str]) -> bool:
        own = sum(not found_by.isdisjoint(word.leaves) for word in words)
        # Another name of several words stands for several that were typed.
        own += sum(len(leaves) for leaves in others if found_by.issuperset(leaves))
        return own * _FEW > min(len(words), _LONG)

    def around(hit: "SearchHit") -> set[str]:
        # Of an error and its fixes the score only tells the words of one.
        rows = (hit.row, *hit.attempts, *hit.errors)
        return terms(" ".join(f"{row.title} {row.gist}" for row in rows)).keys() | scored(hit)

    # Mostly a score tells; to take the texts of all hits apart was a fifth of a search.
    words_of_hits = chain(map(scored, hits), map(around, hits))
    return bool(hits) and not any(map(shares_much, words_of_hits))


def _roots_in_order(text: str) -> tuple[str, ...]:
    return tuple(leaf for word in text.split() for leaf in _roots(word))


def _lines(roots: Sequence[str], own: Sequence[str]) -> Iterator[str]:
    """Yield the lines that have one of the roots, or seem to."""
    with open(_TABLE, encoding="utf-8") as file:
        table = "\n".join([file.read(), *(" ".join(line.casefold().split()) for line in own), ""])
    for root in roots:
        # A root may end in another letter than its words: "polici" of "policy".
        sought = root[:-1] if len(root) > _FEWEST_LETTERS else root
        at = table.find(sought)
        while at >= 0:
            end = table.index("\n", at)
            line = table[table.rfind("\n", 0, at) + 1 : end]
            if not line.startswith("#"):
                yield line
            at = table.find(sought, end)


def _roots(text: str) -> tuple[str, ...]:
    return tuple(leaf for token in query_terms(text) for leaf in token.leaves)


def _within(name: Sequence[str], roots: Sequence[str]) -> bool:
    """Tell whether the words of a name are adjacent in the question."""
    length = len(name)
    starts = range(len(roots) - length + 1) if length else ()
    return any(tuple(roots[at : at + length]) == tuple(name) for at in starts)
