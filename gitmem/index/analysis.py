"""Text analysis: the terms that a record is indexed by, and those that a question asks for.

A word of prose gives itself and its stem. A name out of code (``parseToken``,
``HTTPServer2``, ``snake_case``, ``kebab-case``, ``pkg.mod.name``, ``src/auth/token.py:42``)
gives itself whole, and its parts, each with its stem. Numbers and codes (``E501``, ``404``,
``0x80070005``) stay whole. Runs of Chinese, Japanese and Korean give overlapping pairs of
characters, as Lucene's CJKAnalyzer does.

Every step is linear in the text: tokens are at most 200 characters, and what a token gives
is remembered.

Stems are those of M. F. Porter, "An algorithm for suffix stripping", Program 14 (3), 1980,
with the three later changes of its author (``bli``, ``logi``, words of two letters stay):
https://tartarus.org/martin/PorterStemmer/. Written with plain string tests because it is
on the path of every search: no patterns to compile at start.
"""

import re
from collections import Counter
from itertools import chain
from typing import Final, NamedTuple

_STEP2: Final = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"),
    ("izer", "ize"), ("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"),
    ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"), ("ator", "ate"),
    ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"),
    ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"), ("logi", "log"),
)  # fmt: skip
_STEP3: Final = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"),
    ("ful", ""), ("ness", ""),
)  # fmt: skip
_STEP4: Final = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent",
    "ion", "ou", "ism", "ate", "iti", "ous", "ive", "ize",
)  # fmt: skip
_SHORTEST: Final = 3
_SHAPES: Final = {
    ord(letter): "v" if letter in "aeiou" else "c" for letter in "abcdefghijklmnopqrstuvwxz"
}
_LAST2: Final = frozenset(ending[-1] for ending, _ in _STEP2)
_LAST3: Final = frozenset(ending[-1] for ending, _ in _STEP3)
_LAST4: Final = frozenset(ending[-1] for ending in _STEP4)


def stem(word: str) -> str:
    """Strip English endings from a word in lower-case ASCII letters."""
    if len(word) < _SHORTEST:
        return word
    word = _past_and_gerund(_plural(word))
    if word[-1] == "y" and _has_vowel(word[:-1]):
        word = f"{word[:-1]}i"
    if word[-1] in _LAST2:
        word = _replaced(word, _STEP2)
    if word[-1] in _LAST3:
        word = _replaced(word, _STEP3)
    if word[-1] in _LAST4:
        word = _bare(word)
    return _tidied(word) if word[-1] in "el" else word


def _consonants(word: str) -> str:
    """Spell a word in c and v; y is a vowel behind a consonant."""
    shape = word.translate(_SHAPES)
    at = shape.find("y")
    while at >= 0:
        shape = f"{shape[:at]}{'v' if shape[at - 1 : at] == 'c' else 'c'}{shape[at + 1 :]}"
        at = shape.find("y", at)
    return shape


def _measure(word: str) -> int:
    """Count the steps from vowels to consonants (Porter's m)."""
    return _consonants(word).count("vc")


def _has_vowel(word: str) -> bool:
    return "v" in _consonants(word)


def _ends_double(word: str) -> bool:
    return word[-1:] == word[-2:-1] and word[-1:] != "" and _consonants(word)[-1] == "c"


