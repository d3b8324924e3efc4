"""What is due to be pruned or archived, as text and as JSON."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gitmem.render.text import Painter, one_line

if TYPE_CHECKING:
    from gitmem.learning.retention import Retained

_MOST = 20


def retained(found: "Retained", painter: Painter, *, whole: bool) -> Iterator[str]:
    """What is due and why, and what stays and why."""
    due = found.plan.due
    for one in due if whole else due[:_MOST]:
        item = one.item
        yield painter.line(
            0,
            [
                (item.id, ("yellow",)),
                (item.kind, ()),
                (one_line(item.title), ("bold",)),
                (one.why, ("dim",)),
            ],
        )
    if len(due) > _MOST and not whole:
        yield painter.paint(f"and {len(due) - _MOST} more: --all", "dim")
    reasons = Counter(found.plan.kept.values())
    if found.uncommitted:
        reasons["not committed: git could not bring it back"] = len(found.uncommitted)
    for why, number in reasons.most_common():
        yield painter.line(0, [(f"kept {number}", ("cyan",)), (why, ("dim",))])


def retained_json(found: "Retained") -> dict[str, Any]:
    """The same for programs."""
    return {
        "due": [
            {
                "id": one.item.id,
                "kind": one.item.kind,
                "title": one.item.title,
                "path": one.item.path,
                "why": one.why,
            }
            for one in found.plan.due
        ],
        "kept": found.plan.kept,
        "uncommitted": found.uncommitted,
        "young": found.plan.young,
        "done": found.done,
        "commit": found.commit,
        "archives": list(found.archives),
    }
