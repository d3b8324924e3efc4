"""Whether a record's file can hold a phrase, decided from its bytes before it is parsed as YAML.

Reading a file into the text that phrases are looked for in takes thirty times as long as
looking at its bytes, and most candidates have the words of a phrase somewhere else.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache

from gitmem.index.analysis import normal, plain

_RUNS = re.compile("[a-z0-9]+")
UNWRITTEN = ("ast-grep", "general", "other")
"""Searched texts that a record has without its file saying so: defaults of fields."""


def filter_for(phrases: Sequence[str], excluded: Sequence[str]) -> Callable[[bytes], bool]:
    """Give what tells of a file's bytes whether they must be read to verify these phrases.

    True is always right. False means that one of ``phrases`` can't occur, or, without any,
    that none of ``excluded`` can.

    Args:
        phrases: texts that must occur.
        excluded: texts that must not.

    """
    wanted = [_pattern(phrase) for phrase in phrases]
    unwanted = [_pattern(phrase) for phrase in excluded]

    ascii_wanted, ascii_unwanted = _for_bytes(wanted), _for_bytes(unwanted)

    def worth_reading(data: bytes) -> bool:
        if b"\\" in data:
            return True  # any character may be written otherwise
        if data.isascii():
            data = data.lower()
            if wanted:
                return all(pattern is None or pattern.search(data) for pattern in ascii_wanted)
            return any(pattern is None or pattern.search(data) for pattern in ascii_unwanted)
        text = data.decode(errors="replace").lower()
        if not all(map(_stays, set(text))):
            return True
        if wanted:
            return all(pattern is None or pattern.search(text) for pattern in wanted)
        return any(pattern is None or pattern.search(text) for pattern in unwanted)

    return worth_reading


def _for_bytes(patterns: Sequence[re.Pattern[str] | None]) -> list[re.Pattern[bytes] | None]:
    return [pattern and re.compile(pattern.pattern.encode()) for pattern in patterns]


@lru_cache(1024)
def _stays(sign: str) -> bool:
    """Tell whether a character is ASCII, or neither becomes nor changes ASCII in a plain text."""
    if sign.isascii():
        return True
    return not unicodedata.combining(sign) and _RUNS.search(normal(sign).casefold()) is None


def _pattern(phrase: str) -> re.Pattern[str] | None:
    """Make a pattern that every file with the phrase matches; None where there is none.

    The letters of a phrase stand in the file in the same order, with only signs, blanks and
    line ends between. Numbers may be written otherwise there, or as a field of their own: a
    run of digits may be anything.
    """
    plain_phrase = plain(phrase)
    if not plain_phrase.isascii() or "\0" in plain_phrase:  # which stands between texts
        return None
    runs = _RUNS.findall(plain_phrase)
    words = [run for run in runs if not run.isdigit()]
    if not words or (len(runs) == 1 and any(words[0] in text for text in UNWRITTEN)):
        return None
    if len(words) < len(runs):
        return re.compile(max(words, key=len))
    return re.compile("[^a-z0-9]+".join(words))
