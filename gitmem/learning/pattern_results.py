"""Results of extracting code patterns, and of suggesting them. Pure."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gitmem.answers.found import SearchHit
    from gitmem.learning.patterns import CodePattern
    from gitmem.records.kinds import Pattern


class ExtractedPattern(NamedTuple):
    """A pattern and where it comes from.

    Attributes:
        pattern: the piece of code.
        path: its file, relative to the folder that the memory belongs to; empty: it has none.
        commit: id of the commit whose file it is; empty: none, or it is not known.
        fix: id of the fix that brought it; empty: none.
        when: what it was good for, as that fix says.

    """

    pattern: "CodePattern"
    path: str = ""
    commit: str = ""
    fix: str = ""
    when: str = ""


class Extracted(NamedTuple):
    """What an extraction gave.

    Attributes:
        found: what is new, in the order of the source.
        known: how many are in pattern records already.
        repeated: how many were the same as another one that was found.
        passed: why files and pieces were passed over, and how many.
        notes: what the user should know.
        written: ids of the records that were written, in the order of ``found``; none if that was
            not asked for.

    """

    found: list[ExtractedPattern]
    known: int
    repeated: int
    passed: dict[str, int]
    notes: list[str]
    written: tuple[str, ...] = ()


class SuggestedPattern(NamedTuple):
    """A pattern for a task: how it was found, and the whole record."""

    hit: "SearchHit"
    record: "Pattern"
