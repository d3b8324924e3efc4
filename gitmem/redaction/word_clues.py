"""Which clues stand in the words of a text: asked once a word, however often the word comes.

Most words of logs and of code stand there many times, and in block after block. To look for some
hundred clues in each of them anew is most of the work, so what a word holds is remembered.
"""

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from typing import Final, TypeAlias

_MOST_CHARACTERS: Final = 2_000_000
"""Of words that are remembered."""

Clues: TypeAlias = AbstractSet[str]
"""Those of one search that stand in the words of a text."""


class ClueSearch:
    r"""What one search looks for in words.

    Args:
        clues: what is looked for. One that begins or ends with a line break counts at the
            beginning or the end of a word.
        least: shorter words hold none.
        shown: gives the form of a word in which they are looked for.

    """

    def __init__(
        self, clues: Iterable[str], least: int = 1, shown: Callable[[str], str] | None = None
    ) -> None:
        self._clues = tuple(dict.fromkeys(clues))
        self._least = least
        self._shown = shown

    def by_word(self, unseen: Clues) -> dict[str, set[str]]:
        """Give the clues that each word holds, without the words that hold none."""
        words = [word for word in unseen if len(word) >= self._least]
        forms = list(map(self._shown, words)) if self._shown else words
        text = "\n" + "\n".join(forms) + "\n"
        held: dict[str, set[str]] = {}
        for clue in self._clues:
            at = text.find(clue)
            index = begin = 0
            while at >= 0:
                index += text.count("\n", begin, at + 1)
                held.setdefault(words[index - 1], set()).add(clue)
                begin = text.find("\n", at + 1)
                at = text.find(clue, begin)
        return held


class WordClues:
    """The clues of several searches, and what words of earlier texts held of them."""

    def __init__(self, *searches: ClueSearch) -> None:
        self._searches = searches
        self._dull: set[str] = set()
        self._telling: dict[str, tuple[Clues, ...]] = {}
        self._characters = 0

    def among(self, words: Clues) -> list[set[str]]:
        """Give the clues that stand in some of these words, for each search."""
        telling = self._telling
        unlike = words - self._dull
        remembered = unlike & telling.keys()
        held: list[set[str]] = [set() for _ in self._searches]
        for word in remembered:
            for its, clues in zip(held, telling.get(word, ()), strict=False):
                its.update(clues)
        unseen = unlike - remembered
        if unseen:
            self._look(unseen, held)
        return held

    def _look(self, unseen: Clues, held: list[set[str]]) -> None:
        by_search = [search.by_word(unseen) for search in self._searches]
        for its, by_word in zip(held, by_search, strict=True):
            its.update(*by_word.values())
        self._characters += sum(map(len, unseen))
        if self._characters > _MOST_CHARACTERS:
            self._characters = 0
            self._dull, self._telling = set(), {}
        telling = set[str]().union(*by_search)
        self._dull |= unseen - telling
        self._telling |= {
            word: tuple(by_word.get(word, frozenset()) for by_word in by_search) for word in telling
        }