def _ends_short(word: str) -> bool:
    """Tell whether a word ends consonant, vowel, consonant, the last not w, x or y."""
    return _consonants(word).endswith("cvc") and word[-1] not in "wxy"


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _past_and_gerund(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    if not word.endswith(("ed", "ing")):
        return word
    for ending in ("ed", "ing"):
        base = word.removesuffix(ending)
        if base != word and _has_vowel(base):
            break
    else:
        return word
    if base.endswith(("at", "bl", "iz")):
        return f"{base}e"
    if _ends_double(base) and base[-1] not in "lsz":
        return base[:-1]
    if _measure(base) == 1 and _ends_short(base):
        return f"{base}e"
    return base


def _replaced(word: str, endings: tuple[tuple[str, str], ...]) -> str:
    for ending, other in endings:
        if word.endswith(ending):
            base = word[: -len(ending)]
            return base + other if _measure(base) else word
    return word


def _bare(word: str) -> str:
    # The longest ending that fits decides, whether or not it may go.
    ending = max((e for e in _STEP4 if word.endswith(e)), key=len, default="")
    base = word[: len(word) - len(ending)]
    if not ending or _measure(base) <= 1 or (ending == "ion" and base[-1:] not in tuple("st")):
        return word
    return base


def _tidied(word: str) -> str:
    if word.endswith("e"):
        m = _measure(word[:-1])
        if m > 1 or (m == 1 and not _ends_short(word[:-1])):
            word = word[:-1]
    if word.endswith("ll") and _measure(word) > 1:
        word = word[:-1]
    return word


MAX_LENGTH: Final = 200
# Canonical ordering of combining marks is quadratic in CPython; pieces keep it bounded.
_NORMAL_PIECE: Final = 512
_MOST_REMEMBERED: Final = 100_000
"""Tokens, 50 MB. What is common is soon known again: four times as many are no faster."""
_LONGEST_STEMMED: Final = 40
_MOST_RUNS: Final = 8

TOKEN = re.compile(rf"[\w./\\:@+#-]{{1,{MAX_LENGTH}}}")
# Blanks for the ASCII characters that stand in no token: to translate and split takes a third
# of the time that TOKEN takes, and gives the same.
_BLANKS: Final = {code: " " for code in range(128) if not TOKEN.fullmatch(chr(code))}
_EDGES: Final = "./\\:@+#-"
_PIECE = re.compile(r"[^./\\:@+#-]+")
_RUN = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_WORDS = re.compile(r"[^\W\d_]+|\d+")
_CJK: Final = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
_IDEOGRAPHS: Final = rf"[{_CJK}\U00020000-\U0003ffff]+"
"""Compiled when a text is not plain ASCII: 1 ms."""
_NAMES_WITH_SIGNS: Final = frozenset({"c++", "c#", "f#", "g++"})


class Token(NamedTuple):
    """What one token of a text gives.

    ``leaves`` are those of ``terms`` that every text with this token in another spelling
    or inside a longer name has too: stems of words and of parts.
    """

    terms: tuple[str, ...]
    leaves: tuple[str, ...]


_NOTHING: Final = Token((), ())


class _Remembered(dict[str, tuple[str, ...]]):
    """The terms of tokens seen before; a lookup analyses what is new."""

    def __missing__(self, raw: str) -> tuple[str, ...]:
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
            _stems.clear()
            _pieces.clear()
        analysed = self[raw] = token(raw).terms
        return analysed


_remembered = _Remembered()
_stems: dict[str, str] = {}
_pieces: dict[str, Token] = {}


def normal(text: str) -> str:
    """Bring a text to Unicode's compatibility form (NFKC); case is kept."""
    if text.isascii():
        return text
    import unicodedata

    pieces = (text[at : at + _NORMAL_PIECE] for at in range(0, len(text), _NORMAL_PIECE))
    return "".join(unicodedata.normalize("NFKC", piece) for piece in pieces)


def plain(text: str) -> str:
    """Bring a text to the form in which phrases are compared: no case, single blanks."""
    return " ".join(normal(text).casefold().split())


def terms(text: str) -> Counter[str]:
    """Count the terms of a text, in the order in which they first occur."""
    terms_of_tokens = map(_remembered.__getitem__, tokens(normal(text)))
    return Counter(chain.from_iterable(terms_of_tokens))


def distinct_terms(text: str) -> list[str]:
    """Give the terms of a text, each once, in the order in which they first occur."""
    terms_of_tokens = map(_remembered.__getitem__, tokens(normal(text)))
    return list(dict.fromkeys(chain.from_iterable(terms_of_tokens)))


def tokens(text: str) -> list[str]:
    """Split a normal text into what ``token`` analyses."""
    if len(text) > MAX_LENGTH and text.isascii():  # in a short text nothing is saved
        words = text.translate(_BLANKS).split()
        if max(map(len, words), default=0) <= MAX_LENGTH:
            return words
    return TOKEN.findall(text)


def query_terms(text: str) -> list[Token]:
    """Give what each token of a question asks for, in order, each token once."""
    query_tokens = dict.fromkeys(map(token, tokens(normal(text))))
    query_tokens.pop(_NOTHING, None)
    return list(query_tokens)


def token(raw: str) -> Token:
    """Analyse one token: characters of ``TOKEN``, normal, not more than MAX_LENGTH."""
    if not raw.isascii() and re.search(_IDEOGRAPHS, raw):
        return _with_ideographs(raw)
    core = raw.strip(_EDGES)
    if core.isdecimal() and core.isascii():
        return Token((core,), (core,))
    signed = raw.rstrip(".:/").casefold()
    if signed in _NAMES_WITH_SIGNS:
        return Token((signed,), (signed,))
    if not core or not any(map(str.isalnum, core)):
        return _NOTHING
    if core.isalpha() and (core[1:].islower() or core.isupper() or len(core) == 1):
        word = core.casefold()
        root = _stem(word)
        return Token((word,) if word == root else (word, root), (root,))
    return _name(core)


def _name(core: str) -> Token:
    """Analyse a name out of code: whole, its last piece of a path, parts, stems."""
    whole = core.casefold().replace("\\", "/")
    for _ in range(2 if ":" in whole else 0):  # file:line:column
        head, colon, tail = whole.rpartition(":")
        if not (colon and head and tail.isdecimal()):
            break
        whole = head
    pieces = _PIECE.findall(core)
    if len(pieces) == 1 and pieces[0] == core:
        return _pieces.get(core) or _piece(core)  # whose first term is the whole name
    forms = {whole: None}
    if "/" in whole:
        forms[whole.rpartition("/")[2]] = None
    leaves: dict[str, None] = {}
    for piece in pieces:
        inner = _pieces.get(piece) or _piece(piece)
        for term in inner.terms:
            forms[term] = None
        for leaf in inner.leaves:
            leaves[leaf] = None
    return Token(tuple(forms), tuple(leaves) or (whole,))


def _piece(piece: str) -> Token:
    """Analyse one piece of a name between separators."""
    forms = {piece.casefold(): None}
    leaves: dict[str, None] = {}
    for part in _parts(piece):
        root = _stems.get(part) or _stem(part)
        forms[part] = forms[root] = leaves[root] = None
    analysed = _pieces[piece] = Token(tuple(forms), tuple(leaves))
    return analysed


def _parts(piece: str) -> list[str]:
    """Split a piece at underscores, humps and digits; a code or a hash stays whole."""
    bare = piece.strip("_").casefold()
    if piece.isalpha() and piece[1:].islower():
        return [bare]
    if bare.isdecimal():
        return [bare]
    runs = (_RUN if piece.isascii() else _WORDS).findall(piece)
    # Single characters next to longer ones are noise: the 2 of HTTPServer2.
    long = [run.casefold() for run in runs if len(run) > 1]
    code = bare.startswith("0x") or (len(long) == 1 and long[0].isdecimal())  # 0x80070005, E501
    opaque = len(runs) > _MOST_RUNS and not ("_" in bare or piece.isalpha())
    if code or opaque or not long:
        return [bare or piece]
    return long


def _stem(word: str) -> str:
    root = _stems.get(word)
    if root is None:
        fit = len(word) <= _LONGEST_STEMMED and word.isascii() and word.isalpha()
        root = _stems[word] = stem(word) if fit else word
    return root


def _with_ideographs(raw: str) -> Token:
    forms: dict[str, None] = {}
    leaves: dict[str, None] = {}
    for run in re.findall(_IDEOGRAPHS, raw):
        pairs = [run[at : at + 2] for at in range(len(run) - 1)] or [run]
        forms.update(dict.fromkeys(pairs))
        leaves.update(dict.fromkeys(pairs))
    for rest in re.split(_IDEOGRAPHS, raw):
        inner = token(rest)
        forms.update(dict.fromkeys(inner.terms))
        leaves.update(dict.fromkeys(inner.leaves))
    return Token(tuple(forms), tuple(leaves))
