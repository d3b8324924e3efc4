"""What all shells share: opening a folder's memory, made if missing, and their vocabulary."""

import asyncio
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

from gitmem.errors import NotFoundError
from gitmem.learning.context import ContextSection
from gitmem.memory import Memory
from gitmem.render.context import fitted

_P = ParamSpec("_P")
_Result = TypeVar("_Result")
_WORD = re.compile(r"\w+(?:[.'-]\w+)*")


@contextmanager
def opened(folder: str = ".", settings: Mapping[str, Any] | None = None) -> Iterator[Memory]:
    """Open the memory of a folder for one question; where there is none, make it.

    Nothing stays open between two questions, so shells may be used from any thread.
    """
    os.makedirs(folder, exist_ok=True)
    try:
        memory = Memory.open(folder, settings=settings)
    except NotFoundError:
        Memory.init(folder)
        memory = Memory.open(folder, settings=settings)
    with memory:
        yield memory


def ask_once(folder: str, question: Callable[[Memory], _Result]) -> _Result:
    """Ask the memory of a folder several things at one state: its files are compared once."""
    with opened(folder) as memory:
        return memory.workspace.ask(lambda _: question(memory))


def context(
    memory: Memory,
    focus: str = "",
    *,
    conventions: bool = False,
    sections: Sequence[ContextSection] = (),
) -> str:
    """Give what is to be known before the next attempt as Markdown, quoted as data.

    Args:
        memory: the memory.
        focus: what it is about.
        conventions: also tell how the code is written.
        sections: take the place of those of what was tried.

    """
    whole = memory.advice.context(focus, conventions=conventions)
    if sections:
        names = {section.name for section in sections}
        rest = [section for section in whole.sections if section.name not in names]
        own = [section for section in sections if section.entries]
        whole = whole._replace(sections=(*own, *rest))
    return fitted(whole).markdown


async def awaited(function: Callable[_P, _Result], *args: _P.args, **named: _P.kwargs) -> _Result:
    """Do what takes a while beside the event loop."""
    return await asyncio.to_thread(function, *args, **named)


def words(text: str) -> str:
    """Take the words of a text, so that nothing in it is read as an operator of the search."""
    return " ".join(_WORD.findall(text))


def listed(value: object) -> list[str]:
    """Read a list of texts that came as a list, as JSON or as one text."""
    if isinstance(value, str):
        data = from_text(value)
        return listed(data) if isinstance(data, list) else [value] if value.strip() else []
    if isinstance(value, Iterable):
        return [str(item) for item in value]
    return [] if value is None else [str(value)]


def tag(text: str) -> str:
    """Make one word of a text, for a tag; empty if it has none."""
    return re.sub(r"[\s,\x00-\x1f]+", "-", text.strip())[:100]


def tagged(*names: str) -> list[str]:
    """Make tags, each once."""
    return list(dict.fromkeys(filter(None, map(tag, names))))


def scalars(data: object) -> dict[str, Any]:
    """Flatten plain data to what a record's figures can hold.

    What is nested has names such as ``model.name``; a list becomes JSON.
    """
    if data is None:
        return {}
    if not isinstance(data, Mapping):
        data = getattr(data, "__dict__", None) or {"value": data}
    flat: dict[str, Any] = {}
    for name, value in data.items():
        if isinstance(value, str | int | float | bool | None):
            flat[str(name)] = value
        elif isinstance(value, Mapping) and value:
            flat |= {f"{name}.{inner}": part for inner, part in scalars(value).items()}
        else:
            flat[str(name)] = to_text(value, one_line=True)
    return flat


def to_text(value: object, *, one_line: bool = False) -> str:
    """Write a value as text that ``from_text`` reads back."""
    # A text that reads as a number, say, must come back as text.
    if isinstance(value, str) and from_text(value) == value and not (one_line and "\n" in value):
        return value
    indent = None if one_line else 2
    return json.dumps(value, indent=indent, default=str, ensure_ascii=False)


def from_text(text: str) -> Any:  # noqa: ANN401  whatever was stored
    """Give what a text says as JSON, else the text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def as_text(value: object) -> str:
    """Give a text as it is, and other data as JSON."""
    return value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)


def or_default(value: object, default: Any = None) -> Any:  # noqa: ANN401  whatever the caller gave
    """Give a value, or the default for ``...``, which examples write for what they leave out."""
    return default if value is ... else value
