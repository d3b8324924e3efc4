"""The one way to run git: sealed environment, no questions asked, errors in plain words.

``git`` runs a command and gives its output; ``stream`` gives it line by line; ``start`` starts a
process that is talked to; ``spawn`` starts one beside a command's own imports, ``spawn_apart`` one
that outlives this process. Names of files are never quoted because of their letters.

GitPython, which takes 60 to 85 ms to import, is behind ``gitmem.git.repository`` alone: it keeps an
open repository for those who ask about commits again and again. Its commands run with
the environment and the settings of this module.
"""

import os
import re
import shlex
from collections.abc import Collection
from contextlib import contextmanager
from functools import lru_cache
from typing import IO, TYPE_CHECKING

from gitmem import system
from gitmem.errors import EnvironmentProblem
from gitmem.git.git_dirs import find, pipe_below
from gitmem.lazy_pattern import lazily

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterator, Mapping, Sequence

# A hook or an alias leaves GIT_DIR, GIT_INDEX_FILE and twenty more in the environment, and they
# would send us to another repository or index. What stays is who and how, not where.
_KEPT = ("GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_CONFIG_", "GIT_CEILING_DIRECTORIES", "GIT_EXEC_PATH")
_FIXED = {
    "LC_ALL": "C",
    "LANGUAGE": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    # A partial clone must not go to the network for us, nor start what its settings name for that.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # older versions of git do not know the other
    "GITMEM_NOTHING": "",  # what a setting gets that is switched off
}
# Settings that would start programs, or write beside the index.
QUIET = (
    "-c", "log.showSignature=false",
    "--no-pager",
    "-c", "core.fsmonitor=false",
    "-c", "core.quotePath=false",
    "-c", f"core.hooksPath={os.devnull}",
    "-c", "core.splitIndex=false",
    "-c", "diff.autoRefreshIndex=false",  # git diff would write the index, whatever locks it may
    "-c", "core.safecrlf=false",
    "-c", "diff.submodule=short",  # else another git in the submodule, with its settings
    "-c", "advice.addEmbeddedRepo=false",
    "-c", "advice.updateSparsePath=false",
)  # fmt: skip

_OF_THE_NETWORK = frozenset({"fetch", "ls-remote"})
# What keeps the programs of ``diff.external`` and ``diff.NAME.textconv`` from being started.
_DIFF = ("--no-ext-diff", "--no-textconv")
# Of a submodule only its commit counts: for its files git would start another git in it, and that
# the monitor and the filters that its own settings name.
_WORK_TREE = "--ignore-submodules=dirty"
_FLAGS = {
    **dict.fromkeys(("log", "show", "diff-tree"), _DIFF),
    **dict.fromkeys(("diff", "diff-index", "diff-files"), (*_DIFF, _WORK_TREE)),
    "status": (_WORK_TREE,),
    "blame": ("--no-textconv",),
}
_PROGRAMS = (
    r"^(filter\..*\.(clean|smudge|process)|trailer\..*\.(command|cmd)"
    r"|lfs\.(extension|customtransfer)\..*|blame\.ignorerevsfile)$"
)
# Filters that are nothing but a call of a program of the machine's, without anything for a shell.
_WELL_KNOWN = (
    r"git-lfs (clean|smudge|filter-process)( --skip)?( -- %f)?"
    r'|("git-crypt"|git-crypt) (clean|smudge)( --key-name=[A-Za-z0-9_-]+)?'
)
# git-lfs starts the programs of lfs.extension and lfs.customtransfer, whoever set it up.
_LFS = ("filter.lfs.clean", "filter.lfs.smudge", "filter.lfs.process", "filter.lfs.required")

# Complaints with a line of a file behind them, which a link may have led to.
_QUOTING = lazily(
    r"(?is)\b(((bad|invalid) (shallow|graft|object name|gitfile|line)|unexpected line)[^:]*):.*"
)

_PATIENCE = 2.0
"""Seconds until git that may take long is asked what it waits for."""
LACKING = "this is a partial clone, which lacks what is asked for"
# What ``git config`` says in a repository of another user, where we have found one.
_HIDDEN = "--local can only be used inside a git repository"


