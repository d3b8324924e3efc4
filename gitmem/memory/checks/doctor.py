"""``gitmem doctor``: tries every way in which something gets into the memory or back.

A repository of its own is made in a temporary folder, with the settings in force here; in it a
command fails and is mended, a report is read, an editor asks. The user's own is only looked at.
"""

import os
import subprocess
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from gitmem.errors import GitmemError
from gitmem.memory.checks.problems import problems
from gitmem.memory.checks.trial_checks import WAYS, Check
from gitmem.memory.checks.trial_repository import SECONDS, TrialFailed, World
from gitmem.memory.core.derived_check import differences
from gitmem.memory.core.ignored import CODE
from gitmem.plurals import counted
from gitmem.temporary import temporary_folder

if TYPE_CHECKING:
    from gitmem.memory.core.workspace import Workspace
    from gitmem.memory.reading.layered import LayeredReader


def examine(reader: "LayeredReader", here: str) -> Iterator[Check]:
    """Try every way, one after the other; each is given as soon as it was tried.

    Args:
        reader: of the memory.
        here: the folder that gitmem was called in, where it is looked up what is set up.

    """
    yield from _here(reader)
    workspace = reader.workspace
    mode = workspace.site.config.capture_mode
    environ = {**workspace.environ, "GITMEM_CAPTURE_MODE": mode}
    with temporary_folder() as folder:
        try:
            world = World(os.path.realpath(folder), environ, here)
        except (TrialFailed, OSError, subprocess.TimeoutExpired) as error:
            yield Check("git", "broken", str(error), "git must work before anything else can")
            return
        for name, way in WAYS.items():
            yield _tried(name, way, world, workspace)


def _tried(
    name: str,
    way: "Callable[[World, Workspace], Check | str]",
    world: World,
    workspace: "Workspace",
) -> Check:
    try:
        outcome = way(world, workspace)
    except (TrialFailed, GitmemError) as error:
        return Check(
            name, "broken", str(error), "does this happen in your own repository? report it"
        )
    except subprocess.TimeoutExpired:
        return Check(name, "broken", f"no answer within {SECONDS} seconds")
    except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
        return Check(name, "broken", f"an answer that can't be read: {error!r}")
    return outcome if isinstance(outcome, Check) else Check(name, "ok", outcome)


def _here(reader: "LayeredReader") -> Iterator[Check]:
    workspace = reader.workspace
    try:
        reader.catch_up()
        count = reader.count()
        faults = problems(reader, secrets=False)
        broken = sum(problem.severity == "error" for problem in faults)
    except GitmemError as error:
        yield Check("memory", "broken", error.message, error.hint)
        return
    holds = f"{counted(count, 'record')} in {workspace.site.folder}"
    if broken:
        holds = f"{holds}, {counted(broken, 'error')}"
        yield Check("memory", "broken", holds, "see: gitmem check")
    else:
        yield Check("memory", "ok", holds)
    for fault in faults:
        if fault.code == CODE:
            yield Check("shared", "broken", fault.message, fault.hint)
    if workspace.notices:
        hint = "every answer takes longer; fix that, then try again"
        yield Check("index", "broken", workspace.notices[-1], hint)
    elif workspace.site.derived is None:
        yield Check("index", "off", "no writable folder for it", "")
    elif wrong := differences(workspace.derived):
        yield Check("index", "broken", wrong[0], "rebuild it with: gitmem index rebuild")
    else:
        yield Check("index", "ok", "equal to a fresh reading of the files")
