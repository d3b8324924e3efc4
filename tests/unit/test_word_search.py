"""Words in a text, found in one pass, against what ``in`` says of each line and word."""

from hypothesis import given
from hypothesis import strategies as st

from gitmem.word_search import WordSearch, plain_words

LETTERS = st.text(alphabet="ab \n\u00e9\u25cf\U0001f600", max_size=60)
WORDS = st.lists(st.text(alphabet="ab \u00e9\u25cf\U0001f600", max_size=4), max_size=8, unique=True)


@given(LETTERS, WORDS)
def test_the_lines_are_those_that_hold_a_word(text: str, words: list[str]) -> None:
    held = [
        number
        for number, line in enumerate(text.split("\n"))
        if any(word in line for word in words if word)
    ]
    assert plain_words(words).lines_in(text) == held


@given(LETTERS, WORDS)
def test_each_word_that_stands_in_a_line_adds_its_bit(text: str, words: list[str]) -> None:
    expected = sum(1 << at for at, word in enumerate(words) if word and word in text)
    search = WordSearch((word, 1 << at) for at, word in enumerate(words))
    assert search.bits_in(text) == expected
