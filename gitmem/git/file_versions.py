"""What files were like: versions of one file, and the commits that changed files of some kind."""

from collections.abc import Iterator, Sequence
from typing import Final

from gitmem.git.change_text import DIFF_FORM, WHOLE
from gitmem.git.command import git, stream
from gitmem.git.git_dirs import GitDirs

_HEAD: Final = "\x01"


def blob_text(git_dirs: GitDirs, name: str, most: int) -> str | None:
    """Give the text of a blob; None: there is none of that name, or it is no text or too long."""
    data = git(git_dirs.root, "cat-file", "blob", name, ok=(0, 128))
    return None if len(data) > most or b"\0" in data else data.decode(errors="replace") or None


def versions(git_dirs: GitDirs, path: str, most: int) -> Iterator[str]:
    """Give the names of the blobs that a file was, the newest first, renames followed."""
    words = (
        "log", "--follow", f"--max-count={most}", "--format=", "--raw", "--no-abbrev", "-M", "HEAD",
        "--", path,
    )  # fmt: skip
    for line in git(git_dirs.root, *words, ok=(0, 128)).splitlines():
        if line.startswith(b":"):
            yield line.split()[3].decode()


def commits_changing(
    git_dirs: GitDirs, globs: Sequence[str], commits: int, most: int
) -> Iterator[tuple[str, str]]:
    """Give commits that change some files, the newest first: short id, and the diff, files whole.

    Args:
        git_dirs: the repository.
        globs: of the files.
        commits: how many at most.
        most: bytes that are read of all of them.

    """
    words = (
        "log", "-p", "--no-merges", *DIFF_FORM, f"-U{WHOLE}", f"--max-count={commits}",
        f"--format={_HEAD}%h", "HEAD", "--", *(f":(top,glob){glob}" for glob in globs),
    )  # fmt: skip
    with stream(git_dirs.root, words) as pipe:
        output = pipe.read(most + 1)
        while pipe.read(1 << 20):  # git ends well only if all is taken
            pass
    parts = output[:most].decode(errors="replace").split(_HEAD)[1:]
    if len(output) > most:
        parts = parts[:-1]  # cut off
    for part in parts:
        commit, _, diff = part.partition("\n")
        yield commit.strip(), diff
