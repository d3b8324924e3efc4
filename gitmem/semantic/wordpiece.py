"""Splits texts into the numbered pieces of BERT-type models (WordPiece).

A text is cleaned, words are separated at blanks, punctuation and Chinese characters, and each
word is split into the longest pieces that there are, from its head on. Held against the
package ``tokenizers`` in tests.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final, NamedTuple
from zlib import crc32

CLASS: Final = "[CLS]"
SEPARATOR: Final = "[SEP]"
UNKNOWN: Final = "[UNK]"
_INSIDE: Final = "##"
_LONGEST: Final = 100
_REMEMBERED: Final = 20_000
_CHINESE: Final = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip
_CONTROL: Final = frozenset({"Cc", "Cf", "Co", "Cs"})
_ASCII_PUNCTUATION: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


class UnreadableTokenizer(Exception):  # noqa: N818  it names a state of the file
    """A tokenizer of another kind, or no tokenizer at all."""


def vocabulary_of(tokenizer: Mapping[str, Any]) -> list[str]:
    """Give the pieces of a ``tokenizer.json`` in the order of their numbers.

    Raises:
        UnreadableTokenizer: it splits otherwise than this module does.

    """
    model = tokenizer.get("model") or {}
    normalizer = tokenizer.get("normalizer") or {}
    if model.get("type") != "WordPiece" or normalizer.get("type") != "BertNormalizer":
        raise UnreadableTokenizer("its tokenizer is not BERT's WordPiece")
    if not normalizer.get("lowercase") or model.get("continuing_subword_prefix") != _INSIDE:
        raise UnreadableTokenizer("its tokenizer keeps capitals, or joins pieces in another way")
    numbers: dict[str, int] = model.get("vocab") or {}
    pieces = sorted(numbers, key=numbers.__getitem__)
    if [numbers[piece] for piece in pieces] != list(range(len(pieces))) or any(
        "\n" in piece for piece in pieces
    ):
        raise UnreadableTokenizer("its pieces are not numbered from 0 on")
    if not {CLASS, SEPARATOR, UNKNOWN} <= numbers.keys():
        raise UnreadableTokenizer("its vocabulary lacks the pieces of BERT")
    return pieces


class PieceTable(NamedTuple):
    """A vocabulary as it lies in a file, looked up where it lies: a question has few words.

    Attributes:
        text: the pieces in UTF-8, one behind the other, in the order of their numbers.
        ends: where each ends in it.
        slots: a hash table with open addresses, a power of two long: the numbers of pieces, from
            the place on that their checksum gives; -1 where there is none.

    """

    text: memoryview | bytes
    ends: Sequence[int]
    slots: Sequence[int]

    def number(self, piece: str) -> int | None:
        """Give the number of a piece; None for what is none."""
        wanted = piece.encode(errors="replace")
        first, size = crc32(wanted), len(self.slots)
        for step in range(size):
            number = self.slots[(first + step) & (size - 1)]
            if number < 0:
                break
            begin = self.ends[number - 1] if number else 0
            if self.text[begin : self.ends[number]] == wanted:
                return number
        return None


def piece_table(pieces: Sequence[str]) -> PieceTable:
    """Make the table of a vocabulary, whose order gives the numbers."""
    encoded = [piece.encode() for piece in pieces]
    slots = [-1] * (1 << (2 * len(pieces)).bit_length())
    for number, piece in enumerate(encoded):
        at = crc32(piece) & (len(slots) - 1)
        while slots[at] >= 0:
            at = (at + 1) & (len(slots) - 1)
        slots[at] = number
    return PieceTable(b"".join(encoded), list(accumulate(map(len, encoded))), slots)


class WordPieces:
    """Looks words up.

    Args:
        table: of the vocabulary.

    Raises:
        UnreadableTokenizer: it lacks the pieces that every text has.

    """

    def __init__(self, table: PieceTable) -> None:
        self._number = table.number
        special = [table.number(piece) for piece in (CLASS, SEPARATOR, UNKNOWN)]
        numbers = [number for number in special if number is not None]
        if len(numbers) < len(special):
            raise UnreadableTokenizer("its vocabulary lacks the pieces of BERT")
        self._class, self._separator, self._unknown = numbers
        self._of = lru_cache(_REMEMBERED)(self._split)

    def of(self, text: str, most: int) -> list[int]:
        """Give the pieces of a text between those for begin and end, ``most`` with them."""
        numbers = [self._class]
        for word in _words(text):
            numbers += self._of(word)
            if len(numbers) >= most:
                break
        return [*numbers[: most - 1], self._separator]

    def _split(self, word: str) -> tuple[int, ...]:
        if len(word) > _LONGEST:
            return (self._unknown,)
        numbers = []
        at, prefix = 0, ""
        while at < len(word):
            for end in range(len(word), at, -1):
                number = self._number(prefix + word[at:end])
                if number is not None:
                    break
            else:
                return (self._unknown,)
            numbers.append(number)
            at, prefix = end, _INSIDE
        return tuple(numbers)


def _words(text: str) -> list[str]:
    """Separate a text at blanks and around punctuation, in lower case and without accents."""
    if text.isascii():
        text = text.lower()
        apart = "".join(map(_apart_ascii, text))
    else:
        cleaned = "".join(map(_cleaned, text))
        plain = "".join(
            c for c in unicodedata.normalize("NFD", cleaned) if unicodedata.category(c) != "Mn"
        )
        apart = "".join(map(_apart, plain.lower()))
    return apart.split()


@lru_cache(256)
def _apart_ascii(character: str) -> str:
    if character in _ASCII_PUNCTUATION:
        return f" {character} "
    return _cleaned(character)


@lru_cache(4_096)
def _cleaned(character: str) -> str:
    """Give a character as it counts: blanks as one, control characters not at all."""
    category = unicodedata.category(character)
    if character in "\t\n\r" or category[0] == "Z":
        return " "
    if character in "\0\ufffd" or category in _CONTROL:
        return ""
    if any(low <= ord(character) <= high for low, high in _CHINESE):
        return f" {character} "
    return character


@lru_cache(4_096)
def _apart(character: str) -> str:
    if character in _ASCII_PUNCTUATION or unicodedata.category(character)[0] == "P":
        return f" {character} "
    return character
