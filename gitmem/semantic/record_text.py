"""What is embedded of a record: its title, how it is asked for, its most telling fields."""

from typing import TYPE_CHECKING, Final

from gitmem.semantic.protocol import ERROR, PROSE, EmbeddedText

if TYPE_CHECKING:
    from gitmem.records.kinds import Record

# Only head and tail of a text count (``text.ENDS``), so what tells most comes first.
_FIELDS: Final = {
    "error": ("symptom", "cause", "excerpt"),
    "fix": ("symptom", "cause", "approach", "steps", "lessons", "why_failed", "analysis", "notes"),
    "decision": ("context", "decision", "rationale", "consequences"),
    "session": ("goal", "summary", "approach", "success_factors"),
    "pattern": ("when_to_use", "code"),
    "note": ("body",),
}


def embedded_text(record: "Record") -> EmbeddedText:
    """Give the text of a record that is embedded, with its manner."""
    texts = [record.title, *record.asked_as]
    for name in _FIELDS[record.kind]:
        value = getattr(record, name)
        if not value and name == "excerpt":
            value = getattr(record, "message", "")
        texts += [value] if isinstance(value, str) else value or ()
    manner = ERROR if record.kind == "error" else PROSE
    return EmbeddedText(manner, "\n".join(filter(None, texts)))
