"""A context that a model shortened, as Markdown and JSON: marked, with every id kept.

Records are shown in the same order and as whole as without a model, only shorter. Those for which
there is no room are named, each: that comes before the budget, and a note says by how much.
"""

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.learning.tokens import estimate
from gitmem.render import context as whole
from gitmem.render.markdown import escaped
from gitmem.render.model_answer import as_data as model_data

if TYPE_CHECKING:
    from gitmem.learning.context import Context
    from gitmem.llm.modelled import Modelled

_GAP: Final = "\n\n"
_SEAMS: Final = 6
"""Tokens of the gaps around what is put in."""


class Compressed(NamedTuple):
    """A context as it is written.

    Attributes:
        markdown: the text, with a line break at its end.
        tokens: how many it takes, estimated high.
        shown: for each section the positions of the entries that are shown.
        named: ids of the records that are only named.
        left_out: how many entries that are no records are left out.
        notes: where it falls short, a line each.

    """

    markdown: str
    tokens: int
    shown: tuple[tuple[int, ...], ...]
    named: tuple[str, ...]
    left_out: int
    notes: tuple[str, ...]


def fitted(context: "Context", answer: "Modelled") -> Compressed:
    """Write a shortened context down within its budget, or say by how much it is over.

    Args:
        context: as the model left it.
        answer: whose words stand in it.

    """
    mark = (
        f"{escaped(answer.origin)}: every text that is named *in short*. The record itself: "
        "gitmem show ID."
    )
    room = context.budget - estimate(mark) - _SEAMS
    done = whole.fitted(context._replace(budget=room))
    # Each record that is left out is named, which leaves less room for others.
    while (names := _names(context, done)) and room > 0:
        wanted = context.budget - estimate(mark) - estimate(_line(names)) - _SEAMS
        if done.tokens <= wanted:
            break
        room = min(room - 1, wanted)
        done = whole.fitted(context._replace(budget=room))
    head, _, rest = done.markdown.rstrip("\n").partition(_GAP)
    quoted, _, rest = rest.partition(_GAP)
    blocks = [head, quoted, mark, rest, _line(names) if names else ""]
    text = _GAP.join(filter(None, blocks)) + "\n"
    tokens = estimate(text)
    notes = []
    if tokens > context.budget:
        over = f"{tokens} tokens, {tokens - context.budget} over the budget of {context.budget}"
        notes.append(f"it takes {over}, because no id is left out")
    others = done.left_out - len(names)
    return Compressed(text, tokens, done.shown, tuple(names), others, tuple(notes))


def _names(context: "Context", done: whole.FittedContext) -> list[str]:
    """Give the ids of the records that are not shown."""
    shown = {
        section.entries[at].record
        for section, positions in zip(context.sections, done.shown, strict=True)
        for at in positions
    }
    record_ids = [entry.record for section in context.sections for entry in section.entries]
    return [name for name in dict.fromkeys(record_ids) if name and name not in shown]


def _line(names: list[str]) -> str:
    return f"Records that did not fit; see gitmem show: {' '.join(names)}."


def as_data(context: "Context", answer: "Modelled", done: Compressed) -> dict[str, Any]:
    """Give a shortened context as plain data, with whose words it holds and what they took."""
    like = whole.FittedContext(done.markdown, done.tokens, done.shown, done.left_out)
    data = whole.as_data(context, like)
    notes = [*data["notes"], *done.notes]
    return {**data, "notes": notes, "named": list(done.named), "model": model_data(answer)}
