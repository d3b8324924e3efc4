"""Recorded patterns for a task, by the one search; ``gitmem code suggest``."""

from typing import TYPE_CHECKING

from gitmem.errors import UsageError
from gitmem.learning.pattern_results import SuggestedPattern
from gitmem.matching.labels import WEAK
from gitmem.memory.core.records import read_record
from gitmem.query import Filters, Query
from gitmem.records.kinds import Pattern
from gitmem.syntax.languages import known_as

if TYPE_CHECKING:
    from gitmem.memory.reading.layered import LayeredReader


def suggest(
    reader: "LayeredReader", task: str, language: str, limit: int
) -> list[SuggestedPattern]:
    """Find recorded patterns for a task, best first; see ``Advisor.suggest``."""
    words = " ".join(task.split())
    if not any(map(str.isalnum, words)):
        raise UsageError("the task is empty", 'describe it: gitmem code suggest "retry a request"')
    languages = tuple(dict.fromkeys([language.strip(), known_as(language)])) if language else ()
    query = Query(words=words, filters=Filters(kinds=("pattern",), languages=languages))
    hits = reader.workspace.ask(lambda now: now.search(query, limit)).hits
    read = [(hit, read_record(reader.workspace, hit.row)) for hit in hits if hit.label != WEAK]
    if len(read) < limit:
        read += reader.layers.matching(query, limit - len(read))
    return [SuggestedPattern(hit, record) for hit, record in read if isinstance(record, Pattern)]
