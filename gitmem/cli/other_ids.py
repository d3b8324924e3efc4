"""What an id names that no record has: a draft, or a watched run."""

from typing import TYPE_CHECKING, Final

from gitmem.errors import NotFoundError

if TYPE_CHECKING:
    from gitmem.memory import Memory

_DIGITS: Final = frozenset("0123456789abcdef")


def explained(memory: "Memory", error: NotFoundError) -> NotFoundError:
    """Give an error that says what the id names, and what can be done with it; else the same."""
    typed = error.reference.lower()
    if not typed or set(typed) - _DIGITS:
        return error
    for draft in memory.failures.drafts.open():
        if draft.id.startswith(typed):
            hint = f"to make a record of it: gitmem drafts keep {draft.id}"
            return NotFoundError(f"{draft.id} is a draft", hint)
    for run in memory.failures.runs(0):
        if run.id.startswith(typed):
            return NotFoundError(f"{run.id} is a run", f"to see it: gitmem runs {run.id}")
    return error
