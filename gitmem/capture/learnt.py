"""What a run taught, as values: drafts of records, and edits that were tried before."""

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from gitmem.capture.patches import Patch
    from gitmem.capture.runs import Seen


class Draft(NamedTuple):
    """What a fixed failure would become in the memory.

    Attributes:
        id: its name among the drafts.
        site: fingerprint of the failure.
        error: fields of the error record.
        fixes: fields of the fix records, failed attempts first, the one that worked last.
        known: ids of error records that the memory has for this failure already.
        reasons: why it is worth remembering; empty: it stays local.

    """

    id: str
    site: str
    error: dict[str, Any]
    fixes: list[dict[str, Any]]
    known: list[str]
    reasons: list[str]


class Learnt(NamedTuple):
    """What a run taught.

    Attributes:
        drafts: failures that are gone, by an edit.
        flaky: failures that came and went on the same code.
        gaps: failures that are gone, but nobody can tell by what.

    """

    drafts: list[Draft]
    flaky: "list[Seen]"
    gaps: "list[Seen]"


class Tried(NamedTuple):
    """An edit at hand that was tried before and did not help."""

    seen: "Seen"
    patch: "Patch"
    where: str
