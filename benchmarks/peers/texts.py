"""What of a record is text, for systems that keep plain notes."""

import re
from typing import Final

from benchmarks.peers.serving import Record

_FIELDS: Final = ("cause", "context", "decision", "rationale", "command", "text")


def body(record: Record) -> str:
    """Give everything but the title, what people wrote first."""
    parts = (str(record[name]) for name in _FIELDS if record.get(name))
    return "\n\n".join(parts) or str(record["title"])


def words(text: str, most: int = 200) -> list[str]:
    """Give the different words of a question, at most so many, without operators' names."""
    words_of_text = dict.fromkeys(re.findall(r"\w+", text.lower()))
    return [word for word in words_of_text if word not in {"and", "or", "not"}][:most]
