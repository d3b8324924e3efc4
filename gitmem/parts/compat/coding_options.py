"""Options of a coding memory's calls that take several forms, or are refused by name."""

import warnings
from collections.abc import Mapping
from typing import Any

from gitmem.errors import UsageError, install
from gitmem.memory import Memory
from gitmem.other_settings import explained
from gitmem.parts.compat.arguments import truth
from gitmem.semantic.words import installed


def as_claim(memory: Memory, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Give the fields of a fix as an assistant states it: a claim until a check saw it work."""
    author = memory.records.writer.author
    via, tool = (author.via, author.tool) if author.via != "human" else ("agent", "coding-memory")
    named = {"name": author.name, "email": author.email, "via": via, "tool": tool}
    return {**fields, "author": {name: value for name, value in named.items() if value}}


def refuse(others: Mapping[str, object]) -> None:
    """Refuse options that a manager has not, with what replaces them where that is known."""
    for name in others:
        hint = explained(name) or "its options are those of help(CodingMemoryManager)"
        raise UsageError(f"CodingMemoryManager has no option {name}", hint)


def embedder(enabled: object) -> str | None:
    """Give the setting that an ``enable_rag`` means; warn where nothing for it is installed."""
    wanted = truth(enabled, "enable_rag")
    if wanted and not installed():
        text = f"gitmem: only words are searched: {install('semantic')}"
        warnings.warn(text, RuntimeWarning, stacklevel=3)
    return None if wanted is None else "auto" if wanted else "off"


def lines_of(span: object) -> tuple[int, int] | None:
    """Read ``first,last`` or ``first-last``, or two numbers; a single one is both."""
    if span is None or span == "":
        return None
    parts = span if isinstance(span, list | tuple) else str(span).replace("-", ",").split(",")
    numbers = [str(part).strip() for part in parts]
    if len(numbers) not in {1, 2} or not all(part.isdecimal() for part in numbers):
        raise UsageError(f"line_range {span!r} can't be read", "write FIRST,LAST, such as 42,57")
    return int(numbers[0]), int(numbers[-1])
