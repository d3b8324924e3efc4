"""Docker: builds (classic and BuildKit), the daemon, compose."""

import re
from collections.abc import Sequence
from typing import Final

from gitmem.output.failure import Failure, FailureLocation, ParserResult
from gitmem.tools.base import Tool, ToolCommand, ToolFiles, ToolOutput
from gitmem.tools.common.reading import number, one

_SOLVE: Final = re.compile(
    r"(?:ERROR: |error: |target \S+: )*failed to "
    r"(?:build|solve|compute|read)\b[^:]{0,80}: (?P<message>.*)$"
)
_STEP: Final = re.compile(
    r"(?:#\d+ )?ERROR:? (?:\[(?:[^\]\n]{1,80} )?"
    r"(?:\d{1,4}/\d{1,4}|internal|auth|context [^\]\n]{1,80})\]"
    r"|process) (?P<message>.*)$"
)
"""A step of a build; a logger's name stands in brackets, too."""
_CLASSIC: Final = re.compile(
    r"(?:ERROR: )?The command '(?P<command>.{1,1000}?)' returned a non-zero code: (?P<code>\d+)$"
)
_PROCESS: Final = re.compile(
    r'process "(?P<command>.{1,2000}?)" did not complete successfully: exit code: (?P<code>\d+)'
)
_PLACE: Final = re.compile(r"(?P<file>\S*[Dd]ockerfile\S*):(?P<line>\d+)$")
_DAEMON: Final = re.compile(
    r"(?:docker: )?(?:Error response from daemon: |docker: "
    r"|Cannot connect to the Docker daemon)(?P<message>.*?)(?: See 'docker .*)?$"
)
_CLIENT: Final = re.compile(
    r"(?:docker: )?(?P<message>invalid argument \".{0,300}\" for \".{1,80}\" flag: .+"
    r"|unable to prepare context: .+|the input device is not a TTY.*"
    r"|Failed to initialize: unable to resolve docker endpoint: .+|invalid reference format.*"
    r"|(?:\(root\)|(?:services|networks|volumes)(?:\.\S{1,200})?) "
    r"(?:must be a|Additional property) .+)$"
)
"""What the client says by itself, before it asks the daemon, and of Compose files."""
_OWN: Final = re.compile(r"docker: (?P<message>(?!command not found|not found)\S.+)$")
_DENIED: Final = re.compile(
    r"(?:docker: |Got )*(?P<message>permission denied while trying to connect to the"
    r" [Dd]ocker (?:daemon socket|API)).*$"
)


def parse(lines: Sequence[str], at: int, floor: int) -> ParserResult | None:
    """Read one message of Docker."""
    line = lines[at]
    denied = _DENIED.match(line)
    if denied:
        return one(Failure("docker", message=denied["message"]), lines, at, at + 1)
    solve = _SOLVE.match(line) or _STEP.match(line)
    process = _PROCESS.search(line)
    classic = _CLASSIC.match(line)
    if process or classic:
        step = process or classic
        if step and (solve or classic):
            return _step(lines, at, step, floor)
    if solve:
        failure = Failure("docker", message=solve["message"], location=_place(lines, at, floor))
        return one(failure, lines, at, at + 1)
    if client := _CLIENT.match(line):
        return one(Failure("docker", message=client["message"]), lines, at, at + 1)
    daemon = _DAEMON.match(line)
    if daemon and (daemon["message"] or "Cannot connect" in line):
        message = daemon["message"] if "Cannot connect" not in line else line.strip()
        return one(Failure("docker", message=message), lines, at, at + 1)
    if own := _OWN.match(line):
        return one(Failure("docker", message=own["message"]), lines, at, at + 1)
    return None


def _step(lines: Sequence[str], at: int, match: re.Match[str], floor: int) -> ParserResult:
    command = match["command"].removeprefix("/bin/sh -c ")
    failure = Failure(
        tool="docker",
        code=f"exit {match['code']}",
        message=f"RUN {command}: exit code {match['code']}",
        location=_place(lines, at, floor),
        severity="consequence",
    )
    return one(failure, lines, at, at + 1)


def _place(lines: Sequence[str], at: int, floor: int) -> FailureLocation | None:
    for near in range(at, max(floor, at - 20) - 1, -1):
        match = _PLACE.match(lines[near].strip())
        if match:
            return FailureLocation(match["file"], number(match["line"]))
    return None


TOOL = Tool(
    "docker",
    order=270,
    output=ToolOutput(
        words=(
            *(f"ERROR{sign} {word}" for sign in ("", ":") for word in ("[", "process ")),
            "failed to ",
            "docker: ",
            "nvalid argument",
            "unable to ",
            "not a TTY",
            "nvalid reference",
            " must be a ",
            "dditional property",
        ),
        beside=("daemon", "ocker API", "non-zero code"),
        commands=("buildx",),
        parse=parse,
    ),
    command=ToolCommand(programs=("docker", "docker-compose")),
    files=ToolFiles(
        supplies=("Dockerfile",),
        settings={"Dockerfile": "Docker"},
        services=(r"(?:docker-)?compose(?:\.[\w-]+)?",),
    ),
)
