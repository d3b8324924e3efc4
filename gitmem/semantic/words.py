"""The built-in embedder: a static table of word vectors, read where its package installed it.

A text's vector is the weighted sum of its pieces' rows. The weights are rounded inverse
document frequencies that ``scripts/learn_piece_weights.py`` learnt, one table for what
programs say and one for what people say, so a vector depends on its text alone: it is the
same in every clone, and nothing drifts as the memory grows.

From the question, the directions that all texts share are removed (Mu and Viswanath 2018,
"All-but-the-Top"); as the projection is its own square, that does for both sides but for the
stored norm, which is taken of the projected vector.

The package's own code is not imported: it would look for a network. Sums are exact (half
floats times small whole numbers, in doubles), so numpy and plain Python agree to the byte.
"""

import importlib.util
import math
import mmap
import os
import struct
from collections import Counter
from collections.abc import Sequence
from operator import mul
from typing import Final, NamedTuple

from gitmem.errors import EnvironmentProblem
from gitmem.semantic.pieces import Pieces, PiecesDamaged, write
from gitmem.semantic.protocol import ERROR, PROSE, EmbeddedText, Vector, vector
from gitmem.semantic.text import words

PACKAGE: Final = "wordllama"
_TABLE: Final = os.path.join("weights", "l2_supercat_256.safetensors")
_VOCABULARY: Final = os.path.join("tokenizers", "l2_supercat_tokenizer_config.json")
_LEARNT: Final = os.path.join(os.path.dirname(__file__), "piece_weights.bin")
_ROWS: Final = 32_000
_WIDTH: Final = 256
SIZE: Final = 240
"""Dimensions that are kept: 100,000 records stay below 25 MB."""
_MANY: Final = 64
"""From so many texts on, numpy is worth its import."""
_LONGEST_HEADER: Final = 1 << 20
_UNIT: Final = 1 << 24
"""Every half float is a whole number of its parts."""
_ABOVE: Final = 1 << 40
"""Added to each value of a row, so that none is below zero."""
_LANES = struct.Struct("<" + "Q8x" * SIZE)
_SUMS = struct.Struct("<" + "QQ" * SIZE)


class WordWeights(NamedTuple):
    """What was learnt for one manner of text.

    Attributes:
        weights: of each piece, 0 to 255.
        repeats: factor of a piece that occurs 0, 1, 2, ... times, in whole numbers.
        shared: directions that all texts have in common, orthogonal, in whole numbers.

    """

    weights: bytes
    repeats: tuple[int, ...]
    shared: tuple[tuple[int, ...], ...]


def installed() -> str | None:
    """Give the folder of the table's package; None where the extra is not installed."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        return None
    folder = os.path.dirname(spec.origin)
    there = all(os.path.isfile(os.path.join(folder, name)) for name in (_TABLE, _VOCABULARY))
    return folder if there else None


def read_learnt(path: str = _LEARNT) -> dict[str, WordWeights]:
    """Read what was learnt, by manner. The file's form: see ``write_learnt``."""
    with open(path, "rb") as stream:
        data = stream.read()
    tables = {}
    at = 0
    for manner in (ERROR, PROSE):
        weights = data[at : at + _ROWS]
        at += _ROWS
        repeats, shared = struct.unpack_from("<HH", data, at)
        at += 4
        factors = struct.unpack_from(f"<{repeats}H", data, at)
        at += 2 * repeats
        directions = tuple(
            struct.unpack_from(f"<{SIZE}b", data, at + number * SIZE) for number in range(shared)
        )
        at += shared * SIZE
        tables[manner] = WordWeights(weights, factors, directions)
    return tables


def write_learnt(learnt: dict[str, WordWeights], path: str = _LEARNT) -> None:
    """Write what was learnt: weights, counts, factors (16 bit) and directions of each manner."""
    with open(path, "wb") as stream:
        for manner in (ERROR, PROSE):
            table = learnt[manner]
            stream.write(table.weights)
            stream.write(struct.pack("<HH", len(table.repeats), len(table.shared)))
            stream.write(struct.pack(f"<{len(table.repeats)}H", *table.repeats))
            stream.writelines(struct.pack(f"<{SIZE}b", *direction) for direction in table.shared)


