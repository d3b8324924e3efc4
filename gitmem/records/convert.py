"""Plain data to records and back, and a file's bytes to a record or its problems."""

import difflib
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from typing import Any, Final, NamedTuple, get_args, get_type_hints

import msgspec

from gitmem.errors import InvalidError
from gitmem.records import codec
from gitmem.records.kinds import KINDS, PLACEHOLDER, Record
from gitmem.records.migrations import SCHEMA, migrate
from gitmem.records.parts import RecordPart, built
from gitmem.records.problems import Problem

_MARK: Final = PLACEHOLDER.encode()


class DecodedRecord(NamedTuple):
    """What came out of one file: a record, or problems, or (newer schema) both."""

    record: Record | None
    problems: list[Problem]


def to_data(record: Record) -> dict[str, Any]:
    """Turn a record into plain data in canonical order: set fields first, unknown ones last."""
    data = _plain(record)
    return {"schema": record.schema, "id": record.id, "kind": record.kind} | data


def _plain(part: RecordPart) -> dict[str, Any]:
    data: dict[str, Any] = {}
    defaults = _defaults(type(part))
    for name in part.__struct_fields__:
        value = getattr(part, name)
        if name != "extra" and (name not in defaults or value != defaults[name]):
            data[name] = _plain_value(value)
    return data | part.extra


def _plain_value(value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, RecordPart):
        return _plain(value)
    if isinstance(value, tuple):
        return [_plain_value(item) for item in value]
    if isinstance(value, datetime):
        spec = "seconds" if not value.microsecond else "microseconds"
        spec = "milliseconds" if spec != "seconds" and value.microsecond % 1000 == 0 else spec
        return value.isoformat(timespec=spec).replace("+00:00", "Z")
    return msgspec.to_builtins(value)


@cache
def _defaults(part: type[RecordPart]) -> dict[str, Any]:
    return {
        field.name: field.default_factory() if field.default is msgspec.NODEFAULT else field.default
        for field in msgspec.structs.fields(part)
        if not field.required and field.name != "schema"
    }


def from_data(data: dict[str, Any]) -> Record:
    """Build a record from plain data; raise InvalidError naming the first bad field."""
    data = migrate(data)
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        what = "is missing" if kind is None else f"unknown value {kind!r}"
        raise InvalidError(f"kind: {what}", f"kind must be one of {', '.join(KINDS)}", "kind")
    struct = KINDS[kind]
    try:
        return built(_fold_unknown(_without_kind(data), struct), struct)
    except msgspec.ValidationError as error:
        from gitmem.records.explain import explain

        raise explain(struct, error) from None


def all_faults(data: dict[str, Any]) -> list[InvalidError]:
    """List every bad top-level field of data that ``from_data`` refuses."""
    faults: dict[str, InvalidError] = {}
    try:
        from_data(data)
    except InvalidError as first:
        faults[first.field] = first
    if "kind" in faults or not faults:
        return list(faults.values())
    struct = KINDS[data["kind"]]
    fields_by_name = _fold_unknown(_without_kind(data), struct)
    hints = get_type_hints(struct, include_extras=True)
    for field in msgspec.structs.fields(struct):
        if field.name not in fields_by_name:
            if field.required:
                faults[field.name] = _missing(field.name, fields_by_name.get("extra", {}))
            continue
        probe = msgspec.defstruct(struct.__name__, [(field.name, hints[field.name])])
        for fault in _faults_of(probe, field.name, fields_by_name[field.name]):
            # What an entry without a key says, the entry itself says better.
            faults = {name: fault for name, fault in faults.items() if name != f"{field.name}[...]"}
            faults.setdefault(fault.field, fault)
    return list(faults.values())


def _faults_of(probe: type[msgspec.Struct], name: str, value: Any) -> Iterator[InvalidError]:  # noqa: ANN401
    """List what is wrong with one field; of lists and mappings, with each entry apart."""
    from gitmem.records.explain import explain

    try:
        msgspec.convert({name: value}, probe)
    except msgspec.ValidationError as error:
        whole = explain(probe, error)
    else:
        return
    is_there = False
    if isinstance(value, list):
        for number, entry in enumerate(value):
            try:
                msgspec.convert({name: [entry]}, probe)
            except msgspec.ValidationError as error:
                if "$" not in str(error) or f"{name}[" not in str(error):
                    break  # it is about the list, such as its length
                is_there = True
                yield explain(probe, error, ("[0]", f"[{number}]"))
    elif isinstance(value, dict) and "[...]" in whole.field:
        for key, entry in value.items():
            try:
                msgspec.convert({name: {key: entry}}, probe)
            except msgspec.ValidationError as error:
                is_there = True
                yield explain(probe, error, ("[...]", f".{key}"))
    if not is_there:
        yield whole


