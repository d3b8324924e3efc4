"""``gitmem suggest``: recorded patterns for a task, by the one search."""

from typing import TYPE_CHECKING

from gitmem.errors import UsageError
from gitmem.learning.extracted import SuggestedPattern
from gitmem.memory.core.records import read_record
from gitmem.query import Filters, Query
from gitmem.records.kinds import Pattern
from gitmem.search import search
from gitmem.syntax.languages import known_as

if TYPE_CHECKING:
    from gitmem.memory.view import View


def suggest(memory: "View", task: str, language: str, limit: int) -> list[SuggestedPattern]:
    """Find patterns; see ``Memory.suggest``."""
    words = " ".join(task.split())
    if not any(map(str.isalnum, words)):
        raise UsageError("the task says nothing", 'describe it: gitmem suggest "retry a request"')
    named = tuple(dict.fromkeys([language.strip(), known_as(language)])) if language else ()
    query = Query(words=words, filters=Filters(kinds=("pattern",), languages=named))
    found = memory.derived.mended(lambda: search(memory.derived, query, limit))
    shown = [(hit, read_record(memory.workspace, hit.row)) for hit in found.hits]
    return [SuggestedPattern(hit, record) for hit, record in shown if isinstance(record, Pattern)]