def sealed_environment() -> dict[str, str]:
    """Copy the environment without what names a repository, an index or a program to start."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith(_KEPT)
    }
    return inherited | _FIXED


def command_line(root: str, *arguments: str, filters: bool = False) -> list[str]:
    """Give the words that start git so that it starts no program which the repository names.

    Args:
        root: the folder that it runs in.
        arguments: options of git, the command and its arguments.
        filters: let it start the filters of file contents, too.

    """
    at = _command_at(arguments)
    head, tail = arguments[: at + 1], arguments[at + 1 :]
    flags = _FLAGS.get(arguments[at], ())
    quiet = (*QUIET, *(() if filters else _no_programs(root)))
    return [system.program("git"), *quiet, *head, *flags, *tail]


def _command_at(arguments: "Sequence[str]") -> int:
    """Give the place of the command's name, behind git's own options."""
    at = 0
    while arguments[at].startswith("-"):
        at += 2 if arguments[at] in {"-c", "-C"} else 1
    return at


def _no_programs(root: str) -> tuple[str, ...]:
    """Give the options that switch off the programs which the repository's own settings name.

    These are filters of contents and what makes trailers. The user's and the machine's settings
    are theirs, and stay.
    """
    git_dirs = find(root)
    if git_dirs is None:
        return ()
    settings = _text(os.path.join(git_dirs.common_dir, "config"))
    settings += _text(os.path.join(git_dirs.git_dir, "config.worktree"))
    if b"include" in settings:
        return _options_without_programs.__wrapped__(root, settings)  # other files may change
    named = any(word in settings for word in (b"filter", b"trailer", b"lfs", b"ignorerevs"))
    return _options_without_programs(root, settings) if named else ()


@lru_cache(maxsize=8)
def _options_without_programs(root: str, _settings: bytes) -> tuple[str, ...]:
    """Ask git for the programs that settings name; once, as long as these are the same."""
    options: list[str] = []
    for scope in ("--local", "--worktree"):
        # Git runs nothing to answer this. 1: there are none; 128: no settings of that scope.
        query = ("config", scope, "--includes", "-z", "--get-regexp", _PROGRAMS)
        output = os.fsdecode(git(root, *query, ok=(0, 1, 128), filters=True))
        for name, _, command in (entry.partition("\n") for entry in output.split("\0") if entry):
            if name == "blame.ignorerevsfile":
                options += _off(name) if _leads_out(root, command) else ()
            elif name.startswith("lfs."):
                options += [word for setting in _LFS for word in _off(setting)]
            elif not re.fullmatch(_WELL_KNOWN, command):
                options += _off(name)
                if name.startswith("filter."):
                    options += _off(f"{name.rpartition('.')[0]}.required")
    return tuple(options)


def _leads_out(root: str, path: str) -> bool:
    """Tell whether a file that a setting names lies outside: git would quote its lines."""
    real = os.path.realpath(os.path.join(root, os.path.expanduser(path)))
    return not real.startswith(os.path.realpath(root) + os.sep)


def _off(name: str) -> tuple[str, ...]:
    """Give the options that set a setting to nothing; its own name may have a = in it."""
    return (f"--config-env={name}=GITMEM_NOTHING",) if "=" in name else ("-c", f"{name}=")


def _text(config: str) -> bytes:
    try:
        with open(config, "rb") as file:
            return file.read().lower()
    except OSError:
        return b""


def git(
    root: str,
    *arguments: str,
    index: str | None = None,
    stdin: bytes = b"",
    ok: Collection[int] = (0,),
    seconds: float | None = None,
    filters: bool = False,
    on_complaints: "Callable[[bytes], None] | None" = None,
) -> bytes:
    """Run one git command in ``root`` and return its standard output.

    Args:
        root: the folder to run in.
        arguments: the command and its arguments.
        index: index file to use instead of the work tree's own.
        stdin: what it reads.
        ok: exit codes that are no failure.
        seconds: give up after so long.
        filters: let it start filters of file contents that the repository's settings name.
        on_complaints: is given what it complained of where it went on all the same.

    Raises:
        EnvironmentProblem: git is missing, refuses or takes too long.

    """
    import subprocess  # noqa: PLC0415  start-up

    environment = sealed_environment()
    if arguments[_command_at(arguments)] in _OF_THE_NETWORK:
        del environment["GIT_ALLOW_PROTOCOL"]
    if index is not None:
        environment["GIT_INDEX_FILE"] = index
    what = _name(arguments)
    try:
        with subprocess.Popen(
            command_line(root, *arguments, filters=filters),
            cwd=root,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            try:
                patience = None if seconds is None else min(seconds, _PATIENCE)
                try:
                    output, complaints = process.communicate(stdin, timeout=patience)
                except subprocess.TimeoutExpired:
                    _refuse_pipes(root)
                    rest = max(0.0, (seconds or 0.0) - _PATIENCE)
                    output, complaints = process.communicate(timeout=rest)
            except BaseException:
                process.terminate()  # unlike a kill it lets git remove its locks
                raise
    except subprocess.TimeoutExpired:
        raise EnvironmentProblem(f"{what} took longer than {seconds:g} s in {root}") from None
    except OSError as error:
        raise _cannot_start(error, what, root) from error
    if process.returncode not in ok:
        raise refusal(what, root, complaints.decode(errors="replace"))
    if on_complaints:
        on_complaints(complaints)
    return output


def _refuse_pipes(root: str) -> None:
    """Raise EnvironmentProblem if there is a pipe in the work tree that git may wait for."""
    if pipe := pipe_below(root):
        reason = f"{pipe} is a pipe, and git waits for its end"
        raise EnvironmentProblem(reason, "rename it, or move it out of the repository")


def start(
    root: str,
    *arguments: str,
    stdin: "int | IO[bytes]",
    stderr: "int | IO[bytes]",
    environment: "Mapping[str, str] | None" = None,
) -> "subprocess.Popen[bytes]":
    """Start git as a process of its own, whose output is a pipe.

    Args:
        root: the folder to run in.
        arguments: the command and its arguments.
        stdin: what it reads, as for ``subprocess.Popen``.
        stderr: where its complaints go, likewise.
        environment: what it sees; None: ``sealed_environment``.

    Raises:
        EnvironmentProblem: git can't be started.

    """
    import subprocess  # noqa: PLC0415  start-up

    try:
        return subprocess.Popen(
            command_line(root, *arguments),
            cwd=root,
            env=environment or sealed_environment(),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
        )
    except OSError as error:
        raise _cannot_start(error, _name(arguments), root) from error


@contextmanager
def stream(root: str, arguments: "Sequence[str]", stdin: bytes = b"") -> "Iterator[IO[bytes]]":
    """Run git, without any network, and give its output as a stream.

    Raises:
        EnvironmentProblem: git is missing or ended with a failure.

    """
    import tempfile  # noqa: PLC0415  start-up

    # Files instead of pipes: whoever waits for one pipe would have to serve the others meanwhile.
    with tempfile.TemporaryFile() as stdin_file, tempfile.TemporaryFile() as stderr_file:
        stdin_file.write(stdin)
        stdin_file.seek(0)
        process = start(root, *arguments, stdin=stdin_file, stderr=stderr_file)
        if process.stdout is None:
            raise EnvironmentProblem(f"{_name(arguments)} has no pipe")
        done = False
        try:
            yield process.stdout
            done = True
        finally:
            process.stdout.close()
            if not done:
                process.terminate()
            code = process.wait()
        if code:
            stderr_file.seek(0)
            raise refusal(_name(arguments), root, stderr_file.read().decode(errors="replace"))


def spawn(root: str, *arguments: str, index: str) -> tuple[int, int]:
    """Start git without waiting for the import of ``subprocess``.

    Args:
        root: the folder to run in.
        arguments: options of git, the command and its arguments.
        index: index file to use instead of the work tree's own.

    Returns:
        Its process id, to be waited for, and the reading end of its standard output.

    Raises:
        OSError: git can't be started.

    """
    out, inner = os.pipe()
    try:
        words = command_line(root, "-C", root, *arguments)
        child = system.spawn(words, sealed_environment() | {"GIT_INDEX_FILE": index}, inner)
    except BaseException:
        os.close(out)
        raise
    finally:
        os.close(inner)
    return child, out


def spawn_apart(root: str, *arguments: str, index: str, out: int, end: str) -> None:
    """Start git so that it goes on when this process has ended.

    Args:
        root: the folder to run in.
        arguments: options of git, the command and its arguments.
        index: index file to use instead of the work tree's own.
        out: the file that its standard output goes to.
        end: what the file ends with if git ended well.

    Raises:
        OSError: it can't be started.

    """
    words = command_line(root, "-C", root, *arguments)
    system.spawn_apart(words, sealed_environment() | {"GIT_INDEX_FILE": index}, out, end)


def _name(arguments: "Sequence[str]") -> str:
    """Name a command in a message: the first argument that is no option of git's."""
    return f"git {arguments[_command_at(arguments)]}"


