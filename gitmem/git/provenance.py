"""Which commit brought a file: for a record that is its provenance, whatever was rebased since.

Only commits that can be reached from what is checked out count. A record's id is in its file's
name, so a file that was moved since is followed by it. Where a clone is shallow, its oldest
commits seem to add everything: of what they "added" the origin is not known.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from gitmem.git.command import git
from gitmem.git.git_dirs import GitDirs
from gitmem.git.objects import commit_of
from gitmem.git.repository import shown_words
from gitmem.lazy_pattern import lazily
from gitmem.records.layout import id_in

_SECONDS: Final = 5
_MOST_BY_NAME: Final = 10
"""Files that are named one by one; of more, all that the folder ever got is read, sooner."""
_MOST_NAMED: Final = 200
"""On one command line."""
_MOST_MOVES: Final = 10
_SHORT: Final = "--format=%H%x1f%h%x1f%ct%x1f%s"
_FIELDS: Final = ("%H", "%an", "%ae", "%at", "%ct", "%s", "%b", "%(trailers:only=true,unfold=true)")
_PULL_TRAILERS: Final = ("pull-request", "pr", "merge-request", "mr")
_SQUASHED: Final = lazily(r"\((?P<name>[#!]\d+)\)\s*$")
_MERGED: Final = lazily(r"Merge pull request (?P<name>#\d+) from (?P<branch>\S+)")
_GITLAB: Final = lazily(r"^See merge request (?P<name>\S*!\d+)\s*$", re.MULTILINE)
_BRANCH: Final = lazily(r"Merge (?:remote-tracking )?branch '(?P<branch>[^']+)'")


class Origin(NamedTuple):
    """The commit that added a file: its short id, its first line, when it was made (UTC)."""

    id: str
    subject: str
    at: datetime


class Pull(NamedTuple):
    """What names a pull request.

    Attributes:
        name: such as ``#12`` or an address.
        said_by: ``trailer PR``, ``squash merge``, ``merge commit`` or ``merge request``.

    """

    name: str
    said_by: str


class Provenance(NamedTuple):
    """Where a record comes from.

    Attributes:
        commit: id of the commit that added it.
        author, email: of that commit.
        written: when that commit was first made (UTC).
        at: when it was made as it is: later, if it was rebased (UTC).
        subject: its first line.
        pulls: what it, or the merge that brought it, says of a pull request.
        merged_by: id of the merge commit that brought it to what is checked out; empty: none.
        merged_from: the branch that this merge names; empty: none.
        branches: local and remote branches that hold the commit now.

    """

    commit: str
    author: str
    email: str
    written: datetime
    at: datetime
    subject: str
    pulls: tuple[Pull, ...]
    merged_by: str
    merged_from: str
    branches: tuple[str, ...]


class _CommitHeader(NamedTuple):
    """What a commit says of itself."""

    commit: str
    author: str
    email: str
    written: datetime
    at: datetime
    subject: str
    pulls: tuple[Pull, ...]


def origin_of(git_dirs: GitDirs, path: str) -> Origin | None:
    """Find the newest commit that added a file; None while it is in no commit, or not known.

    One call of git, for who shows many: a file that was moved has the commit that moved it.

    Args:
        git_dirs: the repository.
        path: the file, relative to the work tree's top.

    Raises:
        EnvironmentProblem: git is missing, refuses, or takes longer than five seconds.

    """
    options = ("-1", "--diff-filter=A", "--no-renames", "--encoding=UTF-8", _SHORT, "HEAD", "--")
    where = f":(top,literal){path}"
    output = git(git_dirs.root, "log", *options, where, ok=(0, 128), seconds=_SECONDS)
    parts = output.decode(errors="replace").strip("\n").split("\x1f", 3)
    if len(parts) < 4 or parts[0] in boundary(git_dirs):  # noqa: PLR2004  not committed, or not known
        return None
    return Origin(parts[1], shown_words(parts[3]), datetime.fromtimestamp(int(parts[2]), UTC))


def is_uncommitted(git_dirs: GitDirs, path: str) -> bool:
    """Tell whether a file (from the work tree's top) is in no commit that is checked out."""
    given = ("ls-tree", "--full-tree", "--name-only", "HEAD", "--", path)
    return not git(git_dirs.root, *given, ok=(0, 128), seconds=_SECONDS).strip()


def origins(
    git_dirs: GitDirs,
    paths: Sequence[str],
    revision: str = "HEAD",
    *,
    folder: str = "",
    seconds: float | None = None,
) -> dict[str, str]:
    """Find for each file the newest commit that added it, and not only moved it.

    Args:
        git_dirs: the repository.
        paths: files, relative to the work tree's top.
        revision: only what can be reached from here counts.
        folder: where all of them lie, and did before they were moved; empty: the folder of each.
        seconds: give up after so long.

    Returns:
        Ids of commits by path. Left out is what is in no commit, and what came with the oldest
        commit of a shallow clone.

    Raises:
        EnvironmentProblem: git is missing, refuses, or takes too long.

    """
    called = {path: (revision, path) for path in paths}
    commits: dict[str, str] = {}
    for _ in range(_MOST_MOVES):
        added: dict[tuple[str, str], _Added] = {}
        for tip in sorted({tip for tip, _ in called.values()}):
            names = sorted({name for branch_tip, name in called.values() if branch_tip == tip})
            additions = _added(git_dirs, names, tip, folder, seconds)
            added |= {(tip, name): addition for name, addition in additions.items()}
        for path, name in called.items():
            commits.pop(path, None)  # the commit that moved it
            if name in added:
                commits[path] = added[name].commit
        # Only what was before it moved counts: it may have been moved there and back.
        called = {
            path: (f"{added[name].commit}^", added[name].former)
            for path, name in called.items()
            if name in added and added[name].former
        }
        if not called:
            break
    oldest = boundary(git_dirs)
    return {
        path: commit
        for path, commit in commits.items()
        if commit not in oldest and path not in called
    }


class _Added(NamedTuple):
    """The commit that added a file, and the name that it took away for it; empty: none."""

    commit: str
    former: str


def _added(
    git_dirs: GitDirs, names: Sequence[str], tip: str, folder: str, seconds: float | None
) -> dict[str, _Added]:
    """Find the commits that added files, and whether they only moved them.

    Of more than a few files the soonest is to read all that their folder ever got. There,
    branches are read one beside the other: what one of them took away is asked for by its name.
    """
    additions: dict[str, _Added] = {}
    doubtful = list(names)
    if folder and len(names) > _MOST_BY_NAME:
        additions, doubtful = _read(_log(git_dirs, [tip], "AD", [folder], seconds), names)
    for first in range(0, len(doubtful), _MOST_NAMED):
        batch = doubtful[first : first + _MOST_NAMED]
        earlier, _ = _read(_log(git_dirs, [tip], "AD", batch, seconds), batch)
        moved = _moved(git_dirs, {name: addition.commit for name, addition in earlier.items()})
        additions |= {
            name: _Added(addition.commit, moved.get(name, "")) for name, addition in earlier.items()
        }
    return additions


def _read(
    log: Iterator[tuple[str, list[str], list[str]]], names: Sequence[str]
) -> tuple[dict[str, _Added], list[str]]:
    """Give what added each file, and those that were taken away by a later or a parallel commit."""
    wanted = {*names}
    additions: dict[str, _Added] = {}
    taken: set[str] = set()
    doubtful: set[str] = set()
    for commit, added, gone in log:
        by_id = {record_id: name for name in gone if (record_id := id_in(name))}
        for name in wanted.intersection(added):
            if name in taken:
                doubtful.add(name)
            elif name not in additions:
                additions[name] = _Added(commit, by_id.get(id_in(name) or "", ""))
        taken |= wanted.intersection(gone) - additions.keys()
    return additions, sorted(doubtful - additions.keys())


def _moved(git_dirs: GitDirs, added: Mapping[str, str]) -> dict[str, str]:
    """Give for files the name that they had before, if the commit that added them moved them."""
    ids = {name: record_id for name in added if (record_id := id_in(name))}
    commits = sorted({added[name] for name in ids})
    options = ["--no-walk=unsorted", *commits]
    gone = {
        (commit, record_id): name
        for commit, _, names in (_log(git_dirs, options, "D", [], None) if commits else ())
        for name in names
        if (record_id := id_in(name))
    }
    return {name: gone[added[name], ids[name]] for name in ids if (added[name], ids[name]) in gone}


def _log(
    git_dirs: GitDirs,
    revisions: Sequence[str],
    letters: str,
    paths: Sequence[str],
    seconds: float | None,
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Give for commits, the newest first, which files they added and which they took away."""
    specs = [f":(top,literal){path}" for path in paths]
    output = git(
        git_dirs.root,
        "log",
        "-z",
        f"--diff-filter={letters}",
        "--no-renames",
        "--name-status",
        "--format=%x01%H",
        *revisions,
        "--",
        *specs,
        ok=(0, 128),
        seconds=seconds,
    )
    for part in output.split(b"\x01")[1:]:
        commit, _, rest = part.partition(b"\0")
        words = rest.lstrip(b"\n").split(b"\0")
        sides: dict[bytes, list[str]] = {b"A": [], b"D": []}
        for how, path in zip(words[::2], words[1::2], strict=False):
            sides.setdefault(how, []).append(os.fsdecode(path))
        yield commit.decode(), sides[b"A"], sides[b"D"]


def boundary(git_dirs: GitDirs) -> frozenset[str]:
    """Give the commits at which a shallow clone begins; none in a whole one."""
    try:
        with open(os.path.join(git_dirs.common_dir, "shallow"), encoding="ascii") as file:
            return frozenset(file.read().split())
    except (OSError, UnicodeDecodeError):
        return frozenset()


def provenance_of(
    git_dirs: GitDirs, path: str, revision: str = "HEAD", *, folder: str = ""
) -> Provenance | None:
    """Tell where a record comes from; None while it is in no commit, or not known.

    Args:
        git_dirs: the repository.
        path: its file, relative to the work tree's top.
        revision: only what can be reached from here counts.
        folder: the memory's folder, relative to the work tree's top.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    commit = origins(git_dirs, [path], revision, folder=folder).get(path)
    if commit is None and (former := _moved_since(git_dirs, path, revision, folder)):
        commit = origins(git_dirs, [former], revision, folder=folder).get(former)
    if commit is None:
        return None
    merge = _merge_that_brought(git_dirs, commit, revision)
    headers = _headers(git_dirs, [commit, merge] if merge else [commit])
    added = headers[commit]
    pulls, branch = added.pulls, ""
    if merge:
        pulls += tuple(pull for pull in headers[merge].pulls if pull not in pulls)
        branch = _merged_branch(headers[merge].subject)
    return Provenance(
        commit,
        added.author,
        added.email,
        added.written,
        added.at,
        added.subject,
        pulls,
        merge,
        branch,
        _branches(git_dirs, commit),
    )


def _moved_since(git_dirs: GitDirs, path: str, revision: str, folder: str) -> str:
    """Give the name that a record's file has in a revision, if it was moved and not committed."""
    wanted = id_in(path)
    options = ("ls-tree", "-r", "-z", "--name-only", "--full-tree")
    output = git(git_dirs.root, *options, revision, "--", folder, ok=(0, 128))
    names = (os.fsdecode(name) for name in output.split(b"\0")) if wanted and folder else ()
    return next((name for name in names if name != path and id_in(name) == wanted), "")


def _merge_that_brought(git_dirs: GitDirs, commit: str, revision: str) -> str:
    """Find the first commit of the main line that has a commit, if that is a merge."""
    span = f"{commit}..{revision}"
    line = git(git_dirs.root, "rev-list", "--first-parent", span).decode().split()
    onward = set(git(git_dirs.root, "rev-list", "--ancestry-path", span).decode().split())
    there = [commit_id for commit_id in line if commit_id in onward]
    if not there:
        return ""
    first = there[-1]
    parents = git(git_dirs.root, "rev-list", "-1", "--parents", first).decode().split()[1:]
    return first if len(parents) > 1 and parents[0] != commit else ""


def _headers(git_dirs: GitDirs, commits: Sequence[str]) -> Mapping[str, _CommitHeader]:
    form = "--format=" + "%x1f".join(_FIELDS)
    output = git(
        git_dirs.root, "log", "--no-walk=unsorted", "-z", "--encoding=UTF-8", form, *commits
    )
    headers = {}
    for entry in output.decode(errors="replace").split("\0"):
        parts = entry.split("\x1f")
        if len(parts) < len(_FIELDS):
            continue
        commit, author, email, written, at, subject = parts[:6]
        body, trailers = "\x1f".join(parts[6:-1]), parts[-1]
        headers[commit.strip()] = _CommitHeader(
            commit.strip(),
            shown_words(author),
            shown_words(email),
            _time(written),
            _time(at),
            shown_words(subject),
            _pulls(*map(shown_words, (subject, body, trailers))),
        )
    return headers


def _time(seconds: str) -> datetime:
    return datetime.fromtimestamp(int(seconds), UTC)


def _pulls(subject: str, body: str, trailers: str) -> tuple[Pull, ...]:
    """Read what a message says of a pull request, each time with who says so."""
    pulls = []
    for line in trailers.splitlines():
        key, _, value = line.partition(":")
        if key.strip().lower() in _PULL_TRAILERS and value.strip():
            pulls.append(Pull(value.strip(), f"trailer {key.strip()}"))
    if merged := _MERGED.match(subject):
        pulls.append(Pull(merged["name"], "merge commit"))
    elif squashed := _SQUASHED.search(subject):
        pulls.append(Pull(squashed["name"], "squash merge"))
    pulls += [Pull(named["name"], "merge request") for named in _GITLAB.finditer(body)]
    return tuple(dict.fromkeys(pulls))


def _merged_branch(subject: str) -> str:
    named = _MERGED.match(subject) or _BRANCH.match(subject)
    return named["branch"] if named else ""


def _branches(git_dirs: GitDirs, commit: str) -> tuple[str, ...]:
    options = ("for-each-ref", "--format=%(refname:short)%00%(symref)", "--contains")
    output = git(git_dirs.root, *options, commit, "refs/heads", "refs/remotes")
    lines = output.decode(errors="replace").splitlines()
    return tuple(
        shown_words(name)
        for name, _, symbolic in (line.partition("\0") for line in lines)
        if not symbolic
    )


def is_in(git_dirs: GitDirs, commit: str, revision: str = "HEAD") -> bool:
    """Tell whether a commit can be reached from a revision.

    Raises:
        NotFoundError: there is no such commit.
        EnvironmentProblem: git is missing or refuses.

    """
    name = commit_of(git_dirs, commit)
    output = git(git_dirs.root, "rev-list", "-1", name, f"^{commit_of(git_dirs, revision)}", "--")
    return not output.strip()
