"""Faults in the JSON or XML of a tool that nobody knows: what is wrong, its line, and its file.

Linters and compilers write an object for each fault, in a list, in the object of its file, or one a
line. What such an object calls its parts differs little. Many write Checkstyle's XML instead, in
which an element is such an object.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.output.failure import MAX_MESSAGE, Failure, FailureLocation

_MOST: Final = 200
_DEEPEST: Final = 12
_MOST_INSPECTED: Final = 200_000
_MOST_TRIED: Final = 8
"""Lines from which on it is tried whether the rest is JSON."""
_MESSAGE: Final = ("message", "msg", "description", "text", "title", "detail")
_FILE: Final = ("file", "filePath", "filename", "fileName", "file_name", "file_path", "path", "uri")
_LINE: Final = ("line", "lineNumber", "line_number", "line_start", "startLine", "row", "lnum")
_COLUMN: Final = ("column", "col", "columnNumber", "column_start", "startColumn", "character")
_CODE: Final = ("ruleId", "rule", "code", "check_id", "rule_id", "check_name", "symbol")
_LEVEL: Final = ("severity", "level", "type")
_SCHEMA_ERROR: Final = frozenset({"instancePath", "schemaPath", "keyword"})
"""What an error of JSON Schema has, as ajv tells it: its place is one in the document."""
_WITHIN: Final = ("location", "start", "begin", "range", "position", "positions", "spans", "span")
_MILD: Final = frozenset({"warning", "warn"})
_ASIDE: Final = frozenset({"note", "info", "help", "hint", "information", "failure-note"})


_ELEMENT: Final = lazily(r"\s*<(?P<name>\w+)(?P<attributes>(?:\s+[\w:-]+=\"[^\"<]*\")+)\s*/?>")
_ATTRIBUTE: Final = lazily(r"(?P<name>[\w:-]+)=\"(?P<value>[^\"]*)\"")
_ESCAPED: Final = lazily(
    r"&(?:#x(?P<hex>[0-9a-fA-F]{1,6})|#(?P<number>\d{1,7})|(?P<name>\w{2,4}));"
)
_INSPECTED: Final = lazily(
    r"'(?P<text>(?:[^'\\\n]|\\.)*)'|(?P<json>\"(?:[^\"\\\n]|\\.)*\")"
    r"|(?P<key>[A-Za-z_$][\w$]*)(?=:\s)"
    r"|(?P<nothing>\bundefined\b|\[(?:Object|Array|Function|Circular)[^\]\n]{0,80}\])"
)
"""The parts of an object as JavaScript's consoles print it, that JSON writes otherwise."""
_SIGNS: Final = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}


class JsonFault(NamedTuple):
    """A fault, the number of its line in the output, and whether it only warns."""

    at: int
    failure: Failure
    mild: bool


def json_faults(lines: Sequence[str]) -> Iterator[JsonFault]:
    """Read the faults in JSON that fills a line, or all lines from one that begins with it."""
    count, tried, file = 0, 0, ""
    for at, line in enumerate(lines):
        opens = line.lstrip()[:1]
        if opens == "<" and (element := _ELEMENT.match(line)):
            attributes = _attributes(element["attributes"])
            if element["name"] == "file":
                file = _text(attributes, ("name", *_FILE))
            elif fault := _fault(attributes, file):
                yield JsonFault(at, *fault)
        if opens not in ("[", "{"):
            continue
        whole = _loaded(line)
        if whole is None and tried < _MOST_TRIED and line.strip() in ("[", "{"):
            tried += 1
            end = "]" if opens == "[" else "}"
            ends = [last for last in range(at, len(lines)) if lines[last].rstrip() == end]
            whole = _loaded("\n".join(lines[at : ends[-1] + 1])) if ends else None
        for failure, mild in _walk(whole, "", _DEEPEST):
            yield JsonFault(at, failure, mild)
            count += 1
            if count == _MOST:
                return


def _attributes(text: str) -> dict[str, Any]:
    """Give an element's attributes as an object of JSON has them."""
    pairs = (
        (each["name"], _ESCAPED.sub(_sign, each["value"])) for each in _ATTRIBUTE.finditer(text)
    )
    plain = {name: int(value) if value.isdecimal() else value for name, value in pairs}
    return {"rule": str(plain.get("source", "")).rpartition(".")[2], **plain}


def _sign(escaped: re.Match[str]) -> str:
    code = int(escaped["hex"], 16) if escaped["hex"] else int(escaped["number"] or 0)
    sign = chr(code) if code <= sys.maxunicode else ""
    return sign if code and sign.isprintable() else _SIGNS.get(escaped["name"] or "", escaped[0])


def _loaded(text: str) -> object:
    for each in (text, _INSPECTED.sub(_as_json, text) if "'" in text[:_MOST_INSPECTED] else ""):
        try:
            return json.loads(each)
        except (ValueError, RecursionError):
            continue
    return None


def _as_json(part: re.Match[str]) -> str:
    if part["nothing"]:
        return "null"
    if part["json"]:
        return part["json"]
    text = part["key"] or part["text"].replace("\\'", "'")
    return json.dumps(text)


def _walk(value: object, file: str, depth: int) -> Iterator[tuple[Failure, bool]]:
    if depth == 0:
        return
    if isinstance(value, list):
        for each in value:
            yield from _walk(each, file, depth - 1)
    elif isinstance(value, dict):
        file = _text(value, _FILE) or file
        fault = _fault(value, file)
        if fault:
            yield fault
            return
        for each in value.values():
            if isinstance(each, dict | list):
                yield from _walk(each, file, depth - 1)


def _fault(value: Mapping[str, Any], file: str) -> tuple[Failure, bool] | None:
    """Read an object that says what is wrong in which line, or where in the document."""
    message = _text(value, _MESSAGE)
    if message and value.keys() >= _SCHEMA_ERROR:
        where = _text(value, ("instancePath",))
        code, words = _text(value, ("keyword",))[:80], f"{where} {message}".strip()
        failure = Failure(code=code, message=words[:MAX_MESSAGE])
        return failure._replace(excerpt=failure.message[:500]), False
    place = _place(value, file, 3) if message else None
    level = _text(value, _LEVEL).lower()
    if not message or place is None or level in _ASIDE:
        return None
    code = _text(value, _CODE) or _text(_object(value.get("code")), _CODE)
    message = message.removeprefix(f"{code}: ")
    failure = Failure(code=code[:80], message=message[:MAX_MESSAGE], location=place)
    return failure._replace(excerpt=f"{place.file}:{place.line}: {message[:500]}"), level in _MILD


def _place(value: Mapping[str, Any], file: str, depth: int) -> FailureLocation | None:
    file = _text(value, _FILE) or file
    line = _number(value, _LINE)
    if line and file:
        return FailureLocation(file.removeprefix("file://"), line, _number(value, _COLUMN) or None)
    if depth:
        for name in _WITHIN:
            if name in value and (place := _place(_object(value[name]), file, depth - 1)):
                return place
    return None


def _object(value: object) -> Mapping[str, Any]:
    """Give an object, or the first of a list of them."""
    first = value[0] if isinstance(value, list) and value else value
    return first if isinstance(first, dict) else {}


def _text(value: Mapping[str, Any], names: Sequence[str]) -> str:
    return next((text for name in names if isinstance(text := value.get(name), str) and text), "")


def _number(value: Mapping[str, Any], names: Sequence[str]) -> int:
    return next((each for name in names if type(each := value.get(name)) is int and each > 0), 0)
