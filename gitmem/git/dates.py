"""When a file was added, a line written, or a version tagged, as far as git knows."""

from datetime import UTC, datetime, timedelta
from typing import Final

from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def came(git_dirs: GitDirs, path: str) -> datetime | None:
    """Tell when the oldest commit with a file was written, by its names before renames too.

    Args:
        git_dirs: the repository.
        path: the file, relative to the work tree's top.

    Returns:
        None while it is in no commit.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    options = ("log", "--follow", "--format=%at", "--no-patch", "HEAD", "--")
    output = git(git_dirs.root, *options, path, ok=(0, 128))
    times = output.split()
    return _moment(times[-1]) if times else None


def lines_written(git_dirs: GitDirs, path: str) -> dict[int, datetime]:
    """Tell when each line of a file was written (numbers from 1); empty while it is in no commit.

    Lines that are in no commit yet are left out.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    dates: dict[int, datetime] = {}
    times: dict[bytes, datetime | None] = {}
    number, commit = 0, b""
    output = git(git_dirs.root, "blame", "--line-porcelain", "--", path, ok=(0, 128))
    for line in output.split(b"\n"):
        word, _, rest = line.partition(b" ")
        if line.startswith(b"\t"):
            if when := times.get(commit):
                dates[number] = when
        elif len(word) >= 40 and not word.strip(b"0123456789abcdef"):  # noqa: PLR2004  an id
            commit, number = word, int(rest.split()[1])
        elif word == b"author-time":
            times[commit] = _moment(rest) if commit.strip(b"0") else None
    return dates


def tagged(git_dirs: GitDirs) -> dict[str, datetime]:
    """Tell when each tagged commit was written, by the tags' names.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    form = "--format=%(refname:strip=2)%00%(authordate:unix)%00%(*authordate:unix)"
    output = git(git_dirs.root, "for-each-ref", form, "refs/tags")
    dates = {}
    for line in output.decode(errors="replace").splitlines():
        name, own, inner = line.split("\0")
        if when := _moment((inner or own).encode()):
            dates[name] = when
    return dates


def _moment(text: bytes) -> datetime | None:
    try:
        return _EPOCH + timedelta(seconds=int(text))
    except (ValueError, OverflowError):
        return None
