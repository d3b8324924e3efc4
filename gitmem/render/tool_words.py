"""What messages tell to type, as assistants can do it: by a tool and not in a shell. Pure."""

import re
from typing import Final

_TOOLS: Final = {
    "search": "gitmem_search",
    "list": "gitmem_search",
    "show": "gitmem_show",
    "hint": "gitmem_hint",
    "runs attempts": "gitmem_hint",
    "advise": "gitmem_advise",
    "context": "gitmem_context",
    "review": "gitmem_context",
    "resolve": "gitmem_record_fix",
    "add error": "gitmem_record_fix",
    "add fix": "gitmem_record_fix",
    "add decision": "gitmem_record_decision",
    "supersede": "gitmem_record_decision",
    "add note": "gitmem_note",
    "helpful": "gitmem_rate",
    "session start": "coding_start_session",
    "session log": "coding_track_file_change",
    "session status": "coding_get_current_session_status",
    "session list": "coding_resume_session",
    "session resume": "coding_resume_session",
    "session end": "coding_end_session",
}
_COMMAND: Final = re.compile(
    r"\bgitmem (?:-C \S+ )?(" + "|".join(sorted(_TOOLS, key=len, reverse=True)) + r")\b(?! -)"
)
_SHELL: Final = re.compile(r"\bgit(?:mem)? [a-z]")
_FLAG: Final = re.compile(r"(?<!\S)--([a-z][a-z-]*)")
_ARGUMENTS: Final = {"file": "path", "path": "file_path"}


def as_tools(message: str) -> str:
    """Name tools instead of commands in a message of ours, and arguments instead of flags.

    What no tool does stays a command: an assistant may have a shell, and a person has one.
    """
    text = _COMMAND.sub(lambda match: _TOOLS[match[1]], message)
    return ";".join(
        clause
        if _SHELL.search(clause)
        else _FLAG.sub(lambda match: _ARGUMENTS.get(match[1], match[1]), clause)
        for clause in text.split(";")
    )
