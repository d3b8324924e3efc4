"""Exceptions in OpenTelemetry JSON: events and log records with ``exception.*`` attributes.

Collectors, exporters and consoles wrap them differently, so every object is looked at: its
attributes are a mapping, or a list of ``{key, value: {stringValue: …}}``.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from gitmem.exchange.reports import load_json, mapping, refuse, sequence, text
from gitmem.matching.parse import parse
from gitmem.output.cases import Report
from gitmem.output.failure import MAX_MESSAGE, Failure

_PREFIX: Final = "exception."
_SDK: Final = "telemetry.sdk.language"
_LONGEST: Final = 4_000


def read(data: bytes, root: str = "") -> Report:  # noqa: ARG001  paths stand in stacks only
    """Read the exceptions; one document, or one a line as the file exporter writes."""
    failures = list(_failures(_documents(data), ""))
    if not failures and b"exception." not in data and b"resource" not in data:
        refuse("otel", "it has no resource and no exception")
    return Report(others=tuple(failures), complete=False)


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
    attributes = _attributes(value)
    if attributes.get(_PREFIX + "type") or attributes.get(_PREFIX + "message"):
        yield _failure(attributes, language)
    for name, item in value.items():
        if name not in ("attributes", "resource"):
            yield from _failures(item, language)


def _attributes(value: dict[str, Any]) -> dict[str, str]:
    """Give the text attributes of an object, and its own text fields."""
    attributes = {name: content for name, content in value.items() if isinstance(content, str)}
    held = value.get("attributes")
    if isinstance(held, dict):
        attributes |= {name: content for name, content in held.items() if isinstance(content, str)}
    for attribute in map(mapping, sequence(held)):
        attributes[text(attribute.get("key"))] = text(
            mapping(attribute.get("value")).get("stringValue")
        )
    return attributes


def _failure(attributes: dict[str, str], language: str) -> Failure:
    kind = attributes.get(_PREFIX + "type", "")
    message = attributes.get(_PREFIX + "message", "")
    stack = attributes.get(_PREFIX + "stacktrace", "")
    parsed = [failure for failure in parse(stack) if failure.frames] if stack else []
    # Of a chain, the exception that was reported.
    alike = [
        failure
        for failure in parsed
        if failure.error_type.rsplit(".", 1)[-1] == kind.rsplit(".", 1)[-1]
    ]
    failure = (alike or parsed or [Failure(language=language, excerpt=stack[:_LONGEST])])[-1]
    return failure._replace(
        language=failure.language or language,
        error_type=failure.error_type if alike else kind or failure.error_type,
        message=(message or failure.message)[:MAX_MESSAGE],
        severity="error",
    )
