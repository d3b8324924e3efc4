"""Turns arguments as assistants send them into what records hold."""

import json
import os
from typing import TYPE_CHECKING, Annotated, Final

from pydantic import BeforeValidator

from gitmem.errors import NotFoundError, UsageError
from gitmem.mcp.calls import here

if TYPE_CHECKING:
    from gitmem.memory import Memory

_PAIR: Final = 2


def _listed(value: object) -> object:
    """Take a list, or JSON of one, or words with commas."""
    if not isinstance(value, str):
        return value
    try:
        items = json.loads(value)
    except (ValueError, RecursionError):
        items = [item.strip() for item in value.split(",")]
    item_list = items if isinstance(items, list) else [items]
    return [str(item) for item in item_list if str(item).strip()]


Texts = Annotated[list[str] | None, BeforeValidator(_listed)]
"""A list of texts, or JSON of one, or words with commas."""


def questions(asked_as: str) -> list[str]:
    """Read the lines of ``asked_as``."""
    return [line.strip() for line in asked_as.splitlines() if line.strip()]


def words(tags: "list[str] | None") -> list[str]:
    """Make single words of tags."""
    return list(dict.fromkeys("-".join(tag.split()) for tag in tags or () if tag.strip()))


def lines(text: str) -> tuple[int, int] | None:
    """Read ``FIRST,LAST`` or ``FIRST-LAST``; None for nothing.

    Raises:
        UsageError: it is neither.

    """
    numbers = [number.strip() for number in text.strip("[]() ").replace("-", ",").split(",")]
    numbers = [number for number in numbers if number]
    if not numbers:
        return None
    if len(numbers) > _PAIR or not all(number.isdecimal() for number in numbers):
        raise UsageError(f"line_range {text!r} can't be read", "write FIRST,LAST such as 42,57")
    return int(numbers[0]), int(numbers[-1])


def picture(memory: "Memory", path: str) -> str:
    """Give the absolute path of a picture in the work tree; what lies elsewhere is refused.

    Raises:
        UsageError: it lies outside the repository, or leads out of it.
        NotFoundError: there is none.

    """
    try:
        inside = here(memory, path)
    except UsageError:
        hint = "copy it there, and give its path"
        raise UsageError("a screenshot must be in the repository", hint) from None
    full = os.path.join(memory.workspace.site.root, inside)
    if not os.path.isfile(full):
        raise NotFoundError(f"there is no file {inside}", "name a picture that is there")
    return full
