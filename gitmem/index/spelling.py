"""Words near a word by edit distance, and what the user probably meant.

Distance is optimal string alignment: insertions, deletions, replacements and swaps of
neighbours, each one step (L. Boytsov, "Indexing methods for approximate dictionary
searching", ACM JEA 16, 2011, section 2.1).

Two rules keep a large index quick to look through. Only words are near to a word: names with
signs are indexed in parts, too, and half of all terms are hashes and numbers. And who makes
two mistakes gets the first letter right: so one letter of the alphabet is looked at, and the
few words one step away that start otherwise are found by their ending.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from gitmem.index.analysis import TOKEN, query_terms, stem, token
from gitmem.index.analysis import normal as normalised
from gitmem.index.fillers import FILLERS
from gitmem.query import Query

SHORT_WORD: Final = 4
"""Up to this length one step is the most: two turn it into another word."""
SHORTEST: Final = 3
MAX_RESPELT: Final = 12

Near = Callable[[str, int], Mapping[str, int]]
"""Terms of an index within a distance of a word, with their distance."""
Starting = Callable[[str], Iterable[str]]
"""Words of an index that start with some letters."""


def is_word(term: str) -> bool:
    """Tell whether a term is written in letters, and perhaps underscores."""
    return term.isalpha() or ("_" in term and term.replace("_", "").isalpha())


def measure(word: str) -> Callable[[str], int]:
    """Give what counts the steps from a word to another.

    A column of the table of distances in two numbers, a letter at a time: 3 us a word (H. Hyyrö,
    "A bit-vector algorithm for computing Levenshtein and Damerau edit distances", Nordic Journal
    of Computing 10, 2003, figure 9).
    """
    letter_bits: dict[str, int] = {}
    for at, letter in enumerate(word):
        letter_bits[letter] = letter_bits.get(letter, 0) | 1 << at
    full, last, length = (1 << len(word)) - 1, 1 << len(word) >> 1, len(word)

    def steps(other: str) -> int:
        if not length:
            return len(other)
        more, less, same, before, distance = full, 0, 0, 0, length
        for letter in other:
            here = letter_bits.get(letter, 0)
            swapped = ((~same & here) << 1) & before
            same = (((here & more) + more) ^ more) | here | less | swapped
            up, down = less | ~(same | more), same & more
            if up & last:
                distance += 1
            elif down & last:
                distance -= 1
            up = up << 1 | 1
            more = (down << 1 | ~(same | up)) & full
            less = up & same & full
            before = here
        return distance

    return steps


def distance(word: str, other: str) -> int:
    """Count the steps from one word to another."""
    return measure(word)(other)


def scan(word: str, most: int, lexicon: Iterable[str]) -> dict[str, int]:
    """Find the terms of a lexicon that are near a word, within ``most`` steps, by trying each.

    A word has two characters at least.
    """
    steps = measure(word)
    distances: dict[str, int] = {}
    for term in filter(is_word, lexicon):
        far = steps(term)
        if far <= (most if term[0] == word[0] else min(most, 1)):
            distances[term] = far
    return distances


def among(word: str, most: int, words: str) -> dict[str, int]:
    """Find the same among words: sorted, each with a line end behind it, one before the first."""
    low, high = len(word) - most, len(word) + most
    letters = frozenset(word)
    # Each letter of the word that is missing takes a step: nine of ten words are out by that.
    likely = [
        other
        for other in _starting(word[0], words)
        if low <= len(other) <= high and len(letters.difference(other)) <= most
    ]
    if most:
        likely += _starting_otherwise(word, words)
    steps = measure(word)
    return {other: far for other in likely if (far := steps(other)) <= most}


def _starting(letter: str, words: str) -> list[str]:
    """Give the words that start with a letter."""
    start = _first(words, letter)
    return words[start : _first(words, chr(ord(letter) + 1), start)].split("\n")[:-1]


def _first(words: str, letter: str, low: int = 1) -> int:
    """Give the place of the first word that starts with a letter, or a later one."""
    high = len(words)
    while low < high:
        middle = words.rfind("\n", low - 1, (low + high) // 2) + 1
        if words[middle] < letter:
            low = words.index("\n", middle) + 1
        else:
            high = middle
    return low


def _starting_otherwise(word: str, words: str) -> list[str]:
    """Give the words one step away that start with another letter than a word."""
    forms = [word[1:], word[1] + word[0] + word[2:]]  # a letter too much, two swapped
    forms = [other for other in forms if other[0] != word[0] and f"\n{other}\n" in words]
    ending = f"{word[1:]}\n"
    at = words.find(ending)
    while at >= 0:  # another letter in its place, one too few
        start = at - 1 if words[at - 1] != word[0] else at - 2
        if start > 0 and words[start - 1] == "\n" and words[start] not in (word[0], "\n"):
            forms.append(words[start : at + len(word) - 1])
        at = words.find(ending, at + 1)
    return forms


def near(word: str, most: int, terms_near: Near) -> dict[str, int]:
    """Find terms near a word in its own form or as a stem, as prose is indexed."""
    folded = normalised(word).casefold().strip("./\\:@+#-")
    forms = dict.fromkeys((folded, stem(folded) if folded.isascii() else folded))
    distances = dict.fromkeys(forms, 0)  # whether or not it is a word
    for form in forms:
        steps = min(most, 1 if len(form) <= SHORT_WORD else most) if len(form) >= SHORTEST else 0
        for term, far in terms_near(form, steps).items() if steps else ():
            distances[term] = min(far, distances.get(term, far))
    return distances


def starting_among(start: str, words: str) -> list[str]:
    """Find what starts with some letters, among words as ``among`` takes them."""
    return [word for word in _starting(start[0], words) if word.startswith(start)]


def respelt(
    query: Query, count: Callable[[str], int], terms_near: Near, terms_starting: Starting
) -> str | None:
    """Respell the words and phrases of a question that no document has.

    The last word is completed if it can be: whoever types may not be at its end.
    """
    if query.pasted:
        return None
    texts = [query.words, *(f'"{phrase}"' for phrase in query.phrases)]
    changed = False
    out: list[str] = []
    for text in filter(None, texts):
        text = normalised(text)  # noqa: PLW2901
        end = 0
        for match in list(TOKEN.finditer(text))[:MAX_RESPELT]:
            out.append(text[end : match.start()])
            is_last = match.end() == len(text.rstrip())
            other = _completed(match[0], count, terms_starting) if is_last else None
            other = other or _meant(match[0], count, terms_near)
            out.append(other or match[0])
            changed = changed or other is not None
            end = match.end()
        out.append(text[end:] + " ")
    return "".join(out).strip() if changed else None


def _completed(raw: str, count: Callable[[str], int], starting: Starting) -> str | None:
    """Name the most frequent word that starts with letters which are no word themselves."""
    start = normalised(raw).casefold()
    if len(start) < SHORTEST or not is_word(start) or any(map(count, token(raw).terms)):
        return None
    counts = {term: n for term in starting(start) if is_word(term) and (n := count(term))}
    bare = {leaf for term in counts for t in query_terms(term) for leaf in t.leaves if leaf != term}
    words = {term: n for term, n in counts.items() if term not in bare}
    return min(words, key=lambda term: (-words[term], len(term), term), default=None)


def _meant(raw: str, count: Callable[[str], int], terms_near: Near) -> str | None:
    """Name the term that was probably meant by a word that no document has."""
    wanted = token(raw).terms
    if not wanted or wanted[0] in FILLERS or any(map(count, wanted)):
        return None
    word = wanted[0]
    if len(word) < SHORTEST:
        return None
    terms = terms_near(word, 1 if len(word) <= SHORT_WORD else 2)
    # Another first letter makes another word of a short one, unless the letters are the same.
    others = len(word) > SHORT_WORD
    counts = {
        term: n
        for term in terms
        if (others or term[0] == word[0] or sorted(term) == sorted(word)) and (n := count(term))
    }
    # A bare stem ("databas") is only there because of its word ("database").
    bare = {leaf for term in counts for t in query_terms(term) for leaf in t.leaves if leaf != term}
    words = {term: n for term, n in counts.items() if term not in bare}
    return min(words, key=lambda term: (terms[term], -words[term], term), default=None)
