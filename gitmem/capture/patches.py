"""Unified diffs as sets of changed lines: how alike two are, and what of one is left in another."""

import re
from typing import NamedTuple

_HUNK = re.compile(r"@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@")
Line = tuple[str, str, str]


class Patch(NamedTuple):
    """A diff between two trees.

    Attributes:
        text: the unified diff, as git writes it.
        lines: what it changes: (file, ``+`` or ``-``, the line without blanks at its ends).
        files: the files it touches.

    """

    text: str
    lines: frozenset[Line]
    files: frozenset[str]

    def __bool__(self) -> bool:
        return bool(self.text.strip())


def parse_patch(text: str) -> Patch:
    """Read a unified diff. Blank lines count for nothing, indentation neither."""
    lines: set[Line] = set()
    files: set[str] = set()
    old = new = ""
    in_hunk = False
    for line in text.split("\n"):
        if line.startswith("diff --git "):
            in_hunk = False
            new = line.rpartition(" b/")[2]
            files.add(new)
        elif not in_hunk and line.startswith("--- "):
            old = _name(line)
        elif not in_hunk and line.startswith("+++ "):
            new = _name(line) or old
            files.add(new)
        elif _HUNK.match(line):
            in_hunk = True
        elif in_hunk and line[:1] in {"+", "-"} and line[1:].strip():
            lines.add((new, line[0], " ".join(line[1:].split())))
    return Patch(text, frozenset(lines), frozenset(files - {""}))


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
