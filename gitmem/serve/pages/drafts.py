"""Drafts: what was learnt here and waits to be kept, edited or dropped."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from gitmem.serve import view
from gitmem.serve.pages.asking import ask

if TYPE_CHECKING:
    from gitmem.capture.learnt import Draft

TEXTS = {
    "error": ("title", "message", "symptom", "cause"),
    "fix": ("title", "approach", "why_failed", "worked_partially", "lessons"),
    "decision": ("title", "context", "decision", "rationale", "consequences"),
    "pattern": ("title", "when_to_use", "code"),
    "note": ("title", "body"),
}
"""Fields that can be edited on the page, by kind."""


class DraftField(NamedTuple):
    """A field of a draft in a form: what the form calls it, its name, and its text."""

    key: str
    name: str
    text: str


async def page(request: Request) -> Response:
    """Show the drafts, the newest first."""
    everything = await ask(request, lambda memory: memory.failures.drafts.all())
    drafts = await ask(request, lambda memory: memory.failures.drafts.open())
    gone = request.query_params.get("dropped", "")
    open_ones = {draft.id for draft in drafts}
    values = {
        "drafts": [(draft, list(editable(draft))) for draft in drafts[::-1]],
        "dropped": [each for each in everything if each.id == gone and each.id not in open_ones],
    }
    return view.page(request, "drafts.html", values)


def editable(draft: "Draft") -> Iterator[tuple[str, list[DraftField]]]:
    """Give the records of a draft by their kinds, each with the fields that can be edited."""
    for kind, key, fields in _records(draft):
        names = [name for name in TEXTS.get(kind, ()) if name == "title" or fields.get(name)]
        yield (
            kind,
            [
                DraftField(f"{key}.{name}", name.replace("_", " "), str(fields.get(name) or ""))
                for name in names
            ],
        )


def edited(draft: "Draft", form: Mapping[str, str]) -> dict[str, Any]:
    """Give the fields of a draft as a form has them; what it does not hold stays as it is."""
    parts: dict[str, Any] = {"error": dict(draft.error), "fixes": [], "others": []}
    for kind, key, fields in _records(draft):
        changed = dict(fields)
        for name in TEXTS.get(kind, ()):
            if (text := form.get(f"{key}.{name}")) is not None:
                changed[name] = text.replace("\r\n", "\n").strip()
        group, _, _ = key.partition(".")
        if group == "error":
            parts["error"] = changed
        else:
            parts[group].append(changed)
    return parts


def _records(draft: "Draft") -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Give each record of a draft: its kind, its name in a form, its fields."""
    if draft.error:
        yield "error", "error", draft.error
    for number, fix in enumerate(draft.fixes):
        yield "fix", f"fixes.{number}", fix
    for number, other in enumerate(draft.others):
        yield str(other.get("kind", "")), f"others.{number}", other
