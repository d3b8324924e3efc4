"""What gitmem does in the hooks of git, and the lines of shell that call it there.

A hook must cost next to nothing where the memory is not concerned: the shell asks git whether
something in a memory's folder changed, and only then a Python starts. It never stands in the way
because of a fault of ours: only a finding of ``pre-commit`` refuses, with a code that nothing else
ends with, and after two seconds every hook gives up.
"""

import os
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from gitmem.errors import EnvironmentProblem, GitmemError
from gitmem.git import hooks
from gitmem.git.places import GitDirs, find, why_none
from gitmem.git.staged import Staged, add_trailers, has_words, staged
from gitmem.memory.history import merging
from gitmem.store.listing import is_record

if TYPE_CHECKING:
    from gitmem.records.problems import Problem

SECONDS: Final = 2.0
REFUSED: Final = 10
"""How our lines are told to refuse a commit: a Python without gitmem ends with 1, too."""
CALLED: Final = "GITMEM_HOOK"
"""Set to the hook's name where our lines call; managers of hooks call without."""
SAYS_FIX: Final = (
    r"(^|[^a-z])(fix(e[sd]|ing)?|bug(fix)?|resolves?d?|closes?d?|hotfix|regression|correct(s|ed)?"
    r"|repairs?|mends?)([^a-z]|$)"
)
"""What in a commit's message says that it fixes something; understood by ``grep -E``, too."""
_MOST_TRAILERS: Final = 20
_TRAILER: Final = "Memory"
_DRIVER: Final = "merge driver"
# What must have changed, as a command that ends with 0 where nothing has.
_UNCHANGED: Final = {
    "pre-commit": "git diff --cached --quiet -- {spec}",
    "prepare-commit-msg": "git diff --cached --quiet -- {spec}",
    "commit-msg": "grep -q '^Memory: ' \"$1\" 2>/dev/null || git diff --cached --quiet -- {spec}",
    "post-commit": "git diff --quiet HEAD~1 HEAD -- {spec} 2>/dev/null && "
    f"! git log -1 --format=%B | grep -qiE '{SAYS_FIX}'",
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
    # A code of its own stops no script that ends at the first failure (sh -e).
    code = "gitmem=$?" if name == "pre-commit" else ":"
    call = (
        f"if [ -x {python} ]; then {CALLED}={name} {python} {run} || {code}\n"
        f"  elif command -v gitmem >/dev/null 2>&1; then {CALLED}={name} gitmem hooks run {name} "
        f'"$@" || {code}\n  fi'
    )
    refuse = f'\n  [ "${{gitmem:-0}}" -ne {REFUSED} ] || exit 1' if name == "pre-commit" else ""
    quiet = " </dev/null" if name.startswith("post-") else ""
    unchanged = _UNCHANGED[name].format(spec=spec)
    return (
        "# Put in by gitmem hooks install; gitmem hooks uninstall takes it out.\n"
        f'if [ "${{{CALLED}:-}}" != {name} ] && ! {{ {unchanged}; }}; then\n'
        f"  {call}{quiet}{refuse}\n"
        "fi"
    )


def _places(start: str) -> GitDirs:
    places = find(start)
    if places is None:
        why = why_none(start)
        raise EnvironmentProblem(f"there are no hooks here: {why}", "change to a work tree of git")
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
    """Take our lines out of the hooks of the repository around ``start``, and the driver, too.

    Also out of git's own folder where ``core.hooksPath`` names another: it may have been set later.
    """
    places = _places(start)
    folders = {hooks.find_hooks(places).folder, hooks.own_folder(places)}
    out_of = {name for name in NAMES for one in folders if hooks.uninstall(one, name)}
    changed = [name for name in NAMES if name in out_of]
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


def write_trailers(start: str, message_file: str, found: Sequence[str], source: str = "") -> None:
    """Add trailers to the message of the commit under way, each once.

    A message without a word gets none, so that it still stops the commit: the hook ``commit-msg``
    adds them once the words are there.

    Args:
        start: any folder of the work tree.
        message_file: where the message is.
        found: the trailers.
        source: where the message comes from, as git tells ``prepare-commit-msg``.

    """
    places = _places(start)
    if source != "template" and has_words(places, message_file, given=source == "message"):
        add_trailers(places, message_file, found)


def keep_committed(start: str, environ: Mapping[str, str]) -> list[str]:
    """Keep drafts whose fix was just committed; give the ids of the records, if any."""
    from gitmem.memory.history import committed_fixes  # noqa: PLC0415  start-up
    from gitmem.memory.memory import Memory  # noqa: PLC0415  start-up

    try:
        with Memory.open(start, environ=environ) as memory:
            return committed_fixes.keep_committed(memory.records)
    except GitmemError:
        return []  # the next command tells


def catch_up(start: str, environ: Mapping[str, str]) -> None:
    """Bring derived state of the memory in step, if there is one here.

    It is not made in a hook: that takes longer than a hook may, and would begin anew each time.
    """
    from gitmem.memory.memory import Memory  # noqa: PLC0415  start-up
    from gitmem.sync.folder import has_catalog  # noqa: PLC0415  start-up

    try:
        with Memory.open(start, environ=environ) as memory:
            if memory.derived.directory and has_catalog(memory.derived.directory):
                memory.catch_up(indexed=False)  # the next search does the rest
    except GitmemError:
        return  # the next command tells