def _cannot_start(error: OSError, what: str, root: str) -> EnvironmentProblem:
    if not os.path.isdir(root):
        return EnvironmentProblem(
            f"{what}: the folder {root} is gone", "change to a folder that exists"
        )
    if isinstance(error, FileNotFoundError):
        return EnvironmentProblem(f"{what}: git was not found", "install git, or add it to PATH")
    return EnvironmentProblem(f"{what}: git can't be started in {root}: {error.strerror}")


def all_but(folder: str) -> list[str]:
    """Give the pathspec that leaves a folder of the work tree out; none if it lies elsewhere."""
    outside = not folder or os.path.isabs(folder) or folder == "." or ".." in folder.split("/")
    return [] if outside else [f":(exclude,top,literal){folder}"]


def refusal(what: str, root: str, stderr: str) -> EnvironmentProblem:
    """Put git's standard error into one line, with a hint where one is known."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    telling = [line for line in lines if line.startswith(("fatal:", "error:"))] or lines
    reason = telling[-1].partition(": ")[2] or telling[-1] if telling else "no reason given"
    reason = _QUOTING.sub(r"\1", reason)
    hint = "run it in this folder to see all that git prints"
    if "dubious ownership" in stderr or _HIDDEN in stderr:
        reason = "the repository belongs to another user"
        hint = f"if you trust it: git config --global --add safe.directory {shlex.quote(root)}"
    elif "promisor remote" in stderr:
        reason = LACKING
        hint = "nothing was fetched; all of it comes with: git fetch --refetch --no-filter"
    elif "not a git repository" in stderr:
        hint = "change to a folder inside a git repository, or start one with git init"
    elif "No space left" in stderr:
        reason, hint = "the disk is full", "free some space and try again"
    elif "ermission denied" in stderr or "insufficient permission" in stderr:
        hint = "give your user write permission on the repository's git folder"
    return EnvironmentProblem(f"{what} failed in {root}: {reason}", hint)
