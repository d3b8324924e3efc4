"""Exceptions in OpenTelemetry JSON: events and log records with ``exception.*`` attributes.

Collectors, exporters and consoles wrap them differently, so every object is looked at: its
attributes are a mapping, or a list of ``{key, value: {stringValue: …}}``.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from gitmem.exchange.reports import load_json, mapping, refuse, sequence, text
from gitmem.matching.cases import Report
from gitmem.matching.failure import MAX_MESSAGE, Failure
from gitmem.matching.parse import parse

_PREFIX: Final = "exception."
_SDK: Final = "telemetry.sdk.language"
_LONGEST: Final = 4_000


def read(data: bytes, root: str = "") -> Report:  # noqa: ARG001  paths stand in stacks only
    """Read the exceptions; one document, or one a line as the file exporter writes."""
    found = list(_failures(_documents(data), ""))
    if not found and b"exception." not in data and b"resource" not in data:
        refuse("otel", "it has no resource and no exception")
    return Report(others=tuple(found), complete=False)


def _documents(data: bytes) -> list[Any]:
    lines = [line for line in data.splitlines() if line.strip()]
    if len(lines) > 1:
        try:
            return [json.loads(line) for line in lines]
        except ValueError:
            pass  # one document over several lines
    return [load_json(data, "otel")]


def _failures(value: object, language: str) -> Iterator[Failure]:
    if isinstance(value, list):
        for item in value:
            yield from _failures(item, language)
        return
    if not isinstance(value, dict):
        return
    language = _attributes(mapping(value.get("resource"))).get(_SDK, language)
    said = _attributes(value)
    if said.get(_PREFIX + "type") or said.get(_PREFIX + "message"):
        yield _failure(said, language)
    for name, item in value.items():
        if name not in ("attributes", "resource"):
            yield from _failures(item, language)


def _attributes(value: dict[str, Any]) -> dict[str, str]:
    """Give the texts among an object's attributes, and what stands in the object itself."""
    found = {name: said for name, said in value.items() if isinstance(said, str)}
    held = value.get("attributes")
    if isinstance(held, dict):
        found |= {name: said for name, said in held.items() if isinstance(said, str)}
    for one in map(mapping, sequence(held)):
        found[text(one.get("key"))] = text(mapping(one.get("value")).get("stringValue"))
    return found


def _failure(said: dict[str, str], language: str) -> Failure:
    kind = said.get(_PREFIX + "type", "")
    message = said.get(_PREFIX + "message", "")
    stack = said.get(_PREFIX + "stacktrace", "")
    parsed = [one for one in parse(stack) if one.frames] if stack else []
    # Of a chain, the exception that was reported.
    alike = [one for one in parsed if one.error_type.rsplit(".", 1)[-1] == kind.rsplit(".", 1)[-1]]
    made = (alike or parsed or [Failure(language=language, excerpt=stack[:_LONGEST])])[-1]
    return made._replace(
        language=made.language or language,
        error_type=made.error_type if alike else kind or made.error_type,
        message=(message or made.message)[:MAX_MESSAGE],
        severity="error",
    )
