"""The fields of a record file: their values, and which kind of name is expected."""

from collections.abc import Iterator
from functools import cache
from types import UnionType
from typing import Annotated, Any, Final, Literal, NamedTuple, Union, get_args, get_origin

import msgspec

from gitmem.records.codec import Path
from gitmem.records.explain import annotation_at, describe
from gitmem.records.kinds import KINDS
from gitmem.records.parts import ErrorId, FixId, RecordId, RelPath, SessionId, Tag

Names = Literal["", "record", "error", "fix", "session", "tag", "path"]
_NAMES: Final[dict[Any, Names]] = {
    RecordId: "record", ErrorId: "error", FixId: "fix", SessionId: "session", Tag: "tag",
    RelPath: "path",
}  # fmt: skip
# Paths as tools named them: they may lie outside the repository, so any text is allowed.
_PATH_FIELDS: Final = frozenset({("location", "file"), ("frames", 0, "file")})


class Slot(NamedTuple):
    """The allowed content of one field or entry.

    Attributes:
        fields: names of the fields of a mapping, each with what it must be.
        values: the only words that are allowed, if it is so.
        names: what a text here is the name of; empty for free text.
        is_list: a list stands here; ``fields``, ``values`` and ``names`` are of its entries.

    """

    fields: dict[str, str]
    values: tuple[str, ...]
    names: Names
    is_list: bool


NOTHING: Final = Slot({}, (), "", False)  # noqa: FBT003  a named tuple


def slot(kind: str, steps: Path) -> Slot:
    """Give the allowed content at a path in a record of a kind."""
    if kind not in KINDS:
        values = tuple(KINDS) if steps == ("kind",) else ()
        return NOTHING._replace(values=values)
    if not steps:
        return NOTHING._replace(fields={"kind": "the record's kind"} | _fields(KINDS[kind]))
    if steps == ("kind",):
        return NOTHING._replace(values=tuple(KINDS))
    annotation = annotation_at(KINDS[kind], "".join(map(_step, steps)))
    if tuple(0 if isinstance(step, int) else step for step in steps) in _PATH_FIELDS:
        return NOTHING._replace(names="path")
    return NOTHING if annotation is None else _slot(annotation)


def _step(step: str | int) -> str:
    return f"[{step}]" if isinstance(step, int) else f".{step}"


def _slot(annotation: Any) -> Slot:  # noqa: ANN401
    slot = NOTHING
    for option in _options(annotation):
        if option in _NAMES:
            return slot._replace(names=_NAMES[option])
        origin, args = get_origin(option), get_args(option)
        if origin is Annotated:
            slot = slot._replace(values=slot.values + _slot(args[0]).values)
        elif origin is Literal:
            slot = slot._replace(values=slot.values + tuple(map(str, args)))
        elif option is bool:
            slot = slot._replace(values=(*slot.values, "true", "false"))
        elif origin is tuple and args[-1] is ...:
            slot = _slot(args[0])._replace(is_list=True)
        elif isinstance(option, type) and issubclass(option, msgspec.Struct):
            slot = slot._replace(fields=_fields(option))
    return slot


def _options(annotation: Any) -> Iterator[Any]:  # noqa: ANN401
    if get_origin(annotation) in {Union, UnionType}:
        for option in get_args(annotation):
            yield from _options(option)
    else:
        yield annotation


@cache
def _fields(struct: type[msgspec.Struct]) -> dict[str, str]:
    names = (field.name for field in msgspec.structs.fields(struct) if field.name != "extra")
    return {name: describe(annotation_at(struct, f".{name}")) for name in names}
