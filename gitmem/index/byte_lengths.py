"""Document lengths in one byte, rounded as ``whoosh.util.numeric`` rounds them."""

from bisect import bisect_left
from typing import Final

LENGTHS: Final = tuple(round((1.033**byte - 1) * 27) for byte in range(256))
"""What each byte stands for."""


def length_to_byte(length: int) -> int:
    """Give the byte of a length."""
    return bisect_left(LENGTHS, length) if length < LENGTHS[-1] else len(LENGTHS) - 1
