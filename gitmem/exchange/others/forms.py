"""Recognises by its content which tool a file is from."""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from gitmem.errors import InvalidError
from gitmem.exchange.others import beads, executions, kaizen, knowledge, mcp_memory
from gitmem.exchange.others.imported import ForeignFile, mappings

FORMS: Final = ("fix-history", "knowledge", "kaizen", "executions", "beads", "mcp-memory")
SQLITE: Final = b"SQLite format 3\x00"
_HINT: Final = f"name it with --format: {', '.join(FORMS)}"
_EXECUTION: Final = frozenset({"execution_id", "executions", "current_execution", "fix_attempts"})
_DERIVED: Final = frozenset({"trends", "last_analysis"})


def read(data: bytes, otherwise: datetime, form: str = "") -> tuple[str, ForeignFile]:
    """Read what another tool wrote as JSON or JSON lines.

    Args:
        data: the file.
        otherwise: the time of what bears none.
        form: one of ``FORMS``; empty: told by what stands in it.

    Returns:
        The form, and what the file holds.

    Raises:
        InvalidError: it can't be read, or is of no known form.

    """
    values = list(_values(data))
    form = form or _form(values)
    rows = [row for value in values for row in _listed(value) if isinstance(row, dict)]
    if form == "beads":
        return form, beads.read(rows, otherwise)
    if form == "mcp-memory":
        return form, mcp_memory.read(_entities(rows), otherwise)
    if form == "executions":
        return form, executions.read(rows, otherwise)
    if len(rows) != 1 or len(values) != 1:
        raise InvalidError(f"{form} is one JSON object, this is a list", _HINT)
    reader = kaizen if form == "kaizen" else knowledge
    return form, reader.read(rows[0], otherwise)


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _entities(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give the lines of a memory server, also out of what its ``read_graph`` answers."""
    entity_rows = []
    for row in rows:
        if "entities" in row:
            entity_rows += [{"type": "entity", **entity} for entity in mappings(row["entities"])]
            entity_rows += [
                {"type": "relation", **relation_row}
                for relation_row in mappings(row.get("relations"))
            ]
        else:
            entity_rows.append(row)
    return entity_rows


def _form(values: list[Any]) -> str:
    first = next(iter(_listed(values[0])), None) if values else None
    if not isinstance(first, dict):
        raise InvalidError("this is not the memory of a tool that gitmem knows", _HINT)
    if first.get("archive") == "gitmem-memory":
        raise InvalidError("this is an archive of gitmem", "import it with: gitmem import FILE")
    keys = first.keys()
    if first.get("type") in ("entity", "relation") or keys >= {"entities", "relations"}:
        return "mcp-memory"
    if {"pattern_id", "solution_id", "task_category"} & keys:
        return "executions"
    if keys >= {"id", "title"} and {"issue_type", "status", "priority"} & keys:
        return "beads"
    if keys & _EXECUTION:
        return "kaizen"
    if knowledge.KEY in keys:
        return "knowledge"
    if keys >= _DERIVED:
        raise InvalidError("these are trends, which follow from executions", "import those instead")
    raise InvalidError("it is not clear which tool this is from", _HINT)


def _values(data: bytes) -> Iterator[Any]:
    """Read one JSON value, or one a line."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidError("this is not UTF-8", "save it as UTF-8") from None
    try:
        yield json.loads(text)
    except json.JSONDecodeError as whole:
        lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
        if len(lines) < 2 or not text.lstrip().startswith("{"):  # noqa: PLR2004  one value, and broken
            where = f"line {whole.lineno}, column {whole.colno}"
            raise InvalidError(f"{where}: not valid JSON: {whole.msg.lower()}") from None
        yield from (_line(number, line) for number, line in lines)
    except (RecursionError, ValueError):
        raise InvalidError("this JSON is nested too deeply, or a number is too long") from None


def _line(number: int, text: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidError(f"line {number}: not valid JSON: {error.msg.lower()}") from None
    except (RecursionError, ValueError):
        raise InvalidError(f"line {number}: nested too deeply, or a number is too long") from None
