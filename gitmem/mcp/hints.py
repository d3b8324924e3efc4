"""What is known of a failure, in full: attempts with their reasons and changes, and decisions."""

from typing import TYPE_CHECKING, Final

from gitmem.matching.labels import WEAK
from gitmem.mcp.plain_search import plain_search
from gitmem.render.assistant import Answer, AnswerPart, hit_part, known_parts
from gitmem.render.assistant_attempts import decision_part, detail_parts, reasons
from gitmem.render.elsewhere_quoted import parts as foreign_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitmem.capture.observed import Match
    from gitmem.memory import Memory

_MOST_READ: Final = 3
"""Failures whose attempts are read: an output with more says the same of most of them."""
_MOST_DECISIONS: Final = 3
_MOST_HITS: Final = 5
_NOTHING: Final = "No failure in this text, and nothing is recorded about its words."


def hint(memory: "Memory", text: str) -> Answer:
    """Tell what is known of the failures in a text; empty: of what fails in this work tree.

    Words in which nothing failed are searched for.
    """
    if not text.strip():
        live = [failure.known for failure in memory.failures.attempts()]
        return Answer(_told(memory, live), "" if live else "Nothing fails here that was observed.")
    matches = memory.failures.meant_by(text)
    if not matches:
        return _search(memory, text)
    parts = _told(memory, matches)
    if not any(match.label or match.similar for match in matches):
        parts += map(hit_part, memory.failures.resembling(text, matches))
    parts += foreign_parts(memory.failures.elsewhere(matches))
    return Answer(parts)


def _search(memory: "Memory", text: str) -> Answer:
    result = plain_search(memory, text, _MOST_HITS)
    # One word in common, often ``error``, says nothing; and this is read as what fixed it here.
    hits = [hit for hit in result.hits if hit.label != WEAK]
    memory.records.reader.note_shown(result.site, (hit.ids for hit in hits))
    head = "No failure in this text; its words were searched for."
    return Answer([hit_part(hit) for hit in hits], head if hits else _NOTHING)


def _told(memory: "Memory", matches: "Sequence[Match]") -> list[AnswerPart]:
    attempts = [
        attempt
        for match in matches[:_MOST_READ]
        if match.attempts
        for attempt in memory.failures.read_attempts(match)
    ]
    parts = known_parts(matches, reasons(attempts))
    # What was tried on the failure itself comes before what is only like it.
    at = len(matches)
    return [*parts[:at], *detail_parts(attempts), *_decisions(memory, matches), *parts[at:]]


def _decisions(memory: "Memory", matches: "Sequence[Match]") -> list[AnswerPart]:
    about = {path: memory.editor.decisions_about(path) for path in _files(matches)}
    return [decision_part(path, rows[:_MOST_DECISIONS]) for path, rows in about.items() if rows]


def _files(matches: "Iterable[Match]") -> list[str]:
    """Name the files in which something failed: where it was raised, and the test."""
    files: dict[str, None] = {}
    for match in list(matches)[:_MOST_READ]:
        fields = match.seen.fields
        frames = [frame["file"] for frame in fields.get("frames", ()) if frame.get("in_app", True)]
        files |= dict.fromkeys(frames[-1:])
        if location := fields.get("location"):
            files[location["file"]] = None
    return list(files)
