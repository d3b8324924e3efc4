"""The fields that people are asked for when they write a record, each with one line of help.

The flags of ``gitmem add``, the templates of ``--edit`` and the documentation all come
from this table, so they can't drift apart.
"""

from typing import Final, NamedTuple


class Ask(NamedTuple):
    """One field that people fill in."""

    field: str
    help: str
    form: str = "text"  # text | lines | list | number | choice | yes-no | place


COMMON: Final = (
    Ask("title", "one line that names it (default: the first line of what follows)"),
    Ask("tags", "a word to find it by", "list"),
)
KINDS: Final[dict[str, tuple[Ask, ...]]] = {
    "error": (
        Ask("error_type", "type of the error: TypeError, psycopg.OperationalError"),
        Ask("code", "rule or error code: E501, TS2322, errno 13"),
        Ask("message", "what the tool said", "lines"),
        Ask("symptom", "one line: how it shows, in your words (optional)"),
        Ask("cause", "one line: why it happens, once known (optional)"),
        Ask("category", "TIMEOUT, NO_OUTPUT, … or a word of your own"),
        Ask("subject", "module, service, dependency or model it is about"),
        Ask("tool", "what reported it: pytest, gcc, tsc"),
        Ask("language", "programming language"),
        Ask("location", "where: PATH, PATH:LINE or PATH:LINE:COLUMN", "place"),
        Ask("command", "the command that failed"),
        Ask("exit_code", "its exit code", "number"),
        Ask("excerpt", "the output, as much as matters", "lines"),
    ),
    "fix": (
        Ask("approach", "what was done, in a sentence or two", "lines"),
        Ask("symptom", "one line: how the error showed, in your words (optional)"),
        Ask("cause", "one line: why it happened (optional)"),
        Ask("outcome", "what came of it", "choice"),
        Ask("steps", "a step, in order", "list"),
        Ask("patch", "unified diff", "lines"),
        Ask("lessons", "what to remember", "lines"),
        Ask("why_failed", "why it did not work", "lines"),
        Ask("worked_partially", "what did work", "lines"),
        Ask("reuses", "id of the earlier fix that was applied again"),
        Ask("applies_to", "category or subject it also applies to", "list"),
        Ask("fixer", "who or what fixed it, if not the author"),
        Ask("analysis", "how the cause was found", "lines"),
        Ask("stated_confidence", "how sure the author is, 0 to 1", "number"),
        Ask("seconds", "how long it took, in seconds", "number"),
        Ask("notes", "anything else", "lines"),
    ),
    "decision": (
        Ask("decision", "what was chosen", "lines"),
        Ask("context", "what made a decision necessary", "lines"),
        Ask("rationale", "why this and not another", "lines"),
        Ask("alternatives", "'OPTION: why not'", "list"),
        Ask("consequences", "what follows from it", "lines"),
        Ask("governs", "path or glob that it applies to: src/auth/**", "list"),
        Ask("status", "status as of writing", "choice"),
        Ask("confidence", "how sure, 0 to 1", "number"),
    ),
    "pattern": (
        Ask("code", "the code", "lines"),
        Ask("language", "programming language"),
        Ask("when_to_use", "when it is the right thing", "lines"),
        Ask("category", "error handling, async, …"),
        Ask("complexity", "how complex it is", "choice"),
        Ask("source", "where it comes from: PATH or record id"),
    ),
    "note": (
        Ask("body", "the text", "lines"),
        Ask("type", "practice, howto, gotcha or other", "choice"),
    ),
}
# A title is taken from the first of these that says something.
TITLE_FROM: Final = ("approach", "symptom", "message", "decision", "when_to_use", "body", "excerpt")


def title_from(fields: dict[str, object], limit: int = 120) -> str:
    """Make a title out of the first line that says something; empty if there is none."""
    for name in TITLE_FROM:
        text = fields.get(name)
        line = next((ln.strip() for ln in str(text or "").splitlines() if ln.strip()), "")
        if name == "message" and line and fields.get("error_type"):
            kind = str(fields["error_type"])
            line = line if kind in line else f"{kind}: {line}"
        if line:
            return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
    return ""
