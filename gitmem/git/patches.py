"""Patches of many commits from one process of git, each with a key that outlives a rebase.

The key says what a commit changes: for each file its names, the lines that go and the lines
that come, without blanks. Line numbers and the lines around are left out, so that a rebase, a
cherry-pick or a squash of this one commit has the same key (as ``git patch-id`` has, which
counts the lines around as well).
"""

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import IO, Final, NamedTuple

from gitmem.diffs import ADDED, FILE, REMOVED, DiffReader, FileHeader
from gitmem.errors import EnvironmentProblem
from gitmem.git.command import stream
from gitmem.git.git_dirs import GitDirs
from gitmem.git.log import AuthoredCommit

LONGEST: Final = 400_000
"""Bytes of a patch that are kept; its key is of all of it."""
LONGEST_FILE: Final = 200_000
"""Bytes of one file's part; of a longer one only the number of lines is told."""
_LINE: Final = 1 << 20
_ID: Final = 40
_OPTIONS: Final = (
    "--stdin", "--root", "--always", "-r", "-p", "-U3", "--full-index", "--find-renames",
    "--no-color", "--src-prefix=a/", "--dst-prefix=b/",
    "--diff-algorithm=myers", "--indent-heuristic", "--submodule=short",
)  # fmt: skip


class CommitChange(NamedTuple):
    """What a commit changes.

    Attributes:
        commit: its id.
        key: what it changes, as a digest; empty: nothing.
        text: the unified diff, as many whole files as ``LONGEST`` bytes hold; a very long one is
            only named, as ``gitmem.capture.patches`` does.
        more: how many files are not in it.
        paths: the files, by their new names, or the old one of a deleted file.
        excluded: new files below the excluded folder; not in text, key and paths.
        blank: nothing but blanks changed.
        missing: this clone does not hold what is needed.

    """

    commit: str
    key: str = ""
    text: str = ""
    more: int = 0
    paths: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    blank: bool = False
    missing: bool = False


def changes(
    git_dirs: GitDirs,
    wanted: Sequence[AuthoredCommit],
    *,
    excluded: str,
    folder: str = "",
    back: bool = False,
) -> Iterator[CommitChange]:
    """Give what each commit changes against its first parent, in their order.

    Args:
        git_dirs: the repository.
        wanted: the commits.
        excluded: a folder whose files are left out, relative to the work tree's top.
        folder: only what lies below it; paths are then relative to it.
        back: give what would take the commit back.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    done = 0
    try:
        for change in _read(git_dirs, wanted, excluded, folder, back=back):
            yield change
            done += 1
    except EnvironmentProblem:
        if len(wanted) == 1:
            yield CommitChange(wanted[0].id, missing=True)
            return
        # A partial clone lacks contents, and git ends at the first that it can't read.
        for commit in wanted[done:]:
            yield from changes(git_dirs, [commit], excluded=excluded, folder=folder, back=back)


def _read(
    git_dirs: GitDirs, wanted: Sequence[AuthoredCommit], excluded: str, folder: str, *, back: bool
) -> Iterator[CommitChange]:
    stdin = "".join(" ".join((commit.id, *commit.parents[:1])) + "\n" for commit in wanted)
    options = [*_OPTIONS, *(["-R"] if back else []), *([f"--relative={folder}/"] if folder else [])]
    inside = excluded.removeprefix(f"{folder}/") if folder else excluded
    with stream(git_dirs.root, ["diff-tree", *options], stdin.encode()) as out:
        reading: _CommitReader | None = None
        while line := out.readline(_LINE):
            if not (reading and reading.in_hunk) and _is_id(line):
                if reading:
                    yield reading.end()
                reading = _CommitReader(line.strip().decode(), inside)
            elif reading:
                reading.take(line, _rest(out, line))
    if reading:
        yield reading.end()


def _rest(out: IO[bytes], line: bytes) -> list[bytes]:
    """Read on to the end of a line that is longer than one piece."""
    pieces = []
    while not line.endswith(b"\n") and (line := out.readline(_LINE)):
        pieces.append(line)
    return pieces


def _is_id(line: bytes) -> bool:
    """Tell the line that git writes before each commit: no line of a diff begins so."""
    head = line.split(None, 1)[0] if line[:1] not in b" +-\\@\n" else b""
    return len(head) >= _ID and not head.strip(b"0123456789abcdef")


class _PatchedFile:
    """One file of a diff."""

    def __init__(self, header: FileHeader) -> None:
        self.header = header
        self.gone = blake2b(digest_size=16)
        self.come = blake2b(digest_size=16)
        self.added = self.removed = 0
        self.size = 0
        self.kept: list[bytes] = []

    @property
    def path(self) -> str:
        return self.header.new or self.header.old

    def keep(self, line: bytes, rest: list[bytes]) -> None:
        """Keep a line of the text, as long as the file's part is not too long."""
        self.size += len(line) + sum(map(len, rest))
        if self.size > LONGEST_FILE:
            self.kept.clear()
        else:
            self.kept += (line, *rest)

    def text(self) -> bytes:
        """Give its part of the diff."""
        if self.size <= LONGEST_FILE:
            return b"".join(self.kept)
        counts = (_bytes(self.path), self.added, self.removed)
        return b"# left out: %s (+%d -%d lines)\n" % counts

    def count(self, sign: str, line: bytes, rest: list[bytes]) -> None:
        """Take an added or removed line into the digests."""
        digest = self.come if sign == ADDED else self.gone
        digest.update(b"\n")
        digest.update(b"".join(line[1:].split()))
        for piece in rest:
            digest.update(b"".join(piece.split()))
        self.added += sign == ADDED
        self.removed += sign == REMOVED

    def _facts(self) -> list[bytes]:
        """Give what changed besides lines, in the words of git's diff."""
        header = self.header
        if not header.old:
            facts = [f"new file mode {header.new_mode}\n"]
        elif not header.new:
            facts = [f"deleted file mode {header.old_mode}\n"]
        elif header.new_mode:
            facts = [f"old mode {header.old_mode}\n", f"new mode {header.new_mode}\n"]
        else:
            facts = []
        if header.binary:
            facts.append(f"{header.old_blob}..{header.new_blob}")
        return sorted(map(_bytes, facts))

    @property
    def is_blank(self) -> bool:
        return (
            bool(self.added or self.removed)
            and not self._facts()
            and self.gone.digest() == self.come.digest()
        )

    def digest(self) -> bytes:
        hasher = blake2b(digest_size=16)
        old, new = self.header.old or self.header.new, self.path
        names = (_bytes(old), _bytes(new))
        for part in (*names, *self._facts(), self.gone.digest(), self.come.digest()):
            hasher.update(b"%d:" % len(part))
            hasher.update(part)
        return hasher.digest()


