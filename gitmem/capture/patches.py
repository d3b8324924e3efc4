"""Unified diffs as sets of changed lines: how alike two are, and what of one is left in another."""

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from gitmem.capture.generated_files import is_generated

_HUNK = re.compile(r"@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@")
_BEGINS = re.compile(r"^(?:diff --git |# left out: )", re.MULTILINE)
_MADE = re.compile(r"# left out: (?P<file>.+) \(\+(?P<added>\d+) -(?P<removed>\d+) lines\)\n")
Line = tuple[str, str, str]


class Patch(NamedTuple):
    """A diff between two trees.

    Attributes:
        text: the unified diff, as git writes it.
        lines: what it changes: (file, ``+`` or ``-``, the line without blanks at its ends).
        files: the files it touches. Files that a program made are among them only where it
            touches no other; their lines are not in ``text``, which names and counts them.
        made: what it does to files that a program made: (file, lines added, lines removed).

    """

    text: str
    lines: frozenset[Line]
    files: frozenset[str]
    made: tuple[tuple[str, int, int], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.text.strip())

    @property
    def names(self) -> frozenset[str]:
        """All files that it touches, those that a program made included."""
        return self.files | {file for file, _, _ in self.made}

    def only(self, files: Collection[str]) -> "Patch":
        """Give the part of it that touches some files."""
        parts = (part for part in _parts(self.text) if _file_of(part) in files)
        return parse_patch("".join(parts))

    def without(self, lines: frozenset[Line]) -> "Patch":
        """Leave some changed lines out, for telling what it does; its text stays whole.

        Where nothing would be left, it is given as it is.
        """
        left = self.lines - lines
        if not left or left == self.lines:
            return self
        return self._replace(lines=left, files=frozenset(file for file, _, _ in left))


def parse_patch(text: str) -> Patch:
    """Read a unified diff. Blank lines count for nothing, indentation neither.

    Lock files, generated and very large ones are left out, and named on a line of their own.
    """
    kept: list[str] = []
    made: dict[str, tuple[str, int, int]] = {}
    lines: set[Line] = set()
    files: set[str] = set()
    for part in _parts(text):
        if known := _MADE.match(part):
            file, added, removed = known["file"], int(known["added"]), int(known["removed"])
            made[file] = (file, added, removed)
            continue
        changed, named = _read(part)
        file = max(named, default="")
        if is_generated(file, part):
            signs = [sign for _, sign, _ in changed]
            made[file] = (file, signs.count("+"), signs.count("-"))
            continue
        kept.append(part)
        lines.update(line for line in changed if line[2])
        files |= named
    notes = [f"# left out: {file} (+{added} -{removed} lines)\n" for file, added, removed in
             made.values()]  # fmt: skip
    return Patch(
        "".join((*notes, *kept)),
        frozenset(lines),
        frozenset(files or made),
        tuple(made.values()),
    )


def _parts(text: str) -> Iterator[str]:
    """Cut a diff into the lines that name what was left out, and one part a file."""
    begin = 0
    for mark in _BEGINS.finditer(text):
        if mark.start() > begin:
            yield text[begin : mark.start()]
            begin = mark.start()
    if begin < len(text):
        yield text[begin:]


def _read(part: str) -> tuple[list[Line], set[str]]:
    """Give the changed lines of one file, and its name; blank lines with an empty text."""
    lines: list[Line] = []
    files: set[str] = set()
    old = new = ""
    in_hunk = False
    for line in part.split("\n"):
        if line.startswith("diff --git "):
            in_hunk = False
            new = line.rpartition(" b/")[2].removesuffix('"')
            files = {new}
        elif not in_hunk and line.startswith("--- "):
            old = _name(line)
        elif not in_hunk and line.startswith("+++ "):
            new = _name(line) or old
            files = {new}
        elif _HUNK.match(line):
            in_hunk = True
        elif in_hunk and line[:1] in {"+", "-"}:
            lines.append((new, line[0], " ".join(line[1:].split())))
    return lines, files - {""}


def _file_of(part: str) -> str:
    """Name the file of one part of a diff."""
    if left_out := _MADE.match(part):
        return left_out["file"]
    return max(_read(part)[1], default="")


def _name(line: str) -> str:
    name = line[4:].partition("\t")[0].strip().strip('"')
    return "" if name == "/dev/null" else name.removeprefix("a/").removeprefix("b/")


def likeness(one: Patch, other: Patch) -> float:
    """Tell how alike two patches are, from 0 to 1 (Jaccard index of their changed lines)."""
    union = one.lines | other.lines
    return len(one.lines & other.lines) / len(union) if union else 0.0


def kept_in(part: Patch, whole: Patch) -> float:
    """Tell which share of ``part`` is still there in ``whole``, from 0 to 1.

    What it adds decides; what it removes may be gone for another reason, and decides only
    where nothing is added.
    """
    added = {line for line in part.lines if line[1] == "+"}
    telling = added or part.lines
    return len(telling & whole.lines) / len(telling) if telling else 0.0


def taken_back(part: Patch, since: Patch) -> float:
    """Tell which share of ``part`` the later patch ``since`` undid, from 0 to 1.

    Undone is what it added and is gone now; where it added nothing, what it removed and is
    there again. A line that only moved within its file was not undone.
    """
    added = {line for line in part.lines if line[1] == "+"}
    telling = added or part.lines
    undone = {line for line in telling - since.lines if _opposite(line) in since.lines}
    return len(undone) / len(telling) if telling else 0.0


def _opposite(line: Line) -> Line:
    return (line[0], "-" if line[1] == "+" else "+", line[2])
