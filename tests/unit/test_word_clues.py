"""Clues in words: what is remembered of a word is what a look at it would tell."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.redaction import word_clues
from gitmem.redaction.word_clues import ClueSearch, WordClues

CLUES = ("ab", "b", "\nc", "a\n", "\n+\n", "é", "z1", "z2z")
WORDS = st.text(alphabet="abcé+AB12z", min_size=1, max_size=4)
TEXTS = st.lists(st.sets(WORDS, max_size=8), max_size=5)
# A digest holds no clue that is looked for.
_NUMBER = re.compile("(?=[a-f]*[0-9])[0-9a-f]+")


def held(words: set[str], least: int, *, lower: bool) -> set[str]:
    told = {word for word in words if len(word) >= least and not _NUMBER.fullmatch(word)}
    shown = {f"\n{word.lower() if lower else word}\n" for word in told}
    return {clue for clue in CLUES for word in shown if clue in word}


@pytest.mark.parametrize("remembered", [0, 5, 2_000_000])
@given(TEXTS)
def test_words_tell_the_same_however_often_they_were_seen(
    remembered: int, texts: list[set[str]]
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(word_clues, "_MOST_CHARACTERS", remembered)
        both = WordClues(ClueSearch(CLUES, shown=str.lower), ClueSearch(CLUES, 2))
        for words in (*texts, *texts):
            text = f"x {' '.join(sorted(words))} y"
            told = both.among(text, 2, len(text) - 2)
            for answer, expected in zip(
                told, (held(words, 1, lower=True), held(words, 2, lower=False)), strict=True
            ):
                # Where a digit counts, the whole text is asked, too.
                assert {clue for clue in answer ^ expected if clue not in text} == set()
                assert expected <= answer
