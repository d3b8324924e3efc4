"""What gitmem does in the hooks of git, and the lines of shell that call it there.

A hook must cost next to nothing where the memory is not concerned: the shell asks git whether
something in a memory's folder changed, and only then a Python starts. It never stands in the way
because of a fault of ours: only a finding of ``pre-commit`` ends with 1, and after two seconds
every hook gives up.
"""

import os
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.errors import EnvironmentProblem, GitmemError
from gitmem.git import hooks
from gitmem.git.places import Places, find
from gitmem.git.staged import Staged, add_trailers, staged
from gitmem.memory import merging
from gitmem.store.listing import is_record

if TYPE_CHECKING:
    from gitmem.records.problems import Problem

SECONDS: Final = 2.0
_MOST_TRAILERS: Final = 20
_TRAILER: Final = "Memory"
_OURS: Final = "GITMEM_HOOK"
_DRIVER: Final = "merge driver"
# What must have changed, as a command that ends with 0 where nothing has.
_UNCHANGED: Final = {
    "pre-commit": "git diff --cached --quiet -- {spec}",
    "prepare-commit-msg": "git diff --cached --quiet -- {spec}",
    "post-commit": "git diff --quiet HEAD~1 HEAD -- {spec} 2>/dev/null",
    "post-merge": "git diff --quiet ORIG_HEAD HEAD -- {spec} 2>/dev/null",
    "post-checkout": '[ "$1" = "$2" ] || git diff --quiet "$1" "$2" -- {spec} 2>/dev/null',
    "post-rewrite": '[ "$1" = amend ] && was="HEAD@{{1}}" || was=ORIG_HEAD; '
    'git diff --quiet "$was" HEAD -- {spec} 2>/dev/null',
}
NAMES: Final = tuple(_UNCHANGED)


class Hook(NamedTuple):
    """One hook: its name, and how our lines are in it."""

    name: str
    state: hooks.State


class Installed(NamedTuple):
    """How the hooks of a repository are.

    Attributes:
        where: their folder, and who else writes there.
        hooks: each of ours.
        changed: names of those that were changed just now.
        merges: this clone merges records field by field.

    """

    where: hooks.Hooks
    hooks: list[Hook]
    changed: list[str]
    merges: bool


def lines(name: str, folder: str) -> str:
    """Give the lines of shell that a hook has for us.

    Args:
        name: of the hook.
        folder: what folders of memories are called.

    """
    spec = shlex.quote(f":(top,glob)**/{folder}/**")
    python = shlex.quote(sys.executable)
    run = f'-P -m gitmem hooks run {name} "$@"'  # -P: nothing is imported from the work tree
    # With its own python where that is still there; the name of a hook that is under way keeps
    # hooks that call each other from going round in circles.
    call = (
        f"if [ -x {python} ]; then {_OURS}={name} {python} {run}\n"
        f"  elif command -v gitmem >/dev/null 2>&1; then {_OURS}={name} gitmem hooks run {name} "
        '"$@"\n  fi'
    )
    refuse = "\n  [ $? -ne 1 ] || exit 1" if name == "pre-commit" else ""
    quiet = "" if name in ("pre-commit", "prepare-commit-msg") else " </dev/null"
    unchanged = _UNCHANGED[name].format(spec=spec)
    return (
        "# Put in by gitmem hooks install; gitmem hooks uninstall takes it out.\n"
        f'if [ "${{{_OURS}:-}}" != {name} ] && ! {{ {unchanged}; }}; then\n'
        f"  {call}{quiet}{refuse}\n"
        "fi"
    )


def _places(start: str) -> Places:
    places = find(start)
    if places is None:
        raise EnvironmentProblem("this is no git repository: there are no hooks", "run git init")
    return places


def status(start: str, folder: str) -> Installed:
    """Tell how our hooks are in the repository around ``start``."""
    places = _places(start)
    where = hooks.find_hooks(places)
    found = [Hook(name, hooks.state(where.folder, name, lines(name, folder))) for name in NAMES]
    return Installed(where, found, [], merging.is_registered(places))


def install(start: str, folder: str) -> Installed:
    """Put our lines into the hooks of the repository around ``start``, and register the driver."""
    places = _places(start)
    where = hooks.find_hooks(places)
    changed = [name for name in NAMES if hooks.install(where.folder, name, lines(name, folder))]
    if merging.register(places, folder):
        changed.append(_DRIVER)
    return status(start, folder)._replace(changed=changed)


def uninstall(start: str, folder: str) -> Installed:
    """Take our lines out of the hooks of the repository around ``start``, and the driver, too."""
    places = _places(start)
    where = hooks.find_hooks(places)
    changed = [name for name in NAMES if hooks.uninstall(where.folder, name)]
    if merging.unregister(places, folder):
        changed.append(_DRIVER)
    return status(start, folder)._replace(changed=changed)


# What runs in them


class Complaint(NamedTuple):
    """What is wrong with records that are staged: the memory's folder, and its problems."""

    folder: str
    problems: "list[Problem]"


def check_staged(start: str, files: Iterable[Staged], folder: str) -> list[Complaint]:
    """Find errors and secrets in records as they are staged; links are not judged.

    Args:
        start: any folder of the work tree.
        files: those that are staged.
        folder: what folders of memories are called.

    """
    from gitmem.memory.memory import Memory  # noqa: PLC0415  start-up

    root = _places(start).root
    found = []
    for head, records in memories_of(files, folder).items():
        with Memory.open(os.path.join(root, head)) as memory:
            problems = [
                problem
                for file in records
                if file.content is not None
                for problem in memory.check_text(
                    file.path, file.content.decode(errors="replace"), links=False
                )
                if problem.severity == "error"
            ]
        if problems:
            found.append(Complaint(f"{head}/{folder}".lstrip("/"), problems))
    return found


def memories_of(files: Iterable[Staged], folder: str) -> dict[str, list[Staged]]:
    """Sort staged files by the folder that their memory belongs to, from the work tree's top."""
    found: dict[str, list[Staged]] = {}
    for file in files:
        head, inside, path = f"/{file.path}".partition(f"/{folder}/")
        if inside and is_record(path):
            found.setdefault(head.removeprefix("/"), []).append(file._replace(path=path))
    return found


def staged_files(start: str, folder: str, environ: Mapping[str, str]) -> list[Staged]:
    """Give the files of memories that are staged, as git's hook sees them."""
    return staged(_places(start), f":(top,glob)**/{folder}/**", environ.get("GIT_INDEX_FILE"))


def trailers(files: Iterable[Staged]) -> list[str]:
    """Give the trailers that name the records which are staged as new ones."""
    from gitmem.records.layout import id_in  # noqa: PLC0415  start-up

    ids = sorted({name for file in files if file.new and (name := id_in(file.path))})
    if len(ids) > _MOST_TRAILERS:
        return [f"{_TRAILER}: {len(ids)} records"]
    return [f"{_TRAILER}: {', '.join(ids)}"] if ids else []


def write_trailers(start: str, message_file: str, found: Sequence[str]) -> None:
    """Add trailers to the message of the commit under way, each once."""
    add_trailers(_places(start), message_file, found)


def catch_up(start: str, environ: Mapping[str, str]) -> None:
    """Bring derived state of the memory in step, if there is one here."""
    from gitmem.memory.memory import Memory  # noqa: PLC0415  start-up

    try:
        with Memory.open(start, environ=environ) as memory:
            memory.catch_up()
    except GitmemError:
        return  # the next command tells
