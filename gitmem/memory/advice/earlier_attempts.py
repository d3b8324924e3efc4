"""Whether something like a task was tried before: attempts found by its words, if they hold enough.

An attempt is looked at with the errors that it was made on: who asks names the way to do it and
the place, and these stand in two records.
"""

from typing import TYPE_CHECKING, Final

from gitmem.index.analysis import query_terms, terms
from gitmem.memory.reading.relevance import telling_words
from gitmem.memory.reading.word_search import worded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.answers.found import SearchHit
    from gitmem.catalog.rows import Row
    from gitmem.memory.core.workspace import Workspace

_MOST_HITS: Final = 40
_LEAST_WORDS: Final = 0.5
"""Share of a task's words that a record must hold; what holds fewer is about something else."""
_KINDS: Final = ("fix", "error")


def earlier_attempts(workspace: "Workspace", text: str) -> "list[Row]":
    """Give the attempts that the words of a task speak of; each once, the best match first."""
    wanted = _wanted(text)
    attempts: dict[str, Row] = {}
    for hit in worded(workspace, text, _MOST_HITS, _KINDS):
        words = _words_of_hit(hit)
        if hit.row.kind == "fix":
            errors = _words(hit.errors)
            if _share(wanted, words | errors) >= _LEAST_WORDS and _share(wanted, words):
                attempts.setdefault(hit.row.id, hit.row)
            continue
        for fix in hit.attempts:
            own = _words([fix])
            if _share(wanted, words | own) >= _LEAST_WORDS and _share(wanted, own):
                attempts.setdefault(fix.id, fix)
    return list(attempts.values())


def relevant(hits: "Iterable[SearchHit]", text: str) -> "list[SearchHit]":
    """Leave out hits that hold too few of the words of a text."""
    wanted = _wanted(text)
    return [hit for hit in hits if _share(wanted, _words_of_hit(hit)) >= _LEAST_WORDS]


def _wanted(text: str) -> "list[tuple[str, ...]]":
    """Give the words of a text that say something, each as its terms."""
    return telling_words(text) or [token.terms for token in query_terms(text)]


def _share(wanted: "list[tuple[str, ...]]", words: "set[str]") -> float:
    """Give the share of the wanted words that are among some words."""
    held = sum(not words.isdisjoint(word) for word in wanted)
    return held / len(wanted) if wanted else 0.0


def _words_of_hit(hit: "SearchHit") -> "set[str]":
    """Give the words of the question that the record holds: what they gave says it."""
    return {name for name, _ in hit.parts}


def _words(rows: "Iterable[Row]") -> "set[str]":
    text = " ".join(f"{row.title} {row.gist} {row.error_type} {row.subject}" for row in rows)
    return set(terms(text))
