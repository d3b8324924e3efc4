"""Shortens a context: a model rewrites the texts of records, everything else stays.

Sections, titles, outcomes, authors and ids are ours, so no record can be lost or made up. A model
only shortens the long texts of a record; facts that it adds are left out.
"""

from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import NotFoundError
from gitmem.learning.context import Context, ContextEntry, TitledText
from gitmem.learning.tokens import FittedSection, estimate, fit
from gitmem.llm.answers import Gists
from gitmem.llm.evidence import shortened
from gitmem.memory.core.redaction import redact_for_model
from gitmem.memory.models.model_calls import ModelRequest, ask

if TYPE_CHECKING:
    from gitmem.llm.approval import Approve
    from gitmem.llm.client import ModelClient
    from gitmem.llm.modelled import Modelled
    from gitmem.memory.core.workspace import Workspace

SHORT: Final = "in short"
"""Name of a text that a model wrote."""
_WIDER: Final = 4
"""So many times the budget is looked at: what comes after that is hardly of use."""
_MOST: Final = 24_000
"""Tokens that are sent at most, in estimation."""
_AROUND: Final = 30
"""Tokens of an entry beside its texts: its mark, its id, who and when."""
_LEAST: Final = 60
"""Tokens; what takes fewer is not worth shortening."""
_SHARE: Final = 0.6
"""Of what an answer may take, as its form takes room, too."""


def compress(
    workspace: "Workspace",
    context: Context,
    approve: "Approve | None",
    client: "ModelClient | None",
) -> "tuple[Context, Modelled]":
    """Shorten the records of a context; see ``Models.compress``."""
    sent = [(title, entry) for title, entry in _wide(context) if _is_long(entry)]
    if not sent:
        raise NotFoundError("no record of this context is long", "the context is short already")
    room = min(context.budget, int(workspace.site.config.llm_output_tokens * _SHARE))
    # Without secrets already here: what a model writes is held against what went out.
    records = redact_for_model(workspace, [_entry_data(title, entry) for title, entry in sent])[0]
    texts = {
        record["record"]: "\n".join([record["title"], *record["texts"].values()])
        for record in records
    }
    material = {"tokens": room, "records": records}
    request = ModelRequest("context-compression", "Shorten the context", material, frozenset())
    shortened_texts, answer = ask(workspace, request, Gists, approve, client)
    summaries, notes = shortened(shortened_texts, texts)
    if missing := [name for name in texts if name not in summaries]:
        notes.append(f"not shortened: {' '.join(missing)}")
    sections = tuple(
        section._replace(entries=tuple(_shorter(entry, summaries) for entry in section.entries))
        for section in context.sections
    )
    return context._replace(sections=sections), answer._replace(notes=(*answer.notes, *notes))


def _wide(context: Context) -> list[tuple[str, ContextEntry]]:
    """Give the entries that a wider budget would show, the best of each section first."""
    parts = [
        FittedSection(_AROUND, [_AROUND + _size(entry) for entry in section.entries])
        for section in context.sections
    ]
    chosen = fit(parts, min(_WIDER * context.budget, _MOST))
    return [
        (section.title, section.entries[at])
        for section, positions in zip(context.sections, chosen, strict=True)
        for at in positions
    ]


def _size(entry: ContextEntry) -> int:
    return estimate(entry.title) + sum(estimate(text.text) for text in entry.texts)


def _is_long(entry: ContextEntry) -> bool:
    return bool(entry.record) and _size(entry) - estimate(entry.title) >= _LEAST


def _entry_data(title: str, entry: ContextEntry) -> dict[str, Any]:
    texts = {text.name or "text": text.text for text in entry.texts}
    return {"record": entry.record, "section": title, "title": entry.title, "texts": texts}


def _shorter(entry: ContextEntry, summaries: dict[str, str]) -> ContextEntry:
    summary = summaries.get(entry.record)
    return entry._replace(texts=(TitledText(SHORT, summary),)) if summary else entry