class _CommitReader:
    """The diff of one commit, as it comes."""

    def __init__(self, commit: str, excluded: str) -> None:
        self._commit = commit
        self._excluded = excluded + "/"
        self._reader = DiffReader("surrogateescape")
        self._files: list[_PatchedFile] = []
        self._excluded_headers: list[FileHeader] = []
        self._is_excluded = False

    @property
    def in_hunk(self) -> bool:
        """Whether the next line must be one of the diff."""
        return self._reader.in_hunk

    def take(self, line: bytes, rest: list[bytes]) -> None:
        """Take one line."""
        kind = self._reader.read(line.rstrip(b"\n").decode(errors="surrogateescape"))
        header = self._reader.header
        if header is None:
            return
        if kind == FILE:
            self._is_excluded = (header.new or header.old).startswith(self._excluded) or (
                header.old.startswith(self._excluded)
            )
            if self._is_excluded:
                self._excluded_headers.append(header)
            else:
                self._files.append(_PatchedFile(header))
        if self._is_excluded:
            return
        if kind in {ADDED, REMOVED}:
            self._files[-1].count(kind, line, rest)
        self._files[-1].keep(line, rest)

    def end(self) -> CommitChange:
        """Give what was read."""
        excluded = tuple(_text(header.new) for header in self._excluded_headers if not header.old)
        if not self._files:
            return CommitChange(self._commit, excluded=excluded)
        hasher = blake2b(digest_size=16)
        for digest in sorted({file.digest() for file in self._files}):
            hasher.update(digest)
        parts, size = [], 0
        for part in (file.text() for file in self._files):
            size += len(part)
            if size <= LONGEST:
                parts.append(part)
        return CommitChange(
            self._commit,
            hasher.hexdigest(),
            b"".join(parts).decode(errors="replace"),
            len(self._files) - len(parts),
            tuple(dict.fromkeys(_text(file.path) for file in self._files)),
            excluded,
            all(file.is_blank for file in self._files),
        )


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")


def _text(name: str) -> str:
    return _bytes(name).decode(errors="replace")
