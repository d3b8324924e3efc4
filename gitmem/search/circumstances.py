"""The circumstances of a question: when, where, and for which failure."""

from collections.abc import Mapping
from typing import NamedTuple


class RecordFeedback(NamedTuple):
    """What users made of a record.

    Attributes:
        here: votes with the failure at hand; a record that helped counts 1, one that did not -1,
            one that was only applied or opened a part of 1.
        everywhere: votes with any failure.
        judged: somebody said something; otherwise it was only used.

    """

    here: float = 0.0
    everywhere: float = 0.0
    judged: bool = False


class Circumstances(NamedTuple):
    """Where a question comes from. Everything may be missing.

    Attributes:
        now: the time, in RFC 3339 with a ``Z``.
        prints: fingerprints of the failure that is asked for, best first, as (level, value,
            what a record that shares it is called).
        kind: the type of that failure, or its code; empty: it has none.
        names: what its message has in quotes, in its canonical wording.
        files: files that the failure names, as paths of the repository.
        branch: the branch that is checked out.
        root: the folder that paths in records are relative to; empty: nothing can be stale.
        feedback: by record id what users made of it.
        synonyms: the team's own, beside those that everybody uses.

    """

    now: str = ""
    prints: tuple[tuple[str, str, str], ...] = ()
    kind: str = ""
    names: tuple[str, ...] = ()
    files: frozenset[str] = frozenset()
    branch: str = ""
    root: str = ""
    feedback: Mapping[str, RecordFeedback] = {}
    synonyms: tuple[str, ...] = ()
