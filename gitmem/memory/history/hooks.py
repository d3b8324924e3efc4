"""The shell lines that call gitmem in git's hooks, and what they pass on of a commit.

A hook must cost next to nothing where the memory is not concerned: the shell asks git whether
something in a memory's folder changed, and only then a Python starts. It never stands in the way
because of a fault of ours: only a finding of ``pre-commit`` refuses, with a code that nothing else
ends with, and after two seconds every hook gives up.
"""

import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from gitmem.errors import EnvironmentProblem, UsageError
from gitmem.git import hooks
from gitmem.git.git_dirs import GitDirs, find, why_none
from gitmem.git.staged import Staged, add_trailers, has_words, names_staged, staged
from gitmem.lazy_pattern import lazily
from gitmem.memory.history import merge_driver
from gitmem.records.layout import id_in
from gitmem.records.problems import Problem, twin_of
from gitmem.store.listing import is_record

REFUSED: Final = 10
"""How our lines are told to refuse a commit: a Python without gitmem ends with 1, too."""
CALLED: Final = "GITMEM_HOOK"
"""Set to the hook's name where our lines call; managers of hooks call without."""
_ID: Final = lazily(r"(?m)^id:[ \t]*[\"']?(?P<id>[a-z]+-[0-9a-z]+)")
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
    "pre-commit": "[ ! -d {fixes} ] && git diff --cached --quiet -- {spec}",
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


class InstalledHooks(NamedTuple):
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
    unchanged = _UNCHANGED[name].format(spec=spec, fixes=shlex.quote(f"{folder}/fixes"))
    return (
        "# Put in by gitmem hooks install; gitmem hooks uninstall takes it out.\n"
        f'if [ "${{{CALLED}:-}}" != {name} ] && ! {{ {unchanged}; }}; then\n'
        f"  {call}{quiet}{refuse}\n"
        "fi"
    )


def repository(start: str) -> GitDirs:
    """Give the repository around a folder; raise EnvironmentProblem if it has no work tree."""
    git_dirs = find(start)
    if git_dirs is None:
        why = why_none(start)
        raise EnvironmentProblem(f"there are no hooks here: {why}", "change to a git work tree")
    return git_dirs


def status(start: str, folder: str) -> InstalledHooks:
    """Tell how our hooks are in the repository around ``start``."""
    git_dirs = repository(start)
    where = hooks.find_hooks(git_dirs, NAMES)
    states = [Hook(name, hooks.state(where.folder, name, lines(name, folder))) for name in NAMES]
    return InstalledHooks(where, states, [], merge_driver.is_registered(git_dirs))


def install(start: str, folder: str, *, outside: bool = False) -> InstalledHooks:
    """Put our lines into the hooks of the repository around ``start``, and register the driver.

    Args:
        start: any folder of the work tree.
        folder: what folders of memories are called.
        outside: also where the hooks are outside the repository.

    Raises:
        UsageError: they are outside, and nobody agreed to that.
        EnvironmentProblem: there is no work tree, or a hook can't be written.

    """
    git_dirs = repository(start)
    where = hooks.find_hooks(git_dirs, NAMES)
    if where.outside and not outside:
        raise UsageError(not_installed(where), "agree to that first")
    changed = [name for name in NAMES if hooks.install(where.folder, name, lines(name, folder))]
    if merge_driver.register(git_dirs, folder):
        changed.append(_DRIVER)
    return status(start, folder)._replace(changed=changed)


def not_installed(where: hooks.Hooks) -> str:
    """Say why hooks outside the repository were not touched."""
    by = " (core.hooksPath)" if where.configured else ""
    return f"no hook was changed: those in {where.folder}{by} are outside this repository"


def uninstall(start: str, folder: str) -> InstalledHooks:
    """Take our lines out of the hooks of the repository around ``start``, and the driver, too.

    Also out of git's own folder where ``core.hooksPath`` names another: it may have been set later.
    """
    git_dirs = repository(start)
    folders = {hooks.find_hooks(git_dirs, NAMES).folder, hooks.own_folder(git_dirs)}
    emptied = {name for name in NAMES for path in folders if hooks.uninstall(path, name)}
    changed = [name for name in NAMES if name in emptied]
    if merge_driver.unregister(git_dirs, folder):
        changed.append(_DRIVER)
    return status(start, folder)._replace(changed=changed)


# What they are told


def memories_of(files: Iterable[Staged], folder: str) -> dict[str, list[Staged]]:
    """Sort staged files by the folder that their memory belongs to, from the work tree's top."""
    memories: dict[str, list[Staged]] = {}
    for file in files:
        head, inside, path = f"/{file.path}".partition(f"/{folder}/")
        if inside and is_record(path):
            memories.setdefault(head.removeprefix("/"), []).append(file._replace(path=path))
    return memories


def staged_files(start: str, folder: str, environ: Mapping[str, str]) -> list[Staged]:
    """Give the files of memories that are staged, as git's hook sees them."""
    return staged(repository(start), f":(top,glob)**/{folder}/**", environ.get("GIT_INDEX_FILE"))


def twins(
    start: str, folder: str, files: Iterable[Staged], environ: Mapping[str, str]
) -> list[Problem]:
    """Name new staged files of a memory's folder whose id another file there has, too."""
    new = {file.path: _id_of(file) for file in files if file.new and file.content}
    if not new:
        return []
    by_id: dict[str | None, list[str]] = {}
    for path in names_staged(repository(start), folder, environ.get("GIT_INDEX_FILE")):
        by_id.setdefault(id_in(path), []).append(path)
    return [
        twin_of(path, name, min(others))
        for path, name in new.items()
        if name and (others := [other for other in by_id.get(name, ()) if other != path])
    ]


def _id_of(file: Staged) -> str:
    inside = _ID.search((file.content or b"").decode(errors="replace"))
    return inside["id"] if inside else id_in(file.path) or ""


def trailers(files: Iterable[Staged]) -> list[str]:
    """Give the trailers that name the records which are staged as new ones."""
    ids = sorted({name for file in files if file.new and (name := id_in(file.path))})
    if len(ids) > _MOST_TRAILERS:
        return [f"{_TRAILER}: {len(ids)} records"]
    return [f"{_TRAILER}: {', '.join(ids)}"] if ids else []


def write_trailers(
    start: str, message_file: str, trailers: Sequence[str], source: str = ""
) -> None:
    """Add trailers to the message of the commit under way, each once.

    A message without a word gets none, so that it still stops the commit: the hook ``commit-msg``
    adds them once the words are there.

    Args:
        start: any folder of the work tree.
        message_file: where the message is.
        trailers: the trailers.
        source: where the message comes from, as git tells ``prepare-commit-msg``.

    """
    git_dirs = repository(start)
    if source != "template" and has_words(git_dirs, message_file, given=source == "message"):
        add_trailers(git_dirs, message_file, trailers)
