"""Words near a word: edit distance, and what somebody probably meant.

Distance is optimal string alignment: insertions, deletions, replacements and swaps of
neighbours, each one step (L. Boytsov, "Indexing methods for approximate dictionary
searching", ACM JEA 16, 2011, section 2.1).
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from gitmem.index.analysis import TOKEN, query_terms, token
from gitmem.index.analysis import normal as normalised
from gitmem.index.stem import stem
from gitmem.query import Query

SHORT_WORD: Final = 4
"""Up to this length one step is the most: two turn it into another word."""
SHORTEST: Final = 3
MAX_RESPELT: Final = 12

Row = list[int]
Near = Callable[[str, int], Mapping[str, int]]
"""Terms of an index within a distance of a word, with their distance."""


def _next_row(word: str, rows: Sequence[Row], prefix: str, letter: str) -> Row:
    """Extend the table of distances by one letter of the other word."""
    above = rows[-1]
    row = [above[0] + 1]
    for at, own in enumerate(word):
        best = min(row[at] + 1, above[at + 1] + 1, above[at] + (own != letter))
        if at and prefix and letter == word[at - 1] and prefix[-1] == own:
            best = min(best, rows[-2][at - 1] + 1)
        row.append(best)
    return row


def distance(word: str, other: str) -> int:
    """Count the steps from one word to another."""
    rows = [list(range(len(word) + 1))]
    for at, letter in enumerate(other):
        rows.append(_next_row(word, rows, other[:at], letter))
    return rows[-1][-1]


def scan(word: str, most: int, lexicon: Iterable[str]) -> dict[str, int]:
    """Find the words of a lexicon within ``most`` steps by trying every one."""
    close = (term for term in lexicon if abs(len(term) - len(word)) <= most)
    return {term: steps for term in close if (steps := distance(word, term)) <= most}


def walk(word: str, most: int, lexicon: Sequence[str]) -> dict[str, int]:
    """Find the same in a sorted lexicon, skipping every prefix that is too far already."""
    found: dict[str, int] = {}
    rows = [list(range(len(word) + 1))]
    prefix = ""
    at = 0
    while at < len(lexicon):
        term = lexicon[at]
        same = 0
        while same < len(prefix) and same < len(term) and prefix[same] == term[same]:
            same += 1
        del rows[same + 1 :]
        prefix = term[:same]
        for letter in term[same:]:
            rows.append(_next_row(word, rows, prefix, letter))
            prefix += letter
            # A swap reaches back over a row, but then a replacement keeps that row in reach.
            if min(rows[-1]) > most:
                at = bisect_left(lexicon, _behind(prefix), at + 1)
                break
        else:
            if rows[-1][-1] <= most:
                found[term] = rows[-1][-1]
            at += 1
    return found


def _behind(prefix: str) -> str:
    """Give a text behind all that start with ``prefix``."""
    return prefix + chr(0x10FFFF)


def near(word: str, most: int, terms_near: Near) -> dict[str, int]:
    """Find terms near a word in its own form or as a stem, as prose is indexed."""
    folded = normalised(word).casefold().strip("./\\:@+#-")
    found: dict[str, int] = {}
    forms = dict.fromkeys((folded, stem(folded) if folded.isascii() else folded))
    for form in forms:
        steps = min(most, 1 if len(form) <= SHORT_WORD else most) if len(form) >= SHORTEST else 0
        for term, far in terms_near(form, steps).items():
            found[term] = min(far, found.get(term, far))
    return found


def respelt(query: Query, count: Callable[[str], int], terms_near: Near) -> str | None:
    """Respell the words and phrases of a question that no document has."""
    if query.pasted:
        return None
    texts = [query.words, *(f'"{phrase}"' for phrase in query.phrases)]
    changed = False
    out: list[str] = []
    for text in filter(None, texts):
        text = normalised(text)  # noqa: PLW2901
        end = 0
        for found in list(TOKEN.finditer(text))[:MAX_RESPELT]:
            out.append(text[end : found.start()])
            other = _meant(found[0], count, terms_near)
            out.append(other or found[0])
            changed = changed or other is not None
            end = found.end()
        out.append(text[end:] + " ")
    return "".join(out).strip() if changed else None


def _meant(raw: str, count: Callable[[str], int], terms_near: Near) -> str | None:
    """Name the term that was probably meant by a word that no document has."""
    wanted = token(raw).terms
    if not wanted or any(map(count, wanted)):
        return None
    word = wanted[0]
    if len(word) < SHORTEST:
        return None
    found = terms_near(word, 1 if len(word) <= SHORT_WORD else 2)
    counts = {term: n for term in found if (n := count(term))}
    # A bare stem ("databas") is only there because of its word ("database").
    bare = {leaf for term in counts for t in query_terms(term) for leaf in t.leaves if leaf != term}
    words = {term: n for term, n in counts.items() if term not in bare}
    return min(words, key=lambda term: (found[term], -words[term], term), default=None)
