"""Fixes that an edit takes back, for an assistant: what others wrote is quoted."""

from typing import TYPE_CHECKING

from gitmem.render.assistant import AnswerPart, quoted
from gitmem.render.guarded import WHAT, place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gitmem.answers.guarded import TakenBack


def parts(fixes: "Iterable[TakenBack]") -> "Iterator[AnswerPart]":
    """Tell what an edit does to fixes, a part for each."""
    for taken in fixes:
        fix, error = taken.fix, taken.error
        what = f"{WHAT[taken.change.how]} **{fix.id}**: {quoted(fix.title)}"
        lines = [f"{taken.sureness}: this edit {what} at {quoted(place(taken))}"]
        if error:
            lines.append(f"- fixed {error.id}: {quoted(error.title)}, seen {taken.seen}")
        why = quoted(taken.why) if taken.rule else taken.why
        lines.append(f"- {quoted(taken.evidence)}; {why}")
        data = {"id": fix.id, "sureness": taken.sureness, "error": error.id if error else ""}
        yield AnswerPart("\n".join(lines), data)
