"""Records that git waits for a decision about, each with the commands that tell git."""

import shlex
from typing import TYPE_CHECKING, Final

from gitmem.errors import GitmemError
from gitmem.git.unmerged import BASE, OURS, Stages, content, other_side, unmerged
from gitmem.records.layout import id_in
from gitmem.records.problems import Problem

if TYPE_CHECKING:
    from gitmem.git.git_dirs import GitDirs
    from gitmem.memory.core.site import Site

CODE: Final = "unmerged"
_MARKS: Final = "conflict-marker"


def with_unmerged(faults: list[Problem], site: "Site") -> list[Problem]:
    """Add what git waits for in the memory's files; such a file needs no other word on its marks.

    Args:
        faults: what is wrong with the files themselves.
        site: of the memory.

    """
    if site.git_dirs is None:
        return faults
    folder = site.folder_in_repository
    try:
        waiting = unmerged(site.git_dirs, folder)
        problems = {
            path: _problem(site.git_dirs, path, f"{folder}/{path}", stages)
            for path, stages in waiting.items()
        }
    except GitmemError:  # git says so itself wherever it is needed
        return faults
    marked = {problem.path for problem in faults if problem.code == _MARKS}
    for path, stages in waiting.items():
        if path in marked and len(stages) > 1:  # a plain conflict: its line and hint say all
            del problems[path]
    others = [fault for fault in faults if fault.code != _MARKS or fault.path not in problems]
    return [*others, *problems.values()]


def _problem(git_dirs: "GitDirs", path: str, whole: str, stages: Stages) -> Problem:
    """Say what git waits for, by the sides that have the file.

    git takes two files for one that got another name if they are similar. Where both sides
    deleted a record and each wrote one like it, it holds both for the old one, and writes both
    contents with conflict marks into each.
    """
    quoted = shlex.quote(whole)
    sides = stages.keys() - {BASE}
    if not sides:
        message = "both sides deleted this record, and git takes a new one for it"
        return Problem(path, CODE, message, f"git rm {quoted}")
    if BASE not in stages and len(sides) == 1:
        message = "git takes this new record for a deleted one, and mixes it with another new one"
        # Git's own copies for each side are the mixed ones; the commits have it whole.
        side = "HEAD" if OURS in sides else other_side(git_dirs) or "THE-OTHER-SIDE"
        return Problem(path, CODE, message, f"git checkout {side} -- {quoted}")
    if len(sides) == 1:
        record = id_in(path)
        if record and record.encode() not in content(git_dirs, stages[BASE]):
            message = "git takes this new record for one that both sides deleted; it is whole"
            return Problem(path, CODE, message, f"git add {quoted}")
        message = "one side edited this record, the other one deleted it"
        return Problem(path, CODE, message, f"keep it: git add {quoted}; or: git rm {quoted}")
    message = "both sides changed this file, and git waits to be told that it is settled"
    return Problem(path, CODE, message, f"if it is as it should be: git add {quoted}")
