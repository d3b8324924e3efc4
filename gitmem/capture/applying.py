"""Applying a stored patch to texts as they are today. Pure.

A hunk goes where its old lines stand: at its place, or elsewhere if that can only be one place.
Up to two lines of context at its ends may have changed since. Anything less sure is refused.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gitmem.diffs import FileDiff, Hunk, read_files

FUZZ: Final = 2


class PatchRefusedError(ValueError):
    """The patch can't be applied here; the message says why."""


class Splice(NamedTuple):
    """Lines ``start`` up to ``end`` (from 0, end excluded) are replaced by ``lines``."""

    start: int
    end: int
    lines: tuple[str, ...]


def read_patch(text: str) -> list[FileDiff]:
    """Read a unified diff, file by file; lines end with a newline alone.

    Raises:
        PatchRefusedError: it is binary, was cut, or is no diff.

    """
    files = read_files(text.replace("\r\n", "\n"))
    if not files:
        raise PatchRefusedError("the patch is empty")
    for file in files:
        check(file)
    return files


def check(file: FileDiff) -> None:
    """Refuse what is done to one file if it is not shown whole.

    Raises:
        PatchRefusedError: it is binary, was cut, or names no file.

    """
    if file.cut:
        raise PatchRefusedError("the patch was cut because it was too long")
    if file.header.binary:
        raise PatchRefusedError("the patch changes a binary file")
    if file.header.combined:
        raise PatchRefusedError("the patch is of a merge commit")
    if not file.path:
        raise PatchRefusedError("a part of the patch names no file")
    if not all(hunk.whole for hunk in file.hunks):
        raise PatchRefusedError("the patch is damaged: its line counts are wrong")


def splices(text: str, hunks: Sequence[Hunk], fuzz: int = FUZZ) -> list[Splice]:
    """Find where the hunks of a file go in its text; an empty list: it is all there already.

    Args:
        text: the file's, as it is now.
        hunks: of this file.
        fuzz: lines of context at the ends of a hunk that may have changed since.

    Raises:
        PatchRefusedError: a hunk has no place, or more than one.

    """
    lines = text.replace("\r\n", "\n").split("\n")
    splices: list[Splice] = []
    there = 0
    floor = offset = 0
    for number, hunk in enumerate(hunks, 1):
        wanted = hunk.start + offset
        at = _place(lines, hunk.side("-"), wanted, floor)
        trimmed = hunk
        if at is None and _place(lines, hunk.side("+"), wanted, floor) is not None:
            there += 1
            continue
        for lines_off in range(1, fuzz + 1):
            if at is None:
                trimmed = _trimmed(hunk, lines_off)
                at = _place(lines, trimmed.side("-"), trimmed.start + offset, floor, sure=True)
        if at is None:
            raise PatchRefusedError(f"changed place {number} of {len(hunks)} is not in the text")
        splices += _splices(trimmed, at)
        floor = at + len(trimmed.side("-"))
        offset = at - trimmed.start
    if there and splices:
        raise PatchRefusedError("a part of the patch is already applied")
    return splices


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
    return hunk._replace(old_start=hunk.old_start + head, lines=tuple(body))


def _splices(hunk: Hunk, at: int) -> list[Splice]:
    """Cut a hunk into its runs of changed lines."""
    runs: list[Splice] = []
    start = end = at
    added: list[str] = []
    for sign, text in (*hunk.lines, (" ", "")):
        if sign == "-":
            end += 1
        elif sign == "+":
            added.append(text)
        else:
            if end > start or added:
                runs.append(Splice(start, end, tuple(added)))
            start = end = end + 1
            added = []
    return runs


def patched(text: str, splices: Sequence[Splice]) -> str:
    """Give a text with lines replaced; its way of ending lines stays."""
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.replace("\r\n", "\n").split("\n")
    for splice in reversed(splices):
        lines[splice.start : splice.end] = splice.lines
    return end.join(lines)


def new_text(part: FileDiff) -> str:
    """Give the text of a file that a patch makes."""
    lines = [text for hunk in part.hunks for text in hunk.side("+")]
    whole = all(hunk.new_ends for hunk in part.hunks)
    return "\n".join(lines) + ("\n" if lines and whole else "")
