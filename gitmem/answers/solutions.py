"""Fixes that a memory offers for a failure."""

from typing import Final, NamedTuple

_EVIDENCE: Final = {"worked": "worked before", "claimed": "claimed to have worked"}


class Solution(NamedTuple):
    """A fix that worked before, or that nobody has seen to fail.

    Attributes:
        fix: its id.
        errors: ids of the errors that it stands by, as the failure was recognised.
        approach: what was done, in its author's words.
        steps: what was done, step by step; somebody else's words, never run unasked.
        author: who wrote it.
        layer: the pack or archive that it is from; empty: it is one of the memory's files.
        label: how surely it belongs to the failure: ``same error``, ``same place``,
            ``same message``, ``same type`` or ``similar``.
        verdict: what is known of it: ``worked``, ``claimed`` or ``unverified``; see ``Row``.
        times: how many fixes say the same.

    """

    fix: str
    errors: tuple[str, ...]
    approach: str
    steps: tuple[str, ...]
    author: str
    label: str
    layer: str = ""
    verdict: str = ""
    times: int = 1

    @property
    def words(self) -> str:
        """Its approach, the same for those that say the same."""
        return " ".join(self.approach.split()).casefold()

    @property
    def evidence(self) -> str:
        """Its verdict in words: only what was seen to work has worked before."""
        return _EVIDENCE.get(self.verdict, "not verified")
