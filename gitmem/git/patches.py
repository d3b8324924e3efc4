"""Patches of many commits from one process of git, each with a key that outlives a rebase.

The key says what a commit changes: for each file its names, the lines that go and the lines
that come, without blanks. Line numbers and the lines around are left out, so that a rebase, a
cherry-pick or a squash of this one commit has the same key (as ``git patch-id`` has, which
counts the lines around as well).
"""

import codecs
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import IO, Final, NamedTuple

from gitmem.errors import EnvironmentProblem
from gitmem.git.log import AuthoredCommit, started
from gitmem.git.places import GitDirs

LONGEST: Final = 400_000
"""Bytes of a patch that are kept; its key is of all of it."""
LONGEST_FILE: Final = 200_000
"""Bytes of one file's part; of a longer one only the number of lines is told."""
_LINE: Final = 1 << 20
_ID: Final = 40
_OPTIONS: Final = (
    "--stdin", "--root", "--always", "-r", "-p", "-U3", "--full-index", "--find-renames",
    "--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/",
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
    places: GitDirs,
    wanted: Sequence[AuthoredCommit],
    *,
    excluded: str,
    folder: str = "",
    back: bool = False,
) -> Iterator[CommitChange]:
    """Give what each commit changes against its first parent, in their order.

    Args:
        places: the repository.
        wanted: the commits.
        excluded: a folder whose files are left out, relative to the work tree's top.
        folder: only what lies below it; paths are then relative to it.
        back: give what would take the commit back.

    Raises:
        EnvironmentProblem: git is missing or refuses.

    """
    done = 0
    try:
        for change in _read(places, wanted, excluded, folder, back=back):
            yield change
            done += 1
    except EnvironmentProblem:
        if len(wanted) == 1:
            yield CommitChange(wanted[0].id, missing=True)
            return
        # A partial clone lacks contents, and git ends at the first that it can't read.
        for commit in wanted[done:]:
            yield from changes(places, [commit], excluded=excluded, folder=folder, back=back)


def _read(
    places: GitDirs, wanted: Sequence[AuthoredCommit], excluded: str, folder: str, *, back: bool
) -> Iterator[CommitChange]:
    asked = "".join(" ".join((one.id, *one.parents[:1])) + "\n" for one in wanted)
    options = [*_OPTIONS, *(["-R"] if back else []), *([f"--relative={folder}/"] if folder else [])]
    inside = excluded.removeprefix(f"{folder}/") if folder else excluded
    with started(
        places, ["-c", "core.quotePath=false", "diff-tree", *options], asked.encode()
    ) as out:
        reading: _DiffReader | None = None
        while line := out.readline(_LINE):
            if _is_id(line):
                if reading:
                    yield reading.end()
                reading = _DiffReader(line.strip().decode(), inside)
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

    def __init__(self, line: bytes) -> None:
        self.old, self.new = _names(line.rstrip(b"\n")[len(b"diff --git ") :])
        self.head: list[bytes] = []
        self.index = b""
        self.in_hunk = False
        self.gone = blake2b(digest_size=16)
        self.come = blake2b(digest_size=16)
        self.added = self.removed = 0
        self.size = 0
        self.kept: list[bytes] = []

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
        return b"# left out: %s (+%d -%d lines)\n" % (self.new, self.added, self.removed)

    def header(self, line: bytes) -> None:
        if line.startswith(b"@@ "):
            self.in_hunk = True
            return
        word, _, rest = line.rstrip(b"\n").partition(b" ")
        if word == b"---" and rest != b"/dev/null":
            self.old = _name(rest)
        elif word == b"+++" and rest != b"/dev/null":
            self.new = _name(rest)
        elif word in {b"rename", b"copy"}:
            side, _, name = rest.partition(b" ")
            if side == b"from":
                self.old = _unquoted(name)
            elif side == b"to":
                self.new = _unquoted(name)
        elif word in {b"new", b"deleted", b"old"}:
            self.head.append(line)
        elif word == b"index":
            self.index = line
        elif word in {b"Binary", b"GIT"}:
            self.head.append(self.index.partition(b" ")[2].split()[0])

    def line(self, line: bytes, rest: list[bytes]) -> None:
        if line[:1] in b"+-":
            digest = self.come if line[:1] == b"+" else self.gone
            digest.update(b"\n")
            digest.update(b"".join(line[1:].split()))
            for piece in rest:
                digest.update(b"".join(piece.split()))
            self.added += line[:1] == b"+"
            self.removed += line[:1] == b"-"

    @property
    def is_blank(self) -> bool:
        return (
            bool(self.added or self.removed)
            and not self.head
            and self.gone.digest() == self.come.digest()
        )

    def digest(self) -> bytes:
        made = blake2b(digest_size=16)
        parts = (self.old, self.new, *sorted(self.head), self.gone.digest(), self.come.digest())
        for part in parts:
            made.update(b"%d:" % len(part))
            made.update(part)
        return made.digest()


class _DiffReader:
    """The diff of one commit, as it comes."""

    def __init__(self, commit: str, excluded: str) -> None:
        self._commit = commit
        self._excluded = excluded.encode(errors="surrogateescape") + b"/"
        self._files: list[_PatchedFile] = []
        self._is_excluded = self._is_new = False
        self._new_excluded: list[str] = []

    def take(self, line: bytes, rest: list[bytes]) -> None:
        """Take one line."""
        if line.startswith(b"diff --git "):
            file = _PatchedFile(line)
            self._is_new = False
            self._is_excluded = file.new.startswith(self._excluded) or file.old.startswith(
                self._excluded
            )
            if not self._is_excluded:
                self._files.append(file)
        elif self._is_excluded:
            self._is_new = self._is_new or line.startswith(b"new file mode ")
            if self._is_new and line.startswith((b"+++ b/", b'+++ "b/')):
                self._new_excluded.append(_text(_name(line.rstrip(b"\n")[4:])))
            return
        elif not self._files:
            return
        elif self._files[-1].in_hunk and not line.startswith(b"@@ "):
            self._files[-1].line(line, rest)
        else:
            self._files[-1].header(line)
        if not self._is_excluded:
            self._files[-1].keep(line, rest)

    def end(self) -> CommitChange:
        """Give what was read."""
        if not self._files:
            return CommitChange(self._commit, excluded=tuple(self._new_excluded))
        made = blake2b(digest_size=16)
        for digest in sorted({file.digest() for file in self._files}):
            made.update(digest)
        parts, size = [], 0
        for part in (file.text() for file in self._files):
            size += len(part)
            if size <= LONGEST:
                parts.append(part)
        return CommitChange(
            self._commit,
            made.hexdigest(),
            b"".join(parts).decode(errors="replace"),
            len(self._files) - len(parts),
            tuple(dict.fromkeys(_text(file.new) for file in self._files)),
            tuple(self._new_excluded),
            all(file.is_blank for file in self._files),
        )


def _names(pair: bytes) -> tuple[bytes, bytes]:
    """Cut ``a/NAME b/NAME``; a header further on corrects it where the names differ."""
    half = len(pair) // 2
    return _name(pair[:half]), _name(pair[half + 1 :])


def _name(quoted: bytes) -> bytes:
    return _unquoted(quoted.partition(b"\t")[0])[2:]


def _unquoted(name: bytes) -> bytes:
    if len(name) > 1 and name[:1] == name[-1:] == b'"':
        return codecs.escape_decode(name[1:-1])[0]
    return name


def _text(name: bytes) -> str:
    return name.decode(errors="replace")
