"""The OpenAPI 3.1 document, made of the table of verbs and its types."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from gitmem._version import __version__
from gitmem.serve.api import ADDRESS
from gitmem.serve.api.problems import MEDIA_TYPE, TITLES
from gitmem.serve.api.verbs import Verb

_REF: Final = "#/components/schemas/{name}"
_PROBLEM: Final = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "hint": {"type": "string", "description": "what to do next"},
        "field": {"type": "string", "description": "which field of the data is wrong"},
    },
}
_REFUSED: Final = (401, 403, 421)
"""Without a token, from another place, to another host: before anything is looked at."""
_NAMES: Final = re.compile(r"\{([a-z]+)\}")


def document(verbs: Iterable[Verb]) -> dict[str, Any]:
    """Describe the interface."""
    verbs = list(verbs)
    types = [verb.asks for verb in verbs] + [verb.gives for verb in verbs]
    schemas, components = msgspec.json.schema_components(types, ref_template=_REF)
    asks, gives = schemas[: len(verbs)], schemas[len(verbs) :]
    paths: dict[str, dict[str, Any]] = {}
    for verb, question, answer in zip(verbs, asks, gives, strict=True):
        operations = paths.setdefault(f"/{{repository}}{verb.path}", {})
        operations[verb.method.lower()] = _operation(verb, question, answer, components)
    paths["/repositories"] = {"get": _repositories()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "gitmem",
            "version": __version__,
            "description": "The memories that gitmem serve shows, for programs.",
        },
        "servers": [{"url": ADDRESS}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": {**components, "Problem": _PROBLEM},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(
    verb: Verb, question: dict[str, Any], answer: dict[str, Any], components: dict[str, Any]
) -> dict[str, Any]:
    by_query = verb.method in {"GET", "DELETE"}
    operation: dict[str, Any] = {
        "summary": verb.summary,
        "operationId": f"{verb.method.lower()}{_NAMES.sub('one', verb.path).replace('/', '_')}",
        "parameters": [
            *(
                {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
                for name in ("repository", *_NAMES.findall(verb.path))
            ),
            *(_parameters(question, components) if by_query else ()),
        ],
        "responses": {
            str(verb.status): {
                "description": "the answer",
                "content": {"application/json": {"schema": answer}},
            },
            **_problems(verb),
        },
    }
    if not by_query:
        operation["requestBody"] = {
            "required": True, "content": {"application/json": {"schema": question}},
        }  # fmt: skip
    return operation


def _parameters(question: dict[str, Any], components: dict[str, Any]) -> Iterator[dict[str, Any]]:
    schema = components[question["$ref"].rpartition("/")[2]]
    required = schema.get("required", ())
    for name, field in schema["properties"].items():
        yield {"name": name, "in": "query", "required": name in required, "schema": field}


def _problems(verb: Verb) -> dict[str, Any]:
    statuses = [*_REFUSED, 400, 404, 409, 422, 503]
    return _described(statuses if verb.method == "GET" else [*statuses, 413])


def _described(statuses: Iterable[int]) -> dict[str, Any]:
    content = {MEDIA_TYPE: {"schema": {"$ref": _REF.format(name="Problem")}}}
    return {
        str(status): {"description": TITLES[status], "content": content}
        for status in sorted(statuses)
    }


def _repositories() -> dict[str, Any]:
    schema = {
        "type": "object",
        "required": ["repositories"],
        "properties": {"repositories": {"type": "array", "items": {"type": "string"}}},
    }
    return {
        "summary": "List the repositories that are served",
        "operationId": "get_repositories",
        "responses": {
            "200": {
                "description": "their names", "content": {"application/json": {"schema": schema}},
            },
            **_described(_REFUSED),
        },
    }  # fmt: skip
