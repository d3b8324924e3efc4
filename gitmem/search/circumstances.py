"""The circumstances of a question: when, where, and for which failure."""

from collections.abc import Mapping
from typing import NamedTuple


class Circumstances(NamedTuple):
    """Where a question comes from. Everything may be missing.

    Attributes:
        now: the time, in RFC 3339 with a ``Z``.
        prints: fingerprints of the failure that is asked for, best first, as (level, value,
            what a record that shares it is called).
        kind: the type of that failure, or its code; empty: it has none.
        files: files that the failure names, as paths of the repository.
        branch: the branch that is checked out.
        root: the folder that paths in records are relative to; empty: nothing can be stale.
        verdicts: by record id what users said of it: (with this failure, with any).
        synonyms: the team's own, beside those that everybody uses.

    """

    now: str = ""
    prints: tuple[tuple[str, str, str], ...] = ()
    kind: str = ""
    files: frozenset[str] = frozenset()
    branch: str = ""
    root: str = ""
    verdicts: Mapping[str, tuple[int, int]] = {}
    synonyms: tuple[str, ...] = ()
