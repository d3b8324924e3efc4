"""What a checker tells an editor, read as the same words are read on a terminal.

A server puts the error's type before its message, and its flag, code or rule behind it, as people
are used to see them; a test runner hands on what it printed. All of it is taken apart here, so
that a diagnostic has the fingerprints of the output.
"""

from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.matching.parse import parse  # noqa: TID253  it reads texts
from gitmem.output.failure import MAX_MESSAGE, Failure, FailureLocation
from gitmem.tools.choice import borne, load, tool_of, values

_LONGEST_EXCERPT: Final = 1_000
_ENDS: Final = lazily(r"\s+(?:\[(?P<square>[^\[\]\s]{1,100})\]|\((?P<round>[^()\s]{1,100})\))\s*\Z")
_LEADS: Final = lazily(r"(?P<code>[\w./@-]{2,100}):\s+(?=\S)")
_FLAG: Final = lazily(
    r"-W[\w=+,-]+\Z|[A-Z]{1,12}-?\d{2,6}\Z|report[A-Z]\w+\Z|@?[a-z][\w-]*(?:/[a-z][\w-]*)+\Z"
)
"""What is surely no word of the message, where nothing else says what the code is."""
_IN_SQUARE: Final = lazily(r"[a-z]+(?:-[a-z]+)+\Z")
_NAMES_A_TYPE: Final = lazily(
    r"(?:Uncaught |Unhandled )?[\w.:\\$]{0,200}"
    r"(?:[Ee]rror|Exception|Warning|Exit|Interrupt|[Pp]anic|Fault|Failure)\w{0,20}"
    r"\b[^\n:]{0,80}: "
)


def failure_of(
    tool: str, language: str, code: str, message: str, location: FailureLocation
) -> Failure:
    """Make a failure of what a server says of a place.

    Args:
        tool: the server's name, as the diagnostic's source.
        language: of the code it is about; empty: any.
        code: as the server gives it; empty: none.
        message: as the server words it.
        location: the place that is marked.

    """
    name = borne(tool)
    code, message = _without_label(code, message.strip())
    if name in values("diagnostic") and (as_on_a_terminal := load(name).diagnostic):
        code, message = as_on_a_terminal(code, message)
    message = message.strip()[:MAX_MESSAGE]
    label = f" [{code}]" if code else ""
    excerpt = f"{location.file}:{location.line}:{location.column}: {message}{label}"
    plain = Failure(
        name, language, "", code, message, location=location, excerpt=excerpt[:_LONGEST_EXCERPT]
    )
    return _as_printed(plain, runs_tests=tool_of(tool) in values("tests.names_failing"))


def _as_printed(plain: Failure, *, runs_tests: bool) -> Failure:
    """Read the message as ``hint`` reads it, where it is what a program prints when it fails."""
    if not runs_tests and (plain.code or not _NAMES_A_TYPE.match(plain.message)):
        return plain  # what bears a rule's code is a checker's, which words it so itself
    read = next((each for each in parse(plain.message) if each.severity == "error"), None)
    if read is None or not (read.error_type or runs_tests or plain.message.endswith(read.message)):
        return plain
    return read._replace(
        tool=read.tool or plain.tool,
        language=read.language or plain.language,
        code=read.code or plain.code,
        location=read.location or plain.location,
        excerpt=plain.excerpt,
    )


def _without_label(code: str, message: str) -> tuple[str, str]:
    """Take the flag, code or rule off a message; where none is given, it is the code."""
    first, line_end, below = message.partition("\n")
    if ended := _ENDS.search(first):
        label = ended["square"] or ended["round"]
        if _is_label(label, code, square=bool(ended["square"])):
            return code or label, first[: ended.start()] + line_end + below
    if code and (led := _LEADS.match(first)) and _same(led["code"], code):
        return code, first[led.end() :] + line_end + below
    return code, message


def _is_label(label: str, code: str, *, square: bool) -> bool:
    if _same(label, code) or label.startswith("-W"):
        return True
    if code:
        return False
    return bool(_FLAG.match(label) or (square and _IN_SQUARE.match(label)))


def _same(label: str, code: str) -> bool:
    """Tell whether both are one code: servers leave out its letters, or the folder of the rule."""
    written, other = label.casefold(), code.casefold()
    number = written.lstrip("abcdefghijklmnopqrstuvwxyz")
    return bool(code) and (other in {written, number} or other.endswith(f"/{written}"))
