"""Options of a coding memory's calls that take several forms, or are refused by name."""

from collections.abc import Mapping

from gitmem.errors import UsageError
from gitmem.other_settings import explained


def refuse(others: Mapping[str, object]) -> None:
    """Refuse options that a manager has not, with what replaces them where that is known."""
    for name in others:
        hint = explained(name) or "its options are those of help(CodingMemoryManager)"
        raise UsageError(f"CodingMemoryManager has no option {name}", hint)


def lines_of(span: object) -> tuple[int, int] | None:
    """Read ``first,last`` or ``first-last``, or two numbers; a single one is both."""
    if span is None or span == "":
        return None
    parts = span if isinstance(span, list | tuple) else str(span).replace("-", ",").split(",")
    numbers = [str(part).strip() for part in parts]
    if len(numbers) not in {1, 2} or not all(part.isdecimal() for part in numbers):
        raise UsageError(f"line_range {span!r} can't be read", "write FIRST,LAST, such as 42,57")
    return int(numbers[0]), int(numbers[-1])
