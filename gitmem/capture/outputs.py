"""Files of the work tree that a command's output goes to: ``> red.txt``, ``| tee build.log``.

The shell and ``tee`` write them while a command is watched, so they are no edits.
"""

import fcntl
import os
import re
import shlex
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import Final

from gitmem.capture.commands import folder_entered, runs_script
from gitmem.lazy_pattern import lazily
from gitmem.tools.choice import alternatives

_NAME: Final = r"(?:'([^'$`]+)'|\"([^\"$`]+)\"|([^\s;&|<>$`'\"()]+))"
_WRITTEN: Final = lazily(rf"(?:(?:^|[\s;)])(?:&|[12])?>>?\|?|\|&?\s*tee\s(?:\s*-\w+)*)\s*{_NAME}")
"""What a line of shell says to write; names that only the shell can tell are left out."""
_STEPS: Final = lazily(r"&&|\|\||;|\n")
_EDITS: Final = lazily(r"\s*(?:cat|echo|printf|tee)\b")
"""What writes files of its own: ``cat > notes.txt <<EOF``."""
_ENDINGS: Final = frozenset({
    ".err", ".htm", ".html", ".json", ".lcov", ".log", ".out", ".tap", ".txt", ".xml",
})  # fmt: skip
_OWN_OPTIONS: Final = "--output-file"
"""What no runner in particular calls it."""
_STREAMS: Final = (1, 2)
_PROCESSES: Final = "/proc"
_WRITES: Final = os.O_WRONLY | os.O_RDWR


def output_files(root: str) -> tuple[str, ...]:
    """Name the files below a folder that standard output and error go to, relative to it.

    For a pipe these are the files that its reader has open for writing, where the system tells
    (``/proc``); asked while the pipe is open.

    Args:
        root: the work tree's top.

    """
    top = os.path.realpath(root)
    paths: list[str] = []
    pipes: set[str] = set()
    for stream in _STREAMS:
        try:
            mode = os.fstat(stream).st_mode
        except OSError:  # closed
            continue
        if stat.S_ISREG(mode):
            paths.append(_path_of(stream))
        elif stat.S_ISFIFO(mode):
            with suppress(OSError):
                pipes.add(os.readlink(f"{_PROCESSES}/self/fd/{stream}"))
    if pipes:
        paths += _written_by_readers(pipes)
    inside = {os.path.relpath(path, top) for path in paths if path.startswith(top + os.sep)}
    return tuple(sorted(inside))


@cache
def _reports() -> re.Pattern[str]:
    """Give the pattern of options that say where a runner of tests writes its report."""
    options = f"{_OWN_OPTIONS}|{alternatives('reports.options')}"
    return lazily(rf"(?:{options})(?:[=:]|\s+){_NAME}")


def named_outputs(command: Sequence[str], folder: str) -> tuple[str, ...]:
    """Name the files that a command says its output or its report goes to.

    Args:
        command: an argument list.
        folder: where it runs, relative to the work tree's top.

    Returns:
        The files, relative to the work tree's top; those outside are left out.

    """
    line = command[-1] if runs_script(command) else shlex.join(command)
    base = folder_entered(command, folder)
    named = (
        os.path.normpath(os.path.join(base, next(filter(None, match.groups()))))
        for step in _STEPS.split(line)
        if not _EDITS.match(step)
        for pattern in (_WRITTEN, _reports())
        for match in pattern.finditer(step)
    )
    inside = {path for path in named if not path.startswith(("/", ".."))}
    return tuple(sorted(path for path in inside if _is_of_output(path)))


def _is_of_output(path: str) -> bool:
    """Tell whether a file is called as outputs are: code that a line writes is an edit."""
    return os.path.splitext(path)[1].lower() in _ENDINGS


def _path_of(stream: int) -> str:
    """Name the file of a stream; empty where the system does not tell."""
    if sys.platform == "darwin":
        buffer = fcntl.fcntl(stream, fcntl.F_GETPATH, bytes(1024))
        return os.fsdecode(buffer.partition(b"\0")[0])
    else:  # noqa: RET505  the types of each system are checked
        try:
            return os.path.realpath(os.readlink(f"{_PROCESSES}/self/fd/{stream}"))
        except OSError:
            return ""


def _written_by_readers(pipes: set[str]) -> Iterator[str]:
    """Name the files that the other processes of our group hold open beside one of the pipes."""
    group = os.getpgrp()
    for name in os.listdir(_PROCESSES) if os.path.isdir(_PROCESSES) else ():
        if not name.isdigit() or int(name) == os.getpid():
            continue
        with suppress(OSError):  # it has ended, or is another user's
            if os.getpgid(int(name)) != group:
                continue
            folder = f"{_PROCESSES}/{name}/fd"
            held = {fd: os.readlink(f"{folder}/{fd}") for fd in os.listdir(folder)}
            if held.get("0") in pipes:
                yield from (path for fd, path in held.items() if _is_written(name, fd, path))


def _is_written(process: str, descriptor: str, path: str) -> bool:
    """Tell whether a descriptor of a process is a file that it has open for writing."""
    if not path.startswith("/") or not os.path.isfile(path):
        return False
    with open(f"{_PROCESSES}/{process}/fdinfo/{descriptor}", encoding="ascii") as info:
        flags = next((line for line in info if line.startswith("flags:")), "flags: 0")
    return bool(int(flags.split()[1], 8) & _WRITES)
