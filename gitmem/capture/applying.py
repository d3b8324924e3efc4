"""Applying a stored patch to texts as they are today. Pure.

A hunk goes where its old lines stand: at its place, or elsewhere if that can only be one place.
Up to two lines of context at its ends may have changed since. Anything less sure is refused.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

_HUNK: Final = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_BLOBS: Final = re.compile(r"index ([0-9a-f]{4,64})\.\.")
_QUOTED: Final = re.compile(r'\\([0-7]{3}|[abtnvfr"\\])')
_ESCAPES: Final = dict(zip('abtnvfr"\\', '\a\b\t\n\v\f\r"\\', strict=True))
_FUZZ: Final = 2
_NOWHERE: Final = "/dev/null"


class PatchRefusedError(ValueError):
    """The patch can't be applied here; the message says why."""


class Hunk(NamedTuple):
    """One changed place.

    Attributes:
        start: first line of it in the old file, from 0.
        lines: (sign, text without its end); the sign is a blank, ``+`` or ``-``.
        whole: false if the new text ends without a line break.

    """

    start: int
    lines: tuple[tuple[str, str], ...]
    whole: bool = True

    def side(self, sign: str) -> list[str]:
        """Give the lines before (``-``) or after it (``+``)."""
        return [text for given, text in self.lines if given in (" ", sign)]


class FilePatch(NamedTuple):
    """What a patch does to one file; ``old`` or ``new`` is empty for a new or deleted one.

    ``base`` is the abbreviated id of git's blob that it was made for; it may be empty.
    """

    old: str
    new: str
    hunks: tuple[Hunk, ...]
    base: str = ""


class Splice(NamedTuple):
    """Lines ``start`` up to ``end`` (from 0, end excluded) are replaced by ``lines``."""

    start: int
    end: int
    lines: tuple[str, ...]


def read_patch(text: str) -> list[FilePatch]:
    """Read a unified diff, file by file.

    Raises:
        PatchRefusedError: it is binary, was cut, or is no diff.

    """
    lines = text.replace("\r\n", "\n").split("\n")
    if any(line.startswith(("# cut: ", "[cut: ")) for line in lines):
        raise PatchRefusedError("the patch was too long to be kept whole")
    files: list[FilePatch] = []
    names: dict[str, str] = {}
    hunks: list[Hunk] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.startswith(("GIT binary patch", "Binary files ")):
            raise PatchRefusedError("the patch changes a binary file")
        if head := _HUNK.match(line):
            if not names:
                raise PatchRefusedError("a changed place belongs to no file")
            hunk, at = _hunk(lines, at + 1, head)
            hunks.append(hunk)
            continue
        begins = line.startswith("diff --git ") or (
            line.startswith("--- ") and (bool(hunks) or "old" in names)
        )
        if begins and names:
            files.append(_file(names, hunks))
            names, hunks = {}, []
        names |= _named(line)
        at += 1
    if names:
        files.append(_file(names, hunks))
    if not files:
        raise PatchRefusedError("there is nothing in the patch")
    return files


def _named(line: str) -> dict[str, str]:
    """Read what a line above the changed places says of its file."""
    if line.startswith("diff --git "):
        return {"diff": line[11:]}
    if line.startswith("--- "):
        return {"old": _name(line[4:])}
    if line.startswith("+++ "):
        return {"new": _name(line[4:])}
    if found := _BLOBS.match(line):
        return {"base": found[1]}
    words = ("rename from", "rename to", "deleted file", "new file")
    return {word: _unquoted(line[len(word) + 1 :]) for word in words if line.startswith(f"{word} ")}


def _file(names: dict[str, str], hunks: list[Hunk]) -> FilePatch:
    if "rename from" in names:
        old, new = names["rename from"], names.get("rename to", "")
    elif "old" in names:
        old, new = names["old"], names.get("new", names["old"])
    else:
        # An empty file: git writes neither of both lines.
        name = _unquoted(names.get("diff", "").rpartition(" ")[2].removeprefix("b/"))
        if not name:
            raise PatchRefusedError("the patch does not say which file it changes")
        old = "" if "new file" in names else name
        new = "" if "deleted file" in names else name
    return FilePatch(old, new, tuple(hunks), names.get("base", ""))


def _name(text: str) -> str:
    name = _unquoted(text.partition("\t")[0].strip())
    if name == _NOWHERE:
        return ""
    return name[2:] if name[:2] in ("a/", "b/") else name


