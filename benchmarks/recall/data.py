"""Read the pool and the questions."""

import hashlib
import json
import os
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

FOLDER: Final = os.path.dirname(__file__)
POOL: Final = "pool.jsonl"
QUESTIONS: Final = "questions.jsonl"
UNANSWERABLE: Final = "unanswerable"
FAMILIES: Final = ("again", "neighbour", "described", "words", "decisions", UNANSWERABLE)
HIDDEN: Final = ("program",)
"""Fields of a pool row that no system is given."""


class Question(NamedTuple):
    """Something that is asked, and what is right; README.md tells the fields."""

    id: str
    family: str
    split: str
    program: str
    text: str
    relevant: frozenset[str]
    never_first: frozenset[str]


def split_of(program: str) -> str:
    """Tell whether the questions about a program are for tuning or for the result."""
    return "dev" if hashlib.sha256(program.encode()).digest()[0] % 2 else "test"


def pool(folder: str = FOLDER) -> list[dict[str, Any]]:
    """Read the records as a system is given them."""
    return [
        {name: value for name, value in row.items() if name not in HIDDEN}
        for row in rows(os.path.join(folder, POOL))
    ]


def questions(folder: str = FOLDER, split: str = "") -> list[Question]:
    """Read the questions, of one split or all."""
    all_questions = [_question(row) for row in rows(os.path.join(folder, QUESTIONS))]
    return [question for question in all_questions if split in ("", question.split)]


def rows(path: str) -> list[dict[str, Any]]:
    """Read JSON lines."""
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _question(row: Mapping[str, Any]) -> Question:
    sets = {name: frozenset(row[name]) for name in ("relevant", "never_first")}
    return Question(**{**row, **sets})
