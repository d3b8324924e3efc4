"""Words that a text is passed over once for, whatever their number.

The automaton of Aho and Corasick, by ``pyahocorasick``: small, in C, with wheels for all systems.
Nothing else here knows the library.
"""

from collections.abc import Collection, Iterable
from typing import Final

import ahocorasick

_FREQUENT: Final = " etaoinsrdlcumphfgy0123456789-:.=,/_vbwk"
_NEVER: Final = "\udfff"
"""Half of a character: it stands in no text."""


class WordSearch:
    """Some words, each with what it stands for.

    Args:
        worth: by word a number that is not zero; of one that is empty nothing is found.

    """

    def __init__(self, worth: Iterable[tuple[str, int]]) -> None:
        automaton = ahocorasick.Automaton()
        # What may follow is looked through in the order in which it came: a quarter faster so.
        for character in _FREQUENT:
            automaton.add_word(character + _NEVER, 0)
        for word, each in worth:
            automaton.add_word(word, each)
        automaton.make_automaton()
        self._automaton = automaton if len(automaton) > len(_FREQUENT) else None

    def lines_in(self, text: str) -> list[int]:
        """Number the lines of a text in which one of the words stands."""
        numbers: list[int] = []
        number = before = 0
        end_of_line = -1
        for last, _ in self._automaton.iter(text) if self._automaton else ():
            if last <= end_of_line:
                continue
            number += text.count("\n", before, last)
            before = last
            end_of_line = text.find("\n", last)
            numbers.append(number)
            if end_of_line < 0:
                break
        return numbers

    def bits_in(self, line: str) -> int:
        """Join what the words that stand in a line stand for, bit by bit."""
        bits = 0
        for _, each in self._automaton.iter(line) if self._automaton else ():
            bits |= each
        return bits


def plain_words(words: Collection[str]) -> WordSearch:
    """Give words of which only the lines are asked."""
    return WordSearch((word, 1) for word in words)