class WordTable:
    """See ``protocol.Embedder``.

    Args:
        package: the folder where the table's package is installed.
        cache: a file of ours for the vocabulary in a form that is quick to look up.
        learnt: weights by manner; those that come with gitmem unless given.

    Raises:
        EnvironmentProblem: the package's files can't be read or are others than expected.

    """

    name = "words-2"
    contextual = False

    def __init__(
        self, package: str, cache: str, learnt: dict[str, WordWeights] | None = None
    ) -> None:
        try:
            self._data, self._begin = _table(os.path.join(package, _TABLE))
            self._pieces = _pieces(os.path.join(package, _VOCABULARY), cache)
            self._learnt = learnt or read_learnt()
        except OSError as error:
            raise EnvironmentProblem(
                f"can't read the word table in {package}: {error.strerror or error}"
            ) from None
        except (ValueError, KeyError, struct.error) as error:
            raise EnvironmentProblem(
                f"can't read the word table in {package}: {error}",
                f"reinstall {PACKAGE}, or set semantic.embedder to off",
            ) from None
        self._rows: dict[int, int] = {}

    def close(self) -> None:
        """Close files."""
        self._pieces.close()
        self._data.close()

    def embed(self, texts: Sequence[EmbeddedText]) -> list[Vector]:
        """See ``protocol.Embedder``."""
        counted = [self.factors(text) for text in texts]
        sums = self._sums(counted) if len(texts) >= _MANY else None
        if sums is None:
            sums = [self._sum(factors) for factors in counted]
        return [
            vector(values, self._norm_of(text.manner))
            for text, values in zip(texts, sums, strict=True)
        ]

    def question(self, text: EmbeddedText) -> list[float]:
        """See ``protocol.Embedder``."""
        values = self._sum(self.factors(text))
        for direction in self._learnt[text.manner].shared:
            square = sum(part * part for part in direction)
            share = sum(map(float.__mul__, values, map(float, direction))) / square
            values = [value - share * part for value, part in zip(values, direction, strict=True)]
        length = math.sqrt(math.fsum(value * value for value in values))
        return [value / length for value in values] if length else []

    def factors(self, text: EmbeddedText) -> dict[int, int]:
        """Give the pieces of a text with what each weighs, in whole numbers."""
        learnt = self._learnt[text.manner]
        most = len(learnt.repeats) - 1
        of = self._pieces.of
        counts = Counter([piece for word in words(text) for piece in of(word)])
        weighed = {
            piece: learnt.weights[piece] * learnt.repeats[min(count, most)]
            for piece, count in counts.items()
        }
        return {piece: factor for piece, factor in weighed.items() if factor}

    def _row(self, piece: int) -> int:
        """Give a row as one whole number: a lane for each dimension, in steps of ``1 / _UNIT``."""
        row = self._rows.get(piece)
        if row is None:
            at = self._begin + piece * _WIDTH * 2
            values = struct.unpack_from(f"<{SIZE}e", self._data, at)
            try:
                lanes = _LANES.pack(*[int(value * _UNIT) + _ABOVE for value in values])
            except (OverflowError, ValueError):
                raise EnvironmentProblem(
                    f"row {piece} of the word table holds something other than a number",
                    f"reinstall {PACKAGE}, or set semantic.embedder to off",
                ) from None
            row = self._rows[piece] = int.from_bytes(lanes, "little")
        return row

    def _sum(self, factors: dict[int, int]) -> list[float]:
        """Add up rows: Python multiplies and adds all dimensions of one in a single step."""
        row = self._row
        total = sum([factor * row(piece) for piece, factor in factors.items()])
        added = _SUMS.unpack(total.to_bytes(_SUMS.size, "little"))
        above = _ABOVE * sum(factors.values())
        pairs = zip(added[::2], added[1::2], strict=True)
        return [((high << 64 | low) - above) / _UNIT for low, high in pairs]

    def _sums(self, counted: list[dict[int, int]]) -> list[list[float]] | None:
        """Add up many at once; None where numpy is not installed."""
        try:
            from gitmem.semantic.one_thread import load_numpy

            load_numpy()
            import numpy as np
        except ImportError:
            return None

        table = np.frombuffer(self._data, np.float16, _ROWS * _WIDTH, self._begin)
        table = table.reshape(_ROWS, _WIDTH)[:, :SIZE]
        sums = []
        for factors in counted:
            rows = table[list(factors)].astype(np.float64)
            weights = np.fromiter(factors.values(), np.float64, len(factors))
            sums.append((weights[:, None] * rows).sum(0).tolist())
        return sums

    def _norm_of(self, manner: str) -> "_ProjectedNorm":
        return _ProjectedNorm(self._learnt[manner].shared)


class _ProjectedNorm(NamedTuple):
    """Length of a vector without its shares in some directions, from whole numbers."""

    shared: tuple[tuple[int, ...], ...]

    def __call__(self, values: Sequence[int], /) -> float:
        left = float(sum(map(mul, values, values)))
        for direction in self.shared:
            share = sum(map(mul, values, direction))
            left -= share * share / sum(map(mul, direction, direction))
        return math.sqrt(max(left, 0.0))


def _table(path: str) -> tuple[mmap.mmap, int]:
    """Map a safetensors file; give where its only table of half floats begins."""
    with open(path, "rb") as stream:
        data = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    (length,) = struct.unpack_from("<Q", data)
    if length > _LONGEST_HEADER:
        raise ValueError("its header is too long")
    begin = 8 + int(length)
    if len(data) != begin + _ROWS * _WIDTH * 2:
        raise ValueError("it has another size than expected")
    return data, begin


def _pieces(vocabulary: str, cache: str) -> Pieces:
    try:
        return Pieces(cache)
    except (OSError, PiecesDamaged):
        os.makedirs(os.path.dirname(cache), exist_ok=True)
        write(vocabulary, cache)
        return Pieces(cache)
