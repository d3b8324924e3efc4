"""The fields that people are asked for when they write a record, each with one line of help.

The flags of ``gitmem add``, the templates of ``--edit`` and the documentation all come
from this table, so they can't drift apart.
"""

from typing import Final, NamedTuple


class FieldPrompt(NamedTuple):
    """One field that people fill in."""

    field: str
    help: str
    form: str = "text"  # text | lines | list | number | choice | yes-no | place


COMMON: Final = (
    FieldPrompt("title", "one line that names it (default: the first line of what follows)"),
    FieldPrompt("tags", "a word to find it by", "list"),
    FieldPrompt(
        "asked_as", "how someone would ask who does not know the answer (up to 5 lines)", "list"
    ),
)
KINDS: Final[dict[str, tuple[FieldPrompt, ...]]] = {
    "error": (
        FieldPrompt("error_type", "type of the error: TypeError, psycopg.OperationalError"),
        FieldPrompt("code", "rule or error code: E501, TS2322, errno 13"),
        FieldPrompt("message", "what the tool said", "lines"),
        FieldPrompt("symptom", "one line: the symptom, in your words (optional)"),
        FieldPrompt("cause", "one line: the cause, once known (optional)"),
        FieldPrompt("category", "TIMEOUT, NO_OUTPUT, … or a word of your own"),
        FieldPrompt("subject", "module, service, dependency or model it is about"),
        FieldPrompt("tool", "what reported it: pytest, gcc, tsc"),
        FieldPrompt("language", "programming language"),
        FieldPrompt("location", "where: PATH, PATH:LINE or PATH:LINE:COLUMN", "place"),
        FieldPrompt("command", "the command that failed"),
        FieldPrompt("exit_code", "its exit code", "number"),
        FieldPrompt("excerpt", "the part of the output that matters", "lines"),
    ),
    "fix": (
        FieldPrompt("approach", "what was done, in a sentence or two", "lines"),
        FieldPrompt("symptom", "one line: how the error showed, in your words (optional)"),
        FieldPrompt("cause", "one line: why it happened (optional)"),
        FieldPrompt("outcome", "what came of it", "choice"),
        FieldPrompt("steps", "a step, in order", "list"),
        FieldPrompt("patch", "unified diff", "lines"),
        FieldPrompt("lessons", "what to remember", "lines"),
        FieldPrompt("why_failed", "why it did not work", "lines"),
        FieldPrompt("worked_partially", "what did work", "lines"),
        FieldPrompt("reuses", "id of the earlier fix that was applied again"),
        FieldPrompt("applies_to", "category or subject it also applies to", "list"),
        FieldPrompt("fixer", "who or what fixed it, if not the author"),
        FieldPrompt("analysis", "how the cause was found", "lines"),
        FieldPrompt("stated_confidence", "how sure the author is, 0 to 1", "number"),
        FieldPrompt("seconds", "how long it took, in seconds", "number"),
        FieldPrompt("notes", "anything else", "lines"),
    ),
    "decision": (
        FieldPrompt("decision", "what was chosen", "lines"),
        FieldPrompt("context", "what made a decision necessary", "lines"),
        FieldPrompt("rationale", "why this and not another", "lines"),
        FieldPrompt("alternatives", "'OPTION: why not'", "list"),
        FieldPrompt("consequences", "what follows from it", "lines"),
        FieldPrompt("governs", "path or glob that it applies to: src/auth/**", "list"),
        FieldPrompt("status", "its status", "choice"),
        FieldPrompt("confidence", "how sure, 0 to 1", "number"),
    ),
    "pattern": (
        FieldPrompt("code", "the code", "lines"),
        FieldPrompt("language", "programming language"),
        FieldPrompt("when_to_use", "when to use it", "lines"),
        FieldPrompt("category", "error handling, async, …"),
        FieldPrompt("complexity", "how complex it is", "choice"),
        FieldPrompt("source", "source: PATH or record id"),
    ),
    "note": (
        FieldPrompt("body", "the text", "lines"),
        FieldPrompt("type", "practice, howto, gotcha or other", "choice"),
    ),
}
# A title is taken from the first of these that says something.
TITLE_FROM: Final = ("approach", "symptom", "message", "decision", "when_to_use", "body", "excerpt")


def title_from(fields: dict[str, object], limit: int = 120) -> str:
    """Make a title out of the first line that says something; empty if there is none."""
    for name in TITLE_FROM:
        text = fields.get(name)
        line = next((ln.strip() for ln in str(text or "").splitlines() if ln.strip()), "")
        if name == "message" and line:
            from gitmem.records.type_in_title import with_type

            line = with_type(line, str(fields.get("error_type") or ""))
        if line:
            return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
    return ""
