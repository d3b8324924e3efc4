"""Which commit brought a file: for a record that is its provenance, whatever was rebased since."""

from datetime import UTC, datetime
from typing import NamedTuple

from gitmem.git.command import git
from gitmem.git.places import Places

_FORM = "--format=%h%x1f%ct%x1f%s"
_SECONDS = 5


class Origin(NamedTuple):
    """The commit that added a file: its short id, its first line, when it was made (UTC)."""

    id: str
    subject: str
    at: datetime


def origin_of(places: Places, path: str) -> Origin | None:
    """Find the newest commit that added a file; None while it is in no commit.

    Args:
        places: the repository.
        path: the file, relative to the work tree's top.

    Raises:
        EnvironmentProblem: git is missing, refuses, or takes longer than five seconds.

    """
    said = git(
        places.root, "log", "-1", "--diff-filter=A", "--no-renames", "--encoding=UTF-8", _FORM,
        "HEAD", "--", f":(top,literal){path}", ok=(0, 128), seconds=_SECONDS,
    )  # fmt: skip
    parts = said.decode(errors="replace").strip("\n").split("\x1f", 2)
    if len(parts) < 3:  # noqa: PLR2004  before the first commit, or not committed
        return None
    return Origin(parts[0], parts[2], datetime.fromtimestamp(int(parts[1]), UTC))
