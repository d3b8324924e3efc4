"""A context in fewer words: the texts of its records by a model, everything else as it was.

Sections, titles, outcomes, authors and ids are ours, so no record can be lost or made up. A model
only shortens what a record says at length, and what it adds of its own is not taken.
"""

from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import NotFoundError
from gitmem.learning.context import Context, ContextEntry, TitledText
from gitmem.learning.fitting import FittedSection, fit
from gitmem.learning.tokens import estimate
from gitmem.llm.answers import Gists
from gitmem.llm.evidence import shortened
from gitmem.memory.core.redaction import redact
from gitmem.memory.models.modelling import Approve, Matter, ModelClient, ask

if TYPE_CHECKING:
    from gitmem.llm.modelled import Modelled
    from gitmem.memory.memory import Memory

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


def compressed(
    memory: "Memory", found: Context, approve: Approve | None, speaker: ModelClient | None
) -> "tuple[Context, Modelled]":
    """Shorten the records of a context; see ``Memory.model_context``.

    Raises:
        NotFoundError: no record of it is long enough to be shortened.

    """
    sent = [(title, entry) for title, entry in _wide(found) if _is_long(entry)]
    if not sent:
        raise NotFoundError("no record of this context is long", "the context is short already")
    room = min(found.budget, int(memory.site.config.llm_output_tokens * _SHARE))
    # Without secrets already here: what a model writes is held against what went out.
    records = redact(memory.workspace, [_told(title, entry) for title, entry in sent])[0]
    texts = {one["record"]: "\n".join([one["title"], *one["texts"].values()]) for one in records}
    material = {"tokens": room, "records": records}
    matter = Matter("context-compression", "Shorten the context", material, frozenset())
    answer, said = ask(memory, matter, Gists, approve, speaker)
    gists, notes = shortened(answer, texts)
    if missing := [name for name in texts if name not in gists]:
        notes.append(f"not shortened: {' '.join(missing)}")
    sections = tuple(
        section._replace(entries=tuple(_shorter(one, gists) for one in section.entries))
        for section in found.sections
    )
    return found._replace(sections=sections), said._replace(notes=(*said.notes, *notes))


def _wide(found: Context) -> list[tuple[str, ContextEntry]]:
    """Give the entries that a wider budget would show, the best of each section first."""
    parts = [
        FittedSection(_AROUND, [_AROUND + _size(entry) for entry in section.entries])
        for section in found.sections
    ]
    chosen = fit(parts, min(_WIDER * found.budget, _MOST))
    return [
        (section.title, section.entries[at])
        for section, places in zip(found.sections, chosen, strict=True)
        for at in places
    ]


def _size(entry: ContextEntry) -> int:
    return estimate(entry.title) + sum(estimate(text.text) for text in entry.texts)


def _is_long(entry: ContextEntry) -> bool:
    return bool(entry.record) and _size(entry) - estimate(entry.title) >= _LEAST


def _told(title: str, entry: ContextEntry) -> dict[str, Any]:
    texts = {text.name or "text": text.text for text in entry.texts}
    return {"record": entry.record, "section": title, "title": entry.title, "texts": texts}


def _shorter(entry: ContextEntry, gists: dict[str, str]) -> ContextEntry:
    gist = gists.get(entry.record)
    return entry._replace(texts=(TitledText(SHORT, gist),)) if gist else entry
