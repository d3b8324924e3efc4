"""Explains what is wrong with a value and what is allowed, and names the field."""

import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from gitmem.errors import InvalidError

_AT = re.compile(r"(?s)^(.*?)(?: - at `\$(.*)`)?$")
_FIELD_MESSAGE = re.compile(r"(?s)([a-z_]+(?:\.[a-z_]+)?): (.*)$")
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_WORDS = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    dict: "a mapping",
    datetime: "a date and time such as 2026-11-21T09:30:00Z",
}

_GOT = {
    "str": "text", "int": "a number", "float": "a number", "bool": "true or false",
    "array": "a list", "object": "a mapping", "null": "nothing",
}  # fmt: skip


def explain(
    struct: type[msgspec.Struct],
    error: msgspec.ValidationError,
    renamed_part: tuple[str, str] = ("", ""),
) -> InvalidError:
    """Turn msgspec's message into ours: field, what is wrong, what is allowed.

    Args:
        struct: what was converted to.
        error: what msgspec said.
        renamed_part: a part of the path as msgspec saw it, and as it truly is.

    """
    match = _AT.match(str(error))
    what, path = (match[1], match[2] or "") if match else (str(error), "")
    missing = re.search(r"missing required field `(\w+)`", what)
    if missing:
        path += f".{missing[1]}"
        what = "is missing"
    if inner := _FIELD_MESSAGE.match(what):  # by the part itself, about one of its own fields
        path += f".{inner[1]}"
        what = inner[2]
    annotation = annotation_at(struct, path)
    field = path.replace(*renamed_part, 1).removeprefix(".")
    if what.startswith(("Expected", "Invalid")):
        what = _plain(what)
    prefix = "" if not field or what.startswith(f"{field}:") else f"{field}: "
    hint = f"{field or 'it'} must be {describe(annotation)}" if annotation else ""
    return InvalidError(prefix + what, hint, field)


def _plain(what: str) -> str:
    if "matching regex" in what or "`str` of length" in what:
        return "this text is not allowed here"
    got = re.search(r"got `(\w+)`", what)
    if got:
        kind = _GOT.get(got[1], got[1])
        return f"{kind} is not allowed here"
    if what.startswith("Invalid enum value"):
        return f"unknown value {what.removeprefix('Invalid enum value ')}"
    if "datetime" in what:
        return "not a date and time with a zone"
    return "out of range"


def annotation_at(struct: type[msgspec.Struct], path: str) -> Any:  # noqa: ANN401  an annotation
    """Follow a path such as ``.frames[0].line`` through the types; None where it leaves them."""
    here: Any = struct
    for step in _STEP.finditer(path):
        here = _inside(here, step[1])
    return here if path else None


def _inside(annotation: Any, name: str | None) -> Any:  # noqa: ANN401
    for option in _options(annotation):
        if name is None and get_origin(option) is tuple:
            return get_args(option)[0]
        if name and isinstance(option, type) and issubclass(option, msgspec.Struct):
            return _hints(option).get(name)
        if get_origin(option) is dict:
            return get_args(option)[1]
    return None


@cache
def _hints(struct: type[msgspec.Struct]) -> dict[str, Any]:
    return get_type_hints(struct, include_extras=True)


def _options(annotation: Any) -> Iterator[Any]:  # noqa: ANN401
    origin = get_origin(annotation)
    if origin is Annotated:
        yield from _options(get_args(annotation)[0])
    elif origin in {Union, UnionType}:
        for option in get_args(annotation):
            yield from _options(option)
    else:
        yield annotation


def describe(annotation: Any) -> str:  # noqa: ANN401
    """Name what an annotation allows: ``one of worked, partial, failed, unverified``."""
    if get_origin(annotation) is Annotated:
        base, *metas = get_args(annotation)
        meta = metas[0]
        words = meta.description or describe(base)
        if meta.ge is not None and meta.le is not None:
            return f"{describe(base)} from {meta.ge} to {meta.le}"
        if meta.ge is not None:
            return f"{describe(base)}, at least {meta.ge}"
        if not meta.max_length or get_origin(base) is tuple:
            return words
        return f"{words} (at most {meta.max_length} characters)"
    origin = get_origin(annotation)
    if origin is Literal:
        return "one of " + ", ".join(map(str, get_args(annotation)))
    if origin in {Union, UnionType}:
        return " or ".join(describe(a) for a in get_args(annotation) if a is not NoneType)
    if origin is tuple:
        args = get_args(annotation)
        if args[-1] is ...:
            return f"a list; each entry must be {describe(args[0])}"
        return f"a list of {len(args)}, each {describe(args[0])}"
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        return "a mapping with " + ", ".join(
            n for n in annotation.__struct_fields__ if n != "extra"
        )
    return _WORDS.get(origin or annotation, "another value")
