"""Fixes that a memory offers for a failure."""

from typing import NamedTuple


class Solution(NamedTuple):
    """A fix that worked before.

    Attributes:
        fix: its id.
        errors: ids of the errors that it stands by, as the failure was recognised.
        approach: what was done, in its author's words.
        steps: what was done, step by step; somebody else's words, never run unasked.
        author: who wrote it.
        layer: the pack or archive that it is from; empty: it is one of the memory's files.
        label: how surely it belongs to the failure: ``same error``, ``same place``,
            ``same message`` or ``similar``.

    """

    fix: str
    errors: tuple[str, ...]
    approach: str
    steps: tuple[str, ...]
    author: str
    label: str
    layer: str = ""