def _missing(name: str, unknown: dict[str, Any]) -> InvalidError:
    typo = next(iter(difflib.get_close_matches(name, unknown, 1)), None)
    hint = f"did you mean it with '{typo}'?" if typo else f"add the field {name}"
    return InvalidError(f"{name}: is missing", hint, name)


def _without_kind(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key != "kind"}


def _fold_unknown(data: dict[str, Any], part: type[RecordPart]) -> dict[str, Any]:
    """Move what this version does not know into ``extra``, at every level."""
    nested = _nested(part)
    folded: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    for key, value in data.items():
        if key in nested:
            inner = nested[key]
            folded[key] = value if inner is None else _fold_inside(value, inner)
        else:
            extra[key] = value
    if extra:
        folded["extra"] = extra
    return folded


def _fold_inside(value: Any, part: type[RecordPart]) -> Any:  # noqa: ANN401
    if isinstance(value, dict):
        return _fold_unknown(value, part)
    if isinstance(value, list):
        return [_fold_inside(item, part) for item in value]
    return value


@cache
def _nested(part: type[RecordPart]) -> dict[str, type[RecordPart] | None]:
    """Map each known field to the RecordPart inside it, if there is one."""
    hints = get_type_hints(part)
    return {name: _part_in(hints[name]) for name in part.__struct_fields__ if name != "extra"}


def _part_in(annotation: object) -> type[RecordPart] | None:
    if isinstance(annotation, type) and issubclass(annotation, RecordPart):
        return annotation
    return next(filter(None, map(_part_in, get_args(annotation))), None)


def encode(record: Record) -> bytes:
    """Write a record as canonical YAML."""
    return codec.dump(to_data(record))


def decode(text: bytes, path: str) -> DecodedRecord:
    """Read one file. ``path`` is relative to the memory's folder and only named in problems."""
    try:
        data = codec.load(text)
    except codec.YamlError as error:
        return DecodedRecord(None, [_yaml_problem(path, error)])
    try:
        record = from_data(data)
    except InvalidError:
        record = None
    newer = _newer(data, path)
    if record and not newer:
        if _MARK in text and (fields := [*_placeholders(data)]):
            return DecodedRecord(None, [_unfilled(path, text, field) for field in fields])
        return DecodedRecord(record, [] if text.endswith(b"\n") else [_cut_off(path, text)])
    if newer:
        return DecodedRecord(record, [newer])
    return DecodedRecord(None, [_field_problem(path, text, fault) for fault in all_faults(data)])


def _placeholders(data: dict[str, Any]) -> Iterator[str]:
    """Name the fields that a person was to fill in and has not; evidence may say anything."""
    if data.get("kind") in ("error", "session"):
        return
    for name, value in data.items():
        for at, item in enumerate(value) if isinstance(value, list) else [(-1, value)]:
            if item == PLACEHOLDER:
                yield name if at < 0 else f"{name}[{at}]"


def _unfilled(path: str, text: bytes, field: str) -> Problem:
    message = f"{field}: is not filled in yet"
    fault = InvalidError(message, f"write it where the {PLACEHOLDER} is, or leave it out", field)
    return _field_problem(path, text, fault)


def _newer(data: dict[str, Any], path: str) -> Problem | None:
    version = data.get("schema", 1)
    if not isinstance(version, int) or isinstance(version, bool) or version <= SCHEMA:
        return None
    return Problem(
        path=path,
        line=1,
        field="schema",
        code="newer-schema",
        severity="warning",
        message=f"written with schema {version}; this gitmem knows {SCHEMA} and only reads it",
        hint=f"install a gitmem that knows schema {version}",
    )


def _cut_off(path: str, text: bytes) -> Problem:
    message = "the file does not end with a line end: it may have been cut off"
    hint = "compare it with git; if it is whole, end its last line"
    line = text.count(b"\n") + 1
    return Problem(path, "no-line-end", message, hint, line, severity="warning")


def _yaml_problem(path: str, error: codec.YamlError) -> Problem:
    line, column = error.position
    return Problem(
        path=path, line=line, column=column, code=error.code, message=error.message, hint=error.hint
    )


def _field_problem(path: str, text: bytes, fault: InvalidError) -> Problem:
    """Place a fault in the file: at its own key, or at the nearest one that is there."""
    positions = codec.positions(text)
    steps = codec.steps(fault.field)
    while steps and steps not in positions:
        steps = steps[:-1]
    position = positions.get(steps, codec.Position(1, 1))
    return Problem(
        path=path,
        line=position.line,
        column=position.column,
        field=fault.field,
        code="invalid-field",
        message=fault.message,
        hint=fault.hint,
    )
