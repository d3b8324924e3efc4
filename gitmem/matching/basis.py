"""What a failure is known by: a tool's own words, a guess at a line, or no more than an exit code.

A guess may be shown; it is no identity. Two commands that exit with 2, or that print a line which
sounds like an error, need not have failed for one reason.
"""

from collections.abc import Mapping
from typing import Any, Final

from gitmem.lazy_pattern import lazily
from gitmem.output.failure import Failure, as_fields
from gitmem.tools.choice import pattern, values

TOOL: Final = "tool"
"""A parser knows the tool and read its message, its place or its test."""
GUESS: Final = "guess"
"""Nobody knows the tool: a line that sounds like an error, or the last lines of the output."""
EXIT: Final = "exit"
"""Nothing but how a command or a recipe ended."""
_DIED: Final = {
    4: "Illegal instruction", 6: "Aborted", 7: "Bus error", 8: "Floating point exception",
    9: "Killed", 11: "Segmentation fault", 14: "Alarm clock", 15: "Terminated",
}  # fmt: skip
"""What a shell says of a program that a signal ended, by the signal: other crashes say the same."""
_BY_SIGNAL: Final = 128
"""An exit code above it stands for the signal that ended the program."""
_EXIT: Final = lazily(
    r"(?:\S{1,200} exited with \d{1,3}(?: \([a-z ]{1,40}\))?"
    r"|\[[^\]\n]{1,400}\] (?:(?:Error|Fehler) \d{1,3}"
    rf"|(?:{'|'.join(_DIED.values())})(?: \(core dumped\))?))\s*"
)


def basis(failure: Failure) -> str:
    """Say what a failure is known by: ``TOOL``, ``GUESS`` or ``EXIT``."""
    return basis_of(as_fields(failure))


def basis_of(fields: Mapping[str, Any]) -> str:
    """Say the same of a failure that is the fields of an error record."""
    placed = any(fields.get(name) for name in ("frames", "location", "test", "code"))
    kind = str(fields.get("error_type", ""))
    if not placed and (kind in _DIED.values() or (not kind and _EXIT.fullmatch(_said(fields)))):
        return EXIT
    # The type of an exception that only closes a run adds nothing: ``BuildException: … failed``.
    closing = _said(fields).rpartition(f"{kind}: ")[2] if kind else _said(fields)
    if not placed and _closes(closing):
        return EXIT
    return TOOL if fields.get("tool") or fields.get("test") else GUESS


def tells_only_the_end(fields: Mapping[str, Any]) -> bool:
    """Tell whether all that is known of a failure is which program of tests ended, and how.

    A program that crashes, runs out of time or just fails does so for any of many reasons: it is
    worth remembering, and never the same error. Some runners say no more themselves.
    """
    if not any(fields.get(name) for name in ("message", "error_type", "code", "test")):
        return True  # steps alone say where, never what
    if fields.get("frames") or fields.get("location"):
        return False
    if fields.get("tool") in values("identity.only_the_end"):
        return True
    return bool(pattern("identity.crash").match(_said(fields)))


def _closes(message: str) -> bool:
    from gitmem.tools.common.closing import is_closing

    return is_closing(message)


def _said(fields: Mapping[str, Any]) -> str:
    return str(fields.get("message", ""))


def exited(name: str, exit_code: int) -> str:
    """Write the message of a failure of which only the exit code is known."""
    died = _DIED.get(exit_code - _BY_SIGNAL, "").lower()
    return f"{name} exited with {exit_code}" + (f" ({died})" if died else "")
