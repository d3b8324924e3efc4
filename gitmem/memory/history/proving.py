"""Runs what proved a fix, to tell whether what it fixed is back.

Only commands that were run in this clone before are run unasked: a record may come from anybody.
"""

import os
import subprocess
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Final

from gitmem.answers.guarded import Proof
from gitmem.capture.composing import command_line
from gitmem.capture.history import RunHistory
from gitmem.errors import EnvironmentProblem
from gitmem.git.command import sealed_environment
from gitmem.memory.core.team_rules import mask_rules
from gitmem.system import shell

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.answers.guarded import TakenBack
    from gitmem.capture.telling import LookUp
    from gitmem.memory.core.workspace import Workspace

_PIECE: Final = 1 << 16
_MOST_PIECES: Final = 64
"""Of an output, so many pieces of its end are read."""


def _own_commands(workspace: "Workspace") -> set[str]:
    """Give the commands that this clone ran, as fixes record them."""
    site = workspace.site
    if site.git_dirs is None:
        return set()
    masks = partial(mask_rules, site, workspace.notices)
    history = RunHistory(workspace.journal, site.git_dirs.git_dir, masks)
    return {command_line(runs[-1]) for runs in history.all()}


def prove(
    workspace: "Workspace",
    taken: "TakenBack",
    look_up: "Callable[[str], LookUp]",
    may_run: "Callable[[str], bool]",
) -> Proof:
    """Run what proved a fix, in the work tree as it is.

    Args:
        workspace: of the memory.
        taken: the fix.
        look_up: tells which errors an output shows.
        may_run: asked for a command that this clone has never run.

    Raises:
        EnvironmentProblem: it can't be started.

    """
    line = taken.proof
    if not line or not (line in _own_commands(workspace) or may_run(line)):
        return Proof("not run")
    site = workspace.site
    code, output = _run(line, site.git_dirs.root if site.git_dirs else site.root)
    if code == 0:
        return Proof("still fixed", code)
    ids = {row.id for match in look_up(output).matches for row in match.errors}
    return Proof("back" if taken.error and taken.error.id in ids else "unclear", code)


def _run(command: str, folder: str) -> tuple[int, str]:
    """Run a line of shell; give how it ended, and the end of what it printed."""
    sealed = sealed_environment()
    try:
        child = subprocess.Popen(  # noqa: S603  this clone ran it, or a person agreed
            shell(command),
            cwd=folder,
            env={name: os.environ.get(name, value) for name, value in sealed.items()},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
    except OSError as error:
        raise EnvironmentProblem(f"sh can't be started: {error.strerror}") from None
    pieces: deque[bytes] = deque(maxlen=_MOST_PIECES)
    try:
        while child.stdout and (piece := child.stdout.read(_PIECE)):
            pieces.append(piece)
        code = child.wait()
    finally:
        if child.poll() is None:  # interrupted
            child.terminate()
            child.wait()
        if child.stdout:
            child.stdout.close()
    return code if code >= 0 else 128 - code, b"".join(pieces).decode(errors="replace")