def _unquoted(name: str) -> str:
    if not (name.startswith('"') and name.endswith('"') and len(name) > 1):
        return name
    parts = _QUOTED.sub(lambda found: _ESCAPES.get(found[1]) or chr(int(found[1], 8)), name[1:-1])
    return parts.encode("latin-1", "ignore").decode(errors="replace")


def _hunk(lines: Sequence[str], at: int, head: re.Match[str]) -> tuple[Hunk, int]:
    old, new = (int(head[i]) if head[i] is not None else 1 for i in (2, 4))
    body: list[tuple[str, str]] = []
    whole = True
    while at < len(lines) and (old > 0 or new > 0 or lines[at].startswith("\\")):
        sign, text = lines[at][:1] or " ", lines[at][1:]
        if sign == "\\":
            whole = bool(body) and body[-1][0] == "-"
        elif sign in (" ", "+", "-"):
            body.append((sign, text))
            old -= sign != "+"
            new -= sign != "-"
        else:
            break
        at += 1
    if old or new:
        raise PatchRefusedError("the patch ends in the middle of a changed place")
    return Hunk(max(int(head[1]) - 1, 0), tuple(body), whole), at


def splices(text: str, hunks: Sequence[Hunk]) -> list[Splice]:
    """Find where the hunks of a file go in its text; an empty list: it is all there already.

    Raises:
        PatchRefusedError: a hunk has no place, or more than one.

    """
    lines = text.replace("\r\n", "\n").split("\n")
    found: list[Splice] = []
    there = 0
    floor = offset = 0
    for number, hunk in enumerate(hunks, 1):
        wanted = hunk.start + offset
        at = _place(lines, hunk.side("-"), wanted, floor)
        trimmed = hunk
        if at is None and _place(lines, hunk.side("+"), wanted, floor) is not None:
            there += 1
            continue
        for fuzz in range(1, _FUZZ + 1):
            if at is None:
                trimmed = _trimmed(hunk, fuzz)
                at = _place(lines, trimmed.side("-"), trimmed.start + offset, floor, sure=True)
        if at is None:
            raise PatchRefusedError(f"changed place {number} of {len(hunks)} is not in the text")
        found += _splices(trimmed, at)
        floor = at + len(trimmed.side("-"))
        offset = at - trimmed.start
    if there and found:
        raise PatchRefusedError("a part of the patch is there already")
    return found


def _place(
    lines: Sequence[str], before: Sequence[str], wanted: int, floor: int, *, sure: bool = False
) -> int | None:
    """Find where lines stand: at the wanted place, or at the only other one."""
    if not before or not any(line.strip() for line in before):
        # An insertion without context: only an empty file has one place for it.
        return 0 if not any(lines) and not floor else None
    size = len(before)
    last = len(lines) - size
    if not sure and floor <= wanted <= last and list(lines[wanted : wanted + size]) == before:
        return wanted
    starts = (at for at in range(floor, last + 1) if lines[at] == before[0])
    same = [at for at in starts if list(lines[at : at + size]) == before]
    return same[0] if len(same) == 1 else None


def _trimmed(hunk: Hunk, fuzz: int) -> Hunk:
    """Take lines of context away from both ends."""
    body = list(hunk.lines)
    head = tail = 0
    while head < fuzz and body and body[0][0] == " ":
        body.pop(0)
        head += 1
    while tail < fuzz and body and body[-1][0] == " ":
        body.pop()
        tail += 1
    return Hunk(hunk.start + head, tuple(body), hunk.whole)


def _splices(hunk: Hunk, at: int) -> list[Splice]:
    """Cut a hunk into its runs of changed lines."""
    found: list[Splice] = []
    start = end = at
    added: list[str] = []
    for sign, text in (*hunk.lines, (" ", "")):
        if sign == "-":
            end += 1
        elif sign == "+":
            added.append(text)
        else:
            if end > start or added:
                found.append(Splice(start, end, tuple(added)))
            start = end = end + 1
            added = []
    return found


def patched(text: str, found: Sequence[Splice]) -> str:
    """Give a text with lines replaced; its way of ending lines stays."""
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.replace("\r\n", "\n").split("\n")
    for one in reversed(found):
        lines[one.start : one.end] = one.lines
    return end.join(lines)


def new_text(part: FilePatch) -> str:
    """Give the text of a file that a patch makes."""
    lines = [text for hunk in part.hunks for text in hunk.side("+")]
    whole = all(hunk.whole for hunk in part.hunks)
    return "\n".join(lines) + ("\n" if lines and whole else "")
