"""The interface of every embedder."""

import math
import struct
from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

ERROR: Final = "error"
PROSE: Final = "prose"
_LARGEST: Final = 127


class VectorsDamaged(Exception):  # noqa: N818  it names a state of the file
    """Stored vectors are not as they were written, or another embedder's."""


class EmbeddedText(NamedTuple):
    """A text and its manner: ``ERROR`` for output of programs, ``PROSE`` for text by people."""

    manner: str
    text: str


class Vector(NamedTuple):
    """Where a text lies.

    Attributes:
        norm: its length, in the units of ``values``; 0 for a text that means nothing here.
        values: one signed byte a dimension.

    """

    norm: float
    values: bytes


class VectorRow(NamedTuple):
    """A vector and what it is stored for.

    Attributes:
        number: the catalog's number of the file.
        digest: of the file's content, from which the vector was made.
        manner: of the text.
        vector: where it lies.

    """

    number: int
    digest: bytes
    manner: str
    vector: Vector


class Embedder(Protocol):
    """Turns texts into vectors. Equal texts give equal vectors.

    Attributes:
        name: changes whenever the vectors would; stored vectors of another name are made anew.
        contextual: it reads whole sentences: one vector for texts of all manners, near enough
            to bring in records that share no word with a question. It takes long, so vectors
            are made beside the work.

    """

    @property
    def contextual(self) -> bool:
        """See the class."""
        ...

    @property
    def name(self) -> str:
        """Of the embedder and its version."""
        ...

    def embed(self, texts: Sequence[EmbeddedText]) -> list[Vector]:
        """Give the vector of each text, all of one size; may raise EnvironmentProblem."""
        ...

    def question(self, text: EmbeddedText) -> list[float]:
        """Give factors whose product sum with a vector's values, over its norm, is the cosine.

        Empty for a text that means nothing here. May raise EnvironmentProblem.
        """
        ...

    def close(self) -> None:
        """Close files."""
        ...


def vector(values: Sequence[float], norm_of: "NormOf | None" = None) -> Vector:
    """Round values to bytes, the largest to 127.

    Args:
        values: the coordinates.
        norm_of: measures the bytes; their Euclidean length unless given.

    """
    largest = max(map(abs, values), default=0.0)
    if not largest or not all(map(math.isfinite, values)):
        return Vector(0.0, bytes(len(values)))
    whole = [round(_LARGEST * (value / largest)) for value in values]
    norm = norm_of(whole) if norm_of else math.sqrt(sum(value * value for value in whole))
    return Vector(norm, struct.pack(f"{len(whole)}b", *whole))


class NormOf(Protocol):
    """Measures a vector of whole numbers."""

    def __call__(self, values: Sequence[int], /) -> float:
        """Give the length."""
        ...
