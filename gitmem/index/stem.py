"""Word stems of English, so that ``comparing`` finds ``compared``.

The algorithm of M. F. Porter, "An algorithm for suffix stripping", Program 14 (3), 1980,
with the three later changes of its author (``bli``, ``logi``, words of two letters stay):
https://tartarus.org/martin/PorterStemmer/. Written with plain string tests because it is
on the path of every search: no patterns to compile at start.
"""

from typing import Final

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
