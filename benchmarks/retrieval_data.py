"""Evaluation data as a memory: rows become records, and records documents of an index.

A folder holds ``errors_pool.jsonl`` and ``errors_queries.jsonl``, ``decisions_pool.jsonl`` and
``decisions_queries.jsonl``. A row of a pool is a record in the memory; a query names the ids
that are right (``relevant``), and those that count neither way (``ignore``).
"""

import json
import os
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from gitmem.errors import InvalidError
from gitmem.matching.parse import main_failure
from gitmem.output.failure import as_fields
from gitmem.records.convert import from_data
from gitmem.records.guide import title_from
from gitmem.records.kinds import Record
from gitmem.records.layout import make_id

ENVELOPE: Final = {"author": {"name": "Eva", "type": "human"}, "created": "2026-11-21T00:00:00Z"}
_TITLE: Final = 200


class Question(NamedTuple):
    """A query with its right answers, by their places in the pool."""

    id: str
    family: str
    source: str
    text: str
    right: frozenset[int]
    ignored: frozenset[int]


class Task(NamedTuple):
    """Records and questions about them.

    Attributes:
        records, questions: of one memory.
        pasted: questions are texts of failures.
        sources: the project that each record is of; none where nobody says.

    """

    records: list[Record]
    questions: list[Question]
    pasted: bool = True
    sources: tuple[str, ...] = ()


def read(folder: str, task: str) -> Task:
    """Read a task, ``errors`` or ``decisions``.

    Raises:
        FileNotFoundError: the folder does not have it.

    """
    rows = list(_rows(os.path.join(folder, f"{task}_pool.jsonl")))
    make = _error if task == "errors" else _decision
    records = [make(row, number) for number, row in enumerate(rows)]
    number_of = {row["id"]: number for number, row in enumerate(rows)}
    questions = [
        Question(
            row["qid"],
            row["family"],
            row["repo"],
            row["text"],
            frozenset(number_of[name] for name in row["relevant"] if name in number_of),
            frozenset(number_of[name] for name in row["ignore"] if name in number_of),
        )
        for row in _rows(os.path.join(folder, f"{task}_queries.jsonl"))
    ]
    sources = tuple(str(row.get("repo", "")) for row in rows)
    return Task(records, questions, pasted=task == "errors", sources=sources)


def _rows(path: str) -> Iterator[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        yield from map(json.loads, file)


def _error(row: dict[str, Any], number: int) -> Record:
    """Record an error as ``gitmem`` does: what its parsers see, and the text they saw it in."""
    fields = as_fields(main_failure(row["body"])) | {"excerpt": row["body"]}
    title = " ".join(row["title"].split())[:_TITLE] or title_from(fields)
    data = {"kind": "error", "id": _id("error", number), "title": title} | ENVELOPE | fields
    try:
        return from_data(data)
    except InvalidError:
        # A guess of a parser at prose that no record may hold, such as a place without a path.
        plain = ("kind", "id", "title", "author", "created", "excerpt")
        return from_data({name: data[name] for name in plain})


def _decision(row: dict[str, Any], number: int) -> Record:
    title = " ".join(row["title"].split())[:_TITLE] or row["path"]
    named = {"kind": "decision", "id": _id("decision", number), "title": title}
    return from_data(named | ENVELOPE | {"decision": row["body"]})


def _id(kind: str, number: int) -> str:
    return make_id(kind, number.to_bytes(7, "big"))
