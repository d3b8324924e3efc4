"""Unified diffs as sets of changed lines: how alike two are, what they keep, what they are in."""

from collections.abc import Collection, Iterator
from itertools import accumulate, takewhile
from typing import NamedTuple

from gitmem.capture.generated_files import is_generated
from gitmem.diffs import ADDED, CONTEXT, REMOVED, FileDiff, Hunk, read_parts
from gitmem.lazy_pattern import lazily

_LEFT_OUT = lazily(r"# left out: (?P<file>.+) \(\+(?P<added>\d+) -(?P<removed>\d+) lines\)")
Line = tuple[str, str, str]
_DEFINED = lazily(
    r"\b(?:def|class|func|fn|function|interface|trait|struct|module|sub)\s+"
    r"(?:\([^)]*\)\s*)?([\w.]+[?!]?)"
    r"|\b(\w+)\s*(?:=|:)\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*(?::[^=;{}]{1,80})?=>)"
    r"|^(?:(?:[\w<>\[\],.*&:]+|[A-Z][A-Z_]+\([^()]*\))\s+)+(\w+)\s*\([^;]*$"
)
COMMENT = lazily(r"\s*(?://|/\*|\*|#|--|%|;)")
_KEYWORDS = frozenset({
    "if", "for", "while", "return", "else", "switch", "catch", "new", "assert", "await", "case",
    "defer", "elif", "go", "in", "match", "not", "raise", "throw", "unless", "until", "yield",
})  # fmt: skip


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
        parts: list[str] = []
        for part in read_parts(self.text):
            if isinstance(part, FileDiff):
                parts += [part.text] if part.path in files else []
            elif (left_out := _LEFT_OUT.fullmatch(part)) and left_out["file"] in files:
                parts.append(f"{part}\n")
        return parse_patch("".join(parts))

    def is_near(self, file: str, line: int) -> bool:
        """Tell whether it shows a line of a file, as it was before: changed, or around a change.

        A line of a function beside those that it changes is not near.
        """
        return any(
            hunk.old_start <= line < hunk.old_start + len(hunk.side(REMOVED))
            and not _is_in_another(hunk, line)
            for part in read_parts(self.text)
            if isinstance(part, FileDiff) and part.path == file
            for hunk in part.hunks
        )

    def changes(self, file: str, line: int) -> bool:
        """Tell whether it takes a line of a file out, or puts another in its place."""
        for part in read_parts(self.text):
            for hunk in part.hunks if isinstance(part, FileDiff) and part.path == file else ():
                old = (sign for sign, _ in hunk.lines if sign != ADDED)
                numbered = enumerate(old, hunk.old_start)
                if any(number == line and sign == REMOVED for number, sign in numbered):
                    return True
        return False

    def moved(self, file: str, line: int) -> int:
        """Give the number that a line of a file has afterwards; the last one in its place."""
        shift = 0
        for part in read_parts(self.text):
            for hunk in part.hunks if isinstance(part, FileDiff) and part.path == file else ():
                sizes = len(hunk.side(REMOVED)), len(hunk.side(ADDED))
                if hunk.old_start <= line < hunk.old_start + sizes[0]:
                    return hunk.new_start + _lines_until(hunk, line) - 1
                shift += sizes[1] - sizes[0] if hunk.old_start < line else 0
        return line + shift

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
    parts: list[str] = []
    changed_files: dict[str, tuple[str, int, int]] = {}
    lines: set[Line] = set()
    files: set[str] = set()
    for part in read_parts(text):
        if isinstance(part, str):
            if named := _LEFT_OUT.fullmatch(part):
                file, added, removed = named["file"], int(named["added"]), int(named["removed"])
                changed_files[file] = (file, added, removed)
            else:
                parts.append(f"{part}\n")
            continue
        file = part.path
        changed = [line for hunk in part.hunks for line in hunk.lines if line[0] != CONTEXT]
        if is_generated(file, part):
            signs = [sign for sign, _ in changed]
            changed_files[file] = (file, signs.count(ADDED), signs.count(REMOVED))
            continue
        parts.append(part.text)
        lines.update((file, sign, plain) for sign, line in changed if (plain := _plain(line)))
        files.add(file)
    notes = [
        f"# left out: {file} (+{added} -{removed} lines)\n"
        for file, added, removed in changed_files.values()
    ]
    return Patch(
        "".join((*notes, *parts)),
        frozenset(lines),
        frozenset(files - {""} or changed_files),
        tuple(changed_files.values()),
    )


def _plain(line: str) -> str:
    return " ".join(line.split())


def likeness(patch: Patch, other: Patch) -> float:
    """Tell how alike two patches are, from 0 to 1 (Jaccard index of their changed lines)."""
    union = patch.lines | other.lines
    return len(patch.lines & other.lines) / len(union) if union else 0.0


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


def _lines_until(hunk: Hunk, line: int) -> int:
    """Count the new lines of a hunk down to an old one, or to the end of what replaced it."""
    olds = accumulate(int(sign in (CONTEXT, REMOVED)) for sign, _ in hunk.lines)
    end = list(olds).index(line - hunk.old_start + 1) + 1
    if hunk.lines[end - 1][0] == REMOVED:
        end += sum(1 for _ in takewhile(lambda each: each[0] != CONTEXT, hunk.lines[end:]))
    return sum(sign in (CONTEXT, ADDED) for sign, _ in hunk.lines[:end])


def functions_around(hunk: Hunk) -> Iterator[str]:
    """Name the function or class around each line of a hunk; what ends one is indented less."""
    name, depth = defined_by(hunk.heading), -1
    for _, line in hunk.lines:
        text = line.strip()
        indent = len(line) - len(line.lstrip())
        if defined := defined_by(text):
            name, depth = defined, indent
        elif text and indent <= depth and text[0] not in ")]{":
            name = ""
        yield name


def defined_by(line: str) -> str:
    """Name the function or class that a line defines; empty if it defines none."""
    match = None if COMMENT.match(line) else _DEFINED.search(line)
    name = next(filter(None, match.groups()), "") if match else ""
    words = line.split()
    if not name or name in _KEYWORDS or words[0] in _KEYWORDS:
        return ""
    return name if "class" in words[:2] else f"{name}()"


def _is_in_another(hunk: Hunk, number: int) -> bool:
    """Tell whether a line lies in a function that a hunk leaves as it is, and calls none of those.

    Args:
        hunk: changes other functions, and nothing around them.
        number: of a line that it shows, as it was before.

    """
    around = list(functions_around(hunk))
    changed = {name for (sign, _), name in zip(hunk.lines, around, strict=True) if sign != CONTEXT}
    old = [at for at, (sign, _) in enumerate(hunk.lines) if sign in (CONTEXT, REMOVED)]
    at = old[number - hunk.old_start]
    if not around[at] or around[at] in changed:
        return False
    calls = hunk.lines[at][1]
    return all(name.endswith("()") and name[:-1] not in calls for name in changed)
