"""The same texts in SQLite's full-text table (FTS5), to compare with."""

import argparse
import json
import os
import sqlite3
import sys
from pathlib import Path
from typing import Final

from benchmarks.fts_text import ASK, any_of
from benchmarks.measure import calls
from gitmem.index.document import document
from gitmem.memory import Memory
from gitmem.records.convert import decode

_ASKED: Final = ("three words", "six words", "pasted error")


def build(database: Path, repository: str) -> None:
    """Put the searched texts of every record into one table."""
    database.unlink(missing_ok=True)
    with Memory.open(repository) as memory:
        db = sqlite3.connect(database)
        columns = "title, names, body, tokenize = 'porter unicode61'"
        db.execute(f"CREATE VIRTUAL TABLE records USING fts5 ({columns})")
        for path in memory.workspace.store.listing().files:
            record = decode(memory.workspace.store.read(path), path).record
            if record:
                texts = document(record)  # the other parts of it repeat what these say
                row = (texts.title, texts.names, texts.body)
                db.execute("INSERT INTO records VALUES (?, ?, ?)", row)
        db.execute("INSERT INTO records (records) VALUES ('optimize')")
        db.commit()
        db.close()


def ask(database: Path, questions: Path, count: int) -> None:
    """Ask in process, and print the times as JSON."""
    db = sqlite3.connect(database)
    texts = json.loads(questions.read_text(encoding="utf-8"))

    def fetch(text: str) -> None:
        db.execute(ASK, (any_of(text),)).fetchall()

    json.dump({kind: calls(fetch, texts[kind][:count])._asdict() for kind in _ASKED}, sys.stdout)


def main() -> None:
    """Build the table, or with --questions ask it."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("database", type=Path)
    parser.add_argument("repository")
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--count", type=int, default=100)
    given = parser.parse_args()
    if given.questions:
        ask(given.database, given.questions, given.count)
    else:
        draft = given.database.with_name(f"{given.database.name}.{os.getpid()}")
        build(draft, given.repository)
        draft.rename(given.database)


if __name__ == "__main__":
    main()
