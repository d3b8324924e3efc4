"""Recognises by its content which tool a file is from."""

import csv
import io
import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from gitmem.errors import InvalidError
from gitmem.parts.imports.others import (
    beads,
    coding,
    executions,
    fix_history,
    kaizen,
    knowledge,
    mcp_memory,
    sqlite_file,
)
from gitmem.parts.imports.others.imported import ForeignFile, mappings

FORMS: Final = (
    *sqlite_file.FORMS, "knowledge", "kaizen", "executions", "beads", "mcp-memory",
)  # fmt: skip
SQLITE: Final = b"SQLite format 3\x00"
PARQUET: Final = b"PAR1"
_HINT: Final = f"name it with --format: {', '.join(FORMS)}"
_EXECUTION: Final = frozenset({"execution_id", "executions", "current_execution", "fix_attempts"})
_DERIVED: Final = frozenset({"trends", "last_analysis"})
_REPORT: Final = frozenset({"overall_metrics", "category_performance"})


def read(
    data: bytes, otherwise: datetime, form: str = "", root: str = "", folder: str = ""
) -> tuple[str, ForeignFile]:
    """Read what another tool wrote as JSON, JSON lines or CSV.

    Args:
        data: the file.
        otherwise: the time of what bears none.
        form: one of ``FORMS``; empty: told by what stands in it.
        root: the repository, where absolute paths may lie in it.
        folder: that the file is in.

    Returns:
        The form, and what the file holds.

    Raises:
        InvalidError: it can't be read, or is of no known form.

    """
    if data.startswith(PARQUET):
        raise InvalidError(
            "this is a Parquet file, as Chroma wrote before 0.4",
            "make a chroma.sqlite3 of its folder with chroma-migrate, and import that",
        )
    whole = _decoded(data)
    if table := _table(whole):
        return fix_history.FORM, fix_history.from_rows(table, otherwise)
    values = list(_values(whole))
    form = form or _form(values)
    if form in (fix_history.FORM, "chroma"):
        raise InvalidError(f"{form} is an SQLite file, and this is not one")
    rows = [row for value in values for row in _listed(value) if isinstance(row, dict)]
    if form == "beads":
        return form, beads.read(rows, otherwise)
    if form == "mcp-memory":
        return form, mcp_memory.read(_entities(rows), otherwise)
    if form == coding.FORM:
        return form, coding.from_rows(rows, otherwise, root)
    if form == "executions":
        return form, executions.read(rows, otherwise, folder)
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
    if first.get("type") == "memory" and keys >= {"key", "value"}:
        return coding.FORM
    if first.get("type") in ("node", "edge"):
        raise InvalidError("this is a graph, which follows from memories", "import those instead")
    if {"pattern_id", "solution_id", "task_category"} & keys:
        return "executions"
    if keys >= {"id", "title"} and {"issue_type", "status", "priority"} & keys:
        return "beads"
    if keys & _EXECUTION:
        return "kaizen"
    if knowledge.KEY in keys:
        return "knowledge"
    if keys >= _DERIVED or keys >= _REPORT:
        raise InvalidError(
            "these are figures, which follow from executions",
            "import those instead: patterns.json and solutions.json",
        )
    if len(values) == 1 and isinstance(values[0], dict) and knowledge.is_plain(first):
        return "knowledge"
    raise InvalidError("it is not clear which tool this is from", _HINT)


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidError("this is not UTF-8", "save it as UTF-8") from None


def _table(text: str) -> list[dict[str, Any]]:
    """Read a fix history as CSV, known by its first line; nothing: it is none."""
    names = text[: text.find("\n") + 1].replace('"', "").strip().split(",")
    if not set(names) >= fix_history.COLUMNS:
        return []
    limit = csv.field_size_limit(len(text) + 1)
    try:
        rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as error:
        raise InvalidError(f"this CSV can't be read: {error}") from None
    finally:
        csv.field_size_limit(limit)
    if wrong := next(
        (n for n, row in enumerate(rows, 1) if None in row or None in row.values()), 0
    ):
        raise InvalidError(f"row {wrong} has not as many fields as the first line")
    return rows


def _values(text: str) -> Iterator[Any]:
    """Read one JSON value, or one a line."""
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
