"""A context as an answer for assistants: the same text as everywhere, on quoted lines."""

import re
from typing import TYPE_CHECKING, Final

from gitmem.learning.context import LEAST_BUDGET
from gitmem.learning.tokens import estimate
from gitmem.render.assistant import QUOTED, Answer, AnswerPart, cited
from gitmem.render.context import fitted

if TYPE_CHECKING:
    from gitmem.learning.context import Context

_LONG_PATCH: Final = re.compile(r"(\bof \d+ lines: )gitmem show\b")
"""What a context says instead of a patch that is too long."""
_FRAME: Final = estimate(QUOTED) + 32


def context(context: "Context", budget: int) -> Answer:
    """Write a context within the budget, quoting included.

    Args:
        context: the context.
        budget: tokens of the whole answer, estimated high.

    """
    wanted = budget - _FRAME
    room = wanted
    while True:
        done = fitted(context._replace(budget=max(room, LEAST_BUDGET)))
        text = cited(done.markdown.partition("\n\n")[2].partition("\n\n")[2])
        text = _LONG_PATCH.sub(r"\1gitmem_show", text)
        over = estimate(text) - wanted
        if over <= 0 or room <= LEAST_BUDGET:
            break
        room -= max(over, 16)
    items = [
        {"section": section.name, "id": section.entries[at].record}
        for section, positions in zip(context.sections, done.shown, strict=True)
        for at in positions
        if section.entries[at].record
    ]
    parts = [AnswerPart(text, {})] if text.strip("> \n") else []
    head = "" if parts else "Nothing is known that would help here."
    return Answer(parts, head, {"records": items, "entries_left_out": done.left_out})
