"""Short forms that people type, turned into the data of a record."""

import math
import re
from typing import Any

from gitmem.errors import UsageError
from gitmem.records.guide import COMMON, KINDS, FieldPrompt
from gitmem.records.layout import KIND_OF, id_in, normalise
from gitmem.records.parts import Links

_PLACE = re.compile(r"(?P<file>.+?)(?::(?P<line>\d+))?(?::(?P<column>\d+))?(?!\n)$")
_ANCHOR = re.compile(r"(?P<path>.+?)(?::(?P<first>\d+)(?:-(?P<last>\d+))?)?(?!\n)$")


def ask_for(kind: str, field: str) -> FieldPrompt | None:
    """Find the guide's entry for a field of a kind."""
    return next((ask for ask in (*COMMON, *KINDS.get(kind, ())) if ask.field == field), None)


def value(ask: FieldPrompt, text: Any) -> Any:  # noqa: ANN401  plain data
    """Turn what was typed for ``ask`` into plain data; other types pass unchanged."""
    if not isinstance(text, str):
        return (
            [value(ask._replace(form=ask.field), item) for item in text]
            if isinstance(text, (list, tuple))
            else text
        )
    if ask.form == "place":
        return place(text)
    if ask.form == "alternatives":
        return alternative(text)
    if ask.form == "number":
        return number(ask.field, text)
    return text


def place(text: str) -> dict[str, Any]:
    """Read ``PATH``, ``PATH:LINE`` or ``PATH:LINE:COLUMN``."""
    match = _PLACE.match(text)
    if not match:
        raise UsageError(f"{text!r} is not a place", "write PATH, PATH:LINE or PATH:LINE:COLUMN")
    fields: dict[str, Any] = {"file": match["file"]}
    return fields | {name: int(match[name]) for name in ("line", "column") if match[name]}


def anchor(text: str) -> dict[str, Any]:
    """Read ``PATH``, ``PATH:LINE`` or ``PATH:FIRST-LAST``."""
    match = _ANCHOR.match(text)
    if not match:
        raise UsageError(f"{text!r} is not an anchor", "write PATH, PATH:LINE or PATH:FIRST-LAST")
    fields: dict[str, Any] = {"path": match["path"]}
    if match["first"]:
        fields["lines"] = [int(match["first"]), int(match["last"] or match["first"])]
    return fields


def alternative(text: str) -> dict[str, Any]:
    """Read ``OPTION: why not``."""
    option, _, why_not = text.partition(":")
    return {"option": option.strip(), "why_not": why_not.strip()}


def number(name: str, text: str) -> int | float:
    """Read a number."""
    try:
        value = int(text) if text.lstrip("-").isdecimal() else float(text)
        if math.isfinite(value):
            return value
        raise ValueError(text)  # noqa: TRY301  one message for all
    except (OverflowError, ValueError):
        raise UsageError(f"{name}: {text!r} is not a number", f"{name} must be a number") from None


def link(text: str) -> tuple[str, str]:
    """Read ``RELATION=ID``; the id may be any unique prefix and is resolved by the caller."""
    relation, _, target = text.partition("=")
    relation = relation.strip().replace("-", "_")
    if relation not in Links.RELATIONS or not target:
        hint = f"write RELATION=ID with a relation of {', '.join(Links.RELATIONS)}"
        raise UsageError(f"{text!r} is not a link", hint)
    return relation, normalise(target)


def prefix(reference: str) -> str:
    """Turn a typed reference into the beginning of an id, or of its part after the dash.

    ``err-7k`` stays, ``err`` becomes ``err-``, and ``7k`` stays for the part after the dash. The
    name of a record's file, with or without folders and ending, becomes the id that it ends in.
    """
    name = reference.strip()
    typed = id_in(name) or id_in(f"{name}.yaml") or normalise(reference)
    if not typed:
        raise UsageError("the id is empty", "name a record, such as err-7k")
    return f"{typed}-" if reference.strip().lower() in KIND_OF else typed
