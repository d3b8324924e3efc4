"""Which clues stand in the words of a text: asked once a word, however often the word comes.

Most words of logs and of code stand there many times, and in block after block. To look for some
hundred clues in each of them anew is most of the work, so what a word holds is remembered. All
digits count as one, as most words that stand there only once differ from others by theirs.
"""

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from typing import Final, TypeAlias

from gitmem.lazy_pattern import lazily

_MOST_CHARACTERS: Final = 2_000_000
"""Of words that are remembered."""

_DIGITS: Final = bytes.maketrans(b"123456789", b"0" * 9)
# Digests, UUIDs and numbers: of what is looked for, none is made of such signs alone.
_NUMBERS: Final = lazily(r"[\"'(\[{]*(?!fc-)(?=[a-f-]*0)[0a-f][0a-f-]*[\"')\]},;.]*")

Clues: TypeAlias = AbstractSet[str]
"""Those of one search that stand in the words of a text."""


def _alike(text: str) -> str:
    """Write 0 for each digit; as bytes, where that takes a tenth of the time."""
    data = text.encode("utf-8", "surrogatepass").translate(_DIGITS)
    return data.decode("utf-8", "surrogatepass")


class ClueSearch:
    r"""What one search looks for in words; these have 0 for each digit.

    Args:
        clues: what is looked for. One that begins or ends with a line break counts at the
            beginning or the end of a word.
        least: shorter words hold none.
        shown: gives the form of a word in which they are looked for.

    """

    def __init__(
        self, clues: Iterable[str], least: int = 1, shown: Callable[[str], str] | None = None
    ) -> None:
        self._meant: dict[str, list[str]] = {}
        for clue in dict.fromkeys(clues):
            self._meant.setdefault(_alike(clue), []).append(clue)
        self._clues = tuple(self._meant)
        self._least = least
        self._shown = shown

    def standing(self, held: Clues, text: str, start: int, end: int) -> set[str]:
        """Give the clues themselves of those that words hold, by the digits of the text."""
        standing: set[str] = set()
        for clue in held:
            meant = self._meant[clue]
            if "0" not in clue:
                standing.update(meant)
            else:
                standing.update(each for each in meant if text.find(each, start, end) >= 0)
        return standing

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

    def among(self, text: str, start: int, end: int) -> list[set[str]]:
        """Give the clues that stand in the words of a piece of text, for each search."""
        words = set(_alike(text[start:end]).split())
        held = self._held(words)
        return [
            search.standing(its, text, start, end)
            for search, its in zip(self._searches, held, strict=True)
        ]

    def _held(self, words: set[str]) -> list[set[str]]:
        telling = self._telling
        unlike = words - self._dull
        remembered = unlike & telling.keys()
        held: list[set[str]] = [set() for _ in self._searches]
        for word in remembered:
            for its, clues in zip(held, telling.get(word, ()), strict=False):
                its.update(clues)
        unseen = {word for word in unlike - remembered if not _NUMBERS.fullmatch(word)}
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
