"""The scores of equal fingerprints, and the label of a hit."""

import errno
import os
import signal
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache
from math import log10
from typing import Final

from gitmem.answers.found import SearchHit
from gitmem.index.analysis import query_terms, terms
from gitmem.index.fillers import FILLERS, is_filler
from gitmem.index.weights import WEIGHTS
from gitmem.matching.labels import SAME_ERROR, SAME_TEST, SHOWN_AS, SIMILAR, WEAK
from gitmem.matching.naming import same_type

_WITHOUT_NUMBER: Final = """
command not found
is not recognized as an internal or external command, operable program or batch file
the system cannot find the file specified
the system cannot find the path specified
access is denied
core dumped
name or service not known
temporary failure in name resolution
"""
"""What shells, Windows and the resolver say, of which Python has no table."""


def stock_terms(text: str) -> set[str]:
    """Give the terms of the stock phrases in a text, wherever else in it they stand."""
    plain = " ".join(text.casefold().split())
    return {term for phrase in _phrases() if phrase in plain for term in terms(phrase)}


@cache
def _phrases() -> frozenset[str]:
    """Give the phrases in small letters: errors by text, name and number, then signals."""
    phrases = set(_WITHOUT_NUMBER.strip().splitlines())
    for number, name in errno.errorcode.items():
        phrases |= {os.strerror(number).casefold(), name.casefold(), f"errno {number}"}
    names = (signal.strsignal(number) for number in signal.valid_signals())
    return frozenset(phrases.union(name.casefold() for name in names if name))


_SHORT: Final = 100
"""Characters of a text so short that the title or gist of a similar record says much of it."""
_LEAST_SAID: Final = 0.3
_LEAST_TAKEN_UP: Final = 0.2
"""Of a title or gist, in a longer text: measured in memories of 1 to 100 records (``dev``), of 659
wrong pairs 159 are similar no more, of 175 right ones 3; with 0.3 it was 296 and 9."""
_TRACE: Final = "another trace"


def with_levels(
    hits: Sequence[SearchHit],
    alike: Iterable[tuple[str, SearchHit]],
    names: Collection[str] = (),
) -> list[SearchHit]:
    """Add the errors that share a fingerprint, or what that is worth to those found anyway.

    But for *the same error*, what many records share tells little between them. Of these, records
    that have all the names of the question's message are counted among themselves.

    Args:
        hits: what words have found.
        alike: errors that share a fingerprint, with what that is called.
        names: what the message of the question names.

    """
    worth = WEIGHTS["facts"]
    shared = [(label, hit, _names_all(hit, names)) for label, hit in alike]
    times = Counter((label, named) for label, _, named in shared)
    hits_by_id = {hit.row.id: hit for hit in hits if hit.score >= 0}
    against = {hit.row.id: hit for hit in hits if hit.score < 0}
    for label, shared_hit, named in shared:
        name = shared_hit.row.id
        hit = hits_by_id.get(name) or _without_trace(against.get(name, shared_hit))
        others = times[label, True] + (0 if named else times[label, False])
        rare = 1.0 if label in {SAME_ERROR, SAME_TEST} else min(1.0, worth["few"] / others)
        added = worth[label] * rare
        if named and label != SAME_ERROR:
            added += worth["same names"] * rare
        hits_by_id[shared_hit.row.id] = hit._replace(
            score=hit.score + added,
            parts=((label, added), *hit.parts),
            label=SHOWN_AS.get(label, label),
        )
    return [*hits_by_id.values(), *(hit for name, hit in against.items() if name not in hits_by_id)]


def _names_all(hit: SearchHit, names: Collection[str]) -> bool:
    """Tell whether what a record says in short has all of some names; not if there are none."""
    text = f"{hit.row.title} {hit.row.gist}"
    # Many records may share a message: most are out at the first look.
    if not names or any(name not in text for name in names):
        return False
    record_terms = terms(text)
    return all(term in record_terms for term in terms("\n".join(names)))


def _without_trace(hit: SearchHit) -> SearchHit:
    """Take back what another failing line took: where a fingerprint agrees, that is wrong."""
    parts = tuple(part for part in hit.parts if part[0] != _TRACE)
    score = hit.score - sum(value for name, value in hit.parts if name == _TRACE)
    return hit._replace(score=score, parts=parts) if score > 0 else hit._replace(score=0, parts=())


def labelled(
    hits: Sequence[SearchHit], records: int, question: str, kind: str = ""
) -> list[SearchHit]:
    """Say of hits without a fingerprint in common whether they are similar or weak.

    Args:
        hits: any order.
        records: how many the memory holds, about.
        question: the text that was pasted.
        kind: type or code of the failure in it; a record of another one is never similar.

    """
    least = least_similar(records)

    def label(hit: SearchHit) -> str:
        if hit.score < least or not _speaks_of(hit, question):
            return WEAK
        other = kind and hit.row.error_type and not same_type(kind, hit.row.error_type)
        return WEAK if other else SIMILAR

    return [hit if hit.label else hit._replace(label=label(hit)) for hit in hits]


def _speaks_of(hit: SearchHit, question: str) -> bool:
    """Tell whether a record and a text have words in common that say something by themselves.

    A score's share of the words counts only those that the memory knows. Of a text that has a
    single one, such as ``error``, every record with that word has all.
    """
    row = hit.row
    stock, telling = _telling(question)
    if len(question) <= _SHORT:
        shared = telling & terms(f"{row.title} {row.gist} {row.error_type}").keys()
        return bool(shared) and len(shared) >= _LEAST_SAID * len(telling)
    for text in (f"{row.title} {row.error_type}", row.gist):
        words = _words(text) - stock
        shared = words & telling
        if shared and len(shared) >= _LEAST_TAKEN_UP * len(words):
            return True
    return False


@lru_cache(maxsize=1)
def _telling(question: str) -> tuple[set[str], set[str]]:
    """Give the terms of a question's stock phrases, and those that say something."""
    stock = stock_terms(question)
    return stock, _words(question) - stock


def _words(text: str) -> set[str]:
    """Give the terms of a text without those of fillers and single characters."""
    words = (word for word in query_terms(text) if not is_filler(word))
    every = {term for word in words for term in word.terms if len(term) > 1}
    return every.difference(FILLERS)


def least_similar(records: int) -> float:
    """Give the score from which on a hit is similar, in a memory of so many records.

    About three of four that reach it are right in memories of one project (docs/recall.md). The
    best of many wrong records scores higher than the best of few, and words are rarer among many.
    """
    worth = WEIGHTS["labels"]
    return worth["similar"] + worth["ten times the records"] * log10(max(records, 1))
