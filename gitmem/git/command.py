"""Start git itself: in a sealed environment, never waiting for an answer, errors in plain words.

For what GitPython can't do without touching the real index, and for what is too short to
wait for its import.
"""

import os
from collections.abc import Collection

from gitmem.errors import EnvironmentProblem

# A hook or an alias leaves GIT_DIR, GIT_INDEX_FILE and twenty more in the environment, and they
# would send us to another repository or index. What stays is who and how, not where.
_KEPT = ("GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_CONFIG_", "GIT_CEILING_DIRECTORIES", "GIT_EXEC_PATH")
_FIXED = {
    "LC_ALL": "C",
    "LANGUAGE": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",  # a partial clone must not go to the network for us
}
# Settings of the user's that would start programs of theirs or write beside the index.
QUIET = (
    "--no-pager",
    "-c", "core.fsmonitor=false",
    "-c", f"core.hooksPath={os.devnull}",
    "-c", "core.splitIndex=false",
    "-c", "diff.autoRefreshIndex=false",  # git diff would write the index, whatever locks it may
    "-c", "core.safecrlf=false",
    "-c", "advice.addEmbeddedRepo=false",
    "-c", "advice.updateSparsePath=false",
)  # fmt: skip

LACKING = "this is a partial clone, which lacks what is asked about"


def sealed_environment() -> dict[str, str]:
    """Copy the environment without what names a repository, an index or a program to start."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith(_KEPT)
    }
    return kept | _FIXED


def git(
    root: str,
    *arguments: str,
    index: str | None = None,
    stdin: bytes = b"",
    ok: Collection[int] = (0,),
    seconds: float | None = None,
) -> bytes:
    """Run one git command in ``root`` and return its standard output.

    Args:
        root: the folder to run in.
        arguments: the command and its arguments.
        index: index file to use instead of the work tree's own.
        stdin: what it reads.
        ok: exit codes that are no failure.
        seconds: give up after so long.

    Raises:
        EnvironmentProblem: git is missing, refuses or takes too long.

    """
    import subprocess  # noqa: PLC0415  start-up

    environment = sealed_environment()
    if index is not None:
        environment["GIT_INDEX_FILE"] = index
    what = f"git {arguments[0]}"
    try:
        done = subprocess.run(
            ["git", *QUIET, *arguments],
            cwd=root,
            env=environment,
            input=stdin,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise EnvironmentProblem(f"{what} took longer than {seconds:g} s in {root}") from None
    except OSError as error:
        raise _cannot_start(error, what, root) from error
    if done.returncode not in ok:
        raise refusal(what, root, done.stderr.decode(errors="replace"))
    return done.stdout


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


def refusal(what: str, root: str, said: str) -> EnvironmentProblem:
    """Put what git said on standard error into one line, with a hint where one is known."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    telling = [line for line in lines if line.startswith(("fatal:", "error:"))] or lines
    reason = telling[-1].partition(": ")[2] or telling[-1] if telling else "no reason given"
    hint = "run it by hand in this folder to see all that git says"
    if "dubious ownership" in said:
        reason = "the repository belongs to another user"
        hint = f"if you trust it: git config --global --add safe.directory {root}"
    elif "promisor remote" in said:
        reason = LACKING
        hint = "nothing was fetched; all of it comes with: git fetch --refetch --no-filter"
    elif "not a git repository" in said:
        hint = "change to a folder inside a git repository, or start one with git init"
    elif "No space left" in said:
        reason, hint = "the disk is full", "free some space and try again"
    elif "ermission denied" in said or "insufficient permission" in said:
        hint = "give your user write permission on the repository's git folder"
    return EnvironmentProblem(f"{what} failed in {root}: {reason}", hint)
