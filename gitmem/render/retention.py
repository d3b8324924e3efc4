"""What is due to be pruned or archived, as text and as JSON."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gitmem.render.text import Painter, one_line

if TYPE_CHECKING:
    from gitmem.learning.retention import Retained

_MOST = 20


def retained(retained: "Retained", painter: Painter, *, whole: bool) -> Iterator[str]:
    """What is due and why, and what stays and why."""
    due = retained.plan.due
    for due_record in due if whole else due[:_MOST]:
        item = due_record.item
        yield painter.line(
            0,
            [
                (item.id, ("yellow",)),
                (item.kind, ()),
                (one_line(item.title), ("bold",)),
                (due_record.why, ("dim",)),
            ],
        )
    if len(due) > _MOST and not whole:
        yield painter.paint(f"and {len(due) - _MOST} more: --all", "dim")
    if due:
        shares = [f"{name}: {go} go, {stay} stay" for name, go, stay in retained.plan.outcomes]
        if shares:
            yield painter.line(0, [("fixes", ("cyan",)), ("; ".join(shares), ("dim",))])
    reasons = Counter(retained.plan.kept.values())
    if retained.uncommitted:
        reasons["not committed: git could not bring it back"] = len(retained.uncommitted)
    for why, number in reasons.most_common():
        yield painter.line(0, [(f"kept {number}", ("cyan",)), (why, ("dim",))])


def retained_json(retained: "Retained") -> dict[str, Any]:
    """The same for programs."""
    return {
        "due": [
            {
                "id": due_record.item.id,
                "kind": due_record.item.kind,
                "title": due_record.item.title,
                "path": due_record.item.path,
                "why": due_record.why,
            }
            for due_record in retained.plan.due
        ],
        "kept": retained.plan.kept,
        "uncommitted": retained.uncommitted,
        "young": retained.plan.young,
        "done": retained.done,
        "commit": retained.commit,
        "archives": list(retained.archives),
    }
