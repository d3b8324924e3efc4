"""Files of the work tree that a command's output goes to: ``> red.txt``, ``| tee build.log``.

The shell and ``tee`` write them while a command is watched, so they are no edits.
"""

import os
import posixpath
import re
import shlex
import stat
from collections.abc import Sequence
from functools import cache
from typing import Final

from gitmem.capture.commands import folder_entered, runs_script
from gitmem.lazy_pattern import lazily
from gitmem.system import files_behind_pipe, relative_path, stream_path
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


def output_files(root: str) -> tuple[str, ...]:
    """Name the files below a folder that standard output and error go to, relative to it.

    For a pipe these are the files that its reader has open for writing, where the system tells
    (``/proc``); asked while the pipe is open.

    Args:
        root: the work tree's top.

    """
    top = os.path.realpath(root)
    paths: list[str] = []
    for stream in _STREAMS:
        try:
            mode = os.fstat(stream).st_mode
        except OSError:  # closed
            continue
        if stat.S_ISREG(mode):
            paths.append(stream_path(stream))
        elif stat.S_ISFIFO(mode):
            paths += files_behind_pipe(stream)
    inside = {relative_path(path, top) for path in paths if path.startswith(os.path.join(top, ""))}
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
        posixpath.normpath(posixpath.join(base, next(filter(None, match.groups()))))
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
