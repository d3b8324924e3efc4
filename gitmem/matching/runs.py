"""Runs in sequences: the common start of two, and a longest rising one. Pure."""

from bisect import bisect_left
from collections.abc import Sequence


def common(first: Sequence[str], second: Sequence[str]) -> int:
    """Count how many items two sequences have in common at their start."""
    size = 0
    for left, right in zip(first, second, strict=False):
        if left != right:
            break
        size += 1
    return size


def rising(numbers: Sequence[int]) -> list[int]:
    """Give the places of a longest rising run among numbers, none of which is there twice."""
    tails: list[int] = []  # the smallest end of a run of each length
    ends: list[int] = []  # where that end stands
    before: list[int] = []
    for at, number in enumerate(numbers):
        size = bisect_left(tails, number)
        tails[size : size + 1] = [number]
        ends[size : size + 1] = [at]
        before.append(ends[size - 1] if size else -1)
    places = []
    at = ends[-1] if ends else -1
    while at >= 0:
        places.append(at)
        at = before[at]
    return places[::-1]
