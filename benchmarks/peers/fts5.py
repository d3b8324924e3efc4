"""The floor: SQLite's full-text table with stemming, any word of the question, BM25."""

import sqlite3
from collections.abc import Sequence

from benchmarks.peers.serving import Answer, Record, serve
from benchmarks.peers.texts import body, words


class Fts5:
    """One table in memory, titles weighing twice."""

    def __init__(self) -> None:
        self.db = sqlite3.connect(":memory:")
        columns = "id UNINDEXED, title, body, tokenize = 'porter unicode61'"
        self.db.execute(f"CREATE VIRTUAL TABLE records USING fts5 ({columns})")

    def about(self) -> str:
        """Name and version."""
        return f"SQLite FTS5 {sqlite3.sqlite_version}"

    def add(self, records: Sequence[Record]) -> None:
        """Fill the table."""
        rows = [(record["id"], record["title"], body(record)) for record in records]
        self.db.executemany("INSERT INTO records VALUES (?, ?, ?)", rows)

    def ask(self, question: str, limit: int) -> Answer:
        """Ask for any of the words."""
        any_word = " OR ".join(f'"{word}"' for word in words(question))
        if not any_word:
            return Answer(())
        order = "ORDER BY bm25(records, 0, 2, 1) LIMIT ?"
        rows = self.db.execute(
            f"SELECT id FROM records WHERE records MATCH ? {order}",  # noqa: S608  no input in it
            (any_word, limit),
        )
        return Answer([row[0] for row in rows])


if __name__ == "__main__":
    serve(Fts5())
