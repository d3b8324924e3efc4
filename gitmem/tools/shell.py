"""What shells and system calls say: no such file, not found, permission denied, killed."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolIdentity, ToolOutput
from gitmem.tools.common.reading import number, one
from gitmem.tools.common.system_words import WORDS, in_english

_SHELL: Final = r"(?:-)?(?:\S{0,80}/)?(?:bash|sh|dash|zsh|ksh|fish|ash)"
_PLACED: Final = re.compile(
    rf"(?P<file>{_SHELL}|[^\s:][^:\n]{{0,300}}\.(?:sh|bash|zsh|bats)|[./][^\s:]{{1,300}}): "
    r"(?:line )?(?P<line>\d+): (?P<message>\S.*)$"
)
_LONGEST: Final = 1_000
_SHORT: Final = 200
_SAID: Final = (
    "command not found", "No such file or directory", "Permission denied", "Is a directory",
    "Not a directory", "not found", "unbound variable", "No space left on device",
    "cannot execute binary file", "Exec format error", "bad interpreter", "Operation not permitted",
    "File exists", "Device or resource busy", "Address already in use", "Connection refused",
    "Connection timed out", "Connection reset by peer", "Too many open files", "Broken pipe",
    "Cannot allocate memory", "Read-only file system", "No such device", "Text file busy",
    "syntax error near unexpected token", "unexpected end of file", "Directory not empty",
    "Argument list too long", "Host key verification failed", "Could not resolve host",
    "Name or service not known", "Network is unreachable", "parse error", "bad substitution",
    "unexpected EOF", "parameter not set", "event not found", "Unknown command",
)  # fmt: skip
_BY_SHELLS: Final = (
    "unary operator expected",
    "binary operator expected",
    "too many arguments",
    "integer expression expected",
    "missing `]'",
    "not a valid identifier",
    "readonly variable",
    "can only be used in a function",
    "can only `return'",
    "can't shift that many",
    "syntax error in expression",
    "value too great for base",
    "division by 0",
    "Syntax error",
    "Bad substitution",
    "operand expected",
    "numeric argument required",
)
"""What shells say of their own commands: only behind the name of a script and a line."""
_OF_SHELLS: Final = ("command not found", "not found", "parse error", "Unknown command")
"""What any program may say of anything, but shells of what they were asked to run."""
_BY_SHELL: Final = re.compile(_SHELL + ": ")
_BEHIND_NAME: Final = re.compile(r": (?:[Cc]ommand not found|not found|Unknown command)[.!]?$")
_OF_OPTIONS: Final = re.compile(
    r"(?:[\w./+-]{1,80}: )(?P<message>(?P<kind>unrecognized option|invalid option(?= --|$)"
    r"|missing operand|missing (?:destination )?file operand).*|-e expression #\d+, char \d+: .+)$"
)
_PREFIX: Final = re.compile(
    r"(?!\d+: )(?P<program>(?:[\w./+@-]{1,80}(?:\[\d+\])?): )(?P<message>\S.*)$"
)
_OWN_WORDS: Final = re.compile(r"(?i:fatal|critical|severe|(?:fatal )?error)\b:? |\*\*\* \[")
"""A program that says how bad it is says the rest in words of its own, too."""
_WITHIN: Final = re.compile(
    r"(?P<file>[^\s:]{1,300}\.\w{1,8}):(?P<line>\d{1,7}): (?P<message>\S.*)$"
)
"""The place in a file that a program read, before what the system says."""
_DEATHS: Final = (
    "Segmentation fault", "Aborted", "Killed", "Bus error", "Illegal instruction",
    "Floating point exception", "Terminated", "Alarm clock",
)  # fmt: skip
_DIED: Final = re.compile(
    r"(?:.{0,200}?(?:line \d+: )?\s*\d* ?)?"
    rf"(?P<message>{'|'.join(_DEATHS)})"
    r"(?:(?: +\(core dumped\) *| {2,}|\t+)"
    r"(?P<command>\S.{0,300})?)?$"
)
_ENDED: Final = ("Aborted", "Terminated", "Alarm clock")
_ZSH: Final = re.compile(
    r"zsh: (?P<message>command not found|no such file or directory"
    r"|permission denied): (?P<what>.+)$"
)
_CALL_ENDS: Final = (
    "permission denied", "no such file or directory", "file exists", "is a directory",
    "not a directory", "directory not empty", "executable file not found in $PATH",
    "connection refused", "address already in use", "exec format error", "text file busy",
    "read-only file system", "no space left on device", "operation not permitted",
)  # fmt: skip
_CALL: Final = re.compile(
    r"(?:\d{4}/\d\d/\d\d [\d:.]{8,16} )?(?:[^\s:][^:\n]{0,80}: ){0,3}"
    r"(?P<message>(?:open|l?stat|mkdir|rmdir|remove|rename|unlink|chdir|chmod"
    r"|symlink|readdirent|read|write|exec|fork/exec|dial|listen) (?:\w+ )?[^\s:].{0,300}: "
    rf"(?P<kind>{'|'.join(map(re.escape, _CALL_ENDS))}))$"
)
"""What Go says of a call to the system, below what the program puts before it."""


def _kind(line: str) -> str:
    """Give what the system says; empty where a program says it of a thing of its own."""
    kind = next((phrase for phrase in _SAID if phrase in line), "")
    own = kind in _OF_SHELLS and not (_BY_SHELL.match(line) or _BEHIND_NAME.search(line))
    return "" if own else kind


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:  # noqa: ARG001
    """Read one line of a shell or of a program that gives the system's words."""
    line = in_english(lines[at].strip())
    if len(line) > _LONGEST or line[:1] in "{[|>":
        return None
    zsh = _ZSH.match(line)
    if zsh:
        return _found(lines, at, zsh["message"], f"{zsh['what']}: {zsh['message']}", None)
    call = _CALL.match(line) if line.endswith(_CALL_ENDS) else None
    if call:
        return _found(lines, at, call["kind"].capitalize(), call["message"], None)
    kind = _kind(line)
    placed = _PLACED.match(line)
    if placed and not kind:
        kind = next((phrase for phrase in _BY_SHELLS if phrase in line), "")
    if kind and placed:
        # "bash: line 3:" is a place only with the name of a script.
        script = not re.fullmatch(_SHELL, placed["file"])
        place = FailureLocation(placed["file"], number(placed["line"])) if script else None
        return _found(lines, at, kind, placed["message"], place)
    if misused := _OF_OPTIONS.match(line):
        return _found(lines, at, misused["kind"] or "", line, None)
    prefixed = _PREFIX.match(line)
    if prefixed and _OWN_WORDS.match(prefixed["message"]):
        return None
    if (
        kind
        and prefixed
        and not re.match(
            r"(?:error|ERROR|E|fatal|npm|pip|(?i:warning|note|hint|info)|\w+\.[A-Z]{4,9}"
            r"|.*(?:Error|Exception))$",
            prefixed["program"][:-2],
        )
    ):
        shell = re.fullmatch(_SHELL + r"(?:: \d+)?", prefixed["program"][:-2])
        # A make inside of another one numbers itself; it is the same failure.
        text = prefixed["message"] if shell else re.sub(r"^(\w*make)\[\d+\]: ", r"\1: ", line)
        if within := _WITHIN.match(prefixed["message"]):
            place = FailureLocation(within["file"], number(within["line"]))
            return _found(lines, at, kind, prefixed["program"] + within["message"], place)
        return _found(lines, at, kind, re.sub(r"^\d+: ", "", text), None)
    died = _DIED.match(line) if any(death in line for death in _DEATHS) else None
    if died and (
        "core dumped" in line
        or (len(line) < _SHORT and (line.startswith(died["message"]) or "line " in line))
    ):
        message = " ".join(filter(None, [died["message"], died["command"]]))
        result = _found(lines, at, died["message"], message, None)
        if died["message"] in _ENDED:
            # Somebody ended it, mostly itself after saying why.
            failure = result.failures[0]._replace(severity="consequence")
            return result._replace(failures=(failure,))
        return result
    return None


def _found(
    lines: Sequence[str], at: int, kind: str, message: str, place: FailureLocation | None
) -> ParserResult:
    failure = Failure("shell", "shell", kind, "", message, location=place)
    return one(failure, lines, at, at + 1)


TOOL = Tool(
    "shell",
    order=320,
    language="shell",
    output=ToolOutput(
        words=(
            "not found",
            "o such ",
            "enied",
            "annot ",
            "Killed",
            "Aborted",
            "refused",
            "imed out",
            "core dumped",
            "reset by peer",
            " error",
            ": line ",
            "arameter not set",
            "ad substitution",
            "nrecognized option",
            "nvalid option",
            "operand",
            "expression #",
            *WORDS,
        ),
        beside=(
            "ault",
            "directory",
            "variable",
            "unexpected",
            "No space",
            "bad ",
            "in use",
            "resolve host",
            "not known",
            "unreachable",
        ),
        parse=parse,
        missing_program=True,
        of_lines=True,
    ),
    command=ToolCommand(
        programs=("bash", "sh", "zsh", "dash", "fish"), runs_text=r"-[a-z]*c[a-z]*"
    ),
    identity=ToolIdentity(values=True),
)
