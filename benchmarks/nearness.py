"""Vectors of evaluation data, kept and asked as ``gitmem`` keeps and asks them."""

from collections.abc import Sequence

from gitmem.index.protocol import Nearness
from gitmem.records.kinds import Record
from gitmem.semantic.choice import WORDS, Choice
from gitmem.semantic.record_text import embedded_text
from gitmem.semantic.words import installed
from gitmem.sync.record_vectors import RecordVectors, TextToEmbed


def nearness(records: Sequence[Record], folder: str) -> Nearness | None:
    """Embed records, numbered from 1, into a folder; None where the extra is not installed."""
    if installed() is None:
        return None
    meaning = RecordVectors(Choice(WORDS), folder, [])
    texts = [
        TextToEmbed(number, b"", embedded_text(record)) for number, record in enumerate(records, 1)
    ]
    meaning.put(texts)
    return lambda query, hits: meaning.near(lambda files: dict.fromkeys(files, b""), query, hits)
