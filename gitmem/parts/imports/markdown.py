"""As much of Markdown and reStructuredText as changelogs and decision records need. Pure."""

import re
from typing import Final, NamedTuple

_ATX: Final = re.compile(r" {0,3}(?P<marks>#{1,6})[ \t]+(?P<title>.*?)(?:[ \t]+#+)?[ \t]*")
_UNDERLINE: Final = re.compile(r"(?P<mark>[=\-~^\"'`*+#.:])(?P=mark){2,}[ \t]*")
_FENCE: Final = re.compile(r" {0,3}(?P<marks>```+|~~~+)")
_ITEM: Final = re.compile(r"(?P<indent>\s*)(?:[*+-]|\d{1,3}[.)])[ \t]+(?P<text>.*)")
_LINK: Final = re.compile(r"!?\[(?P<text>[^\]]{0,500})\](?:\([^)]{0,1000}\)|\[[^\]]{0,500}\])?")
_RST_LINK: Final = re.compile(r"`(?P<text>[^`<]{1,300})<[^>`]{0,500}>`__?")
_ROLE: Final = re.compile(r":[a-z:]+:`(?P<text>[^`]*)`")


class MarkdownSection(NamedTuple):
    """A heading and the text up to the next one.

    Attributes:
        level: 1 for the topmost; 0 for what comes before any heading.
        title: the heading.
        text: what stands below it.
        line: number of the heading's line, from 1.

    """

    level: int
    title: str
    text: str
    line: int


def sections(text: str) -> list[MarkdownSection]:
    """Cut a text at its headings, be they marked, underlined, or between two lines."""
    lines = _without_comments(text).split("\n")
    ranks: list[str] = []
    headings: list[tuple[int, str, int, int, int]] = [
        (0, "", 0, 0, 0)
    ]  # level, title, line, from, to
    fence = ""
    at = 0
    while at < len(lines):
        line = lines[at]
        if mark := _FENCE.match(line):
            fence = "" if fence and line.strip().startswith(fence) else fence or mark["marks"]
        elif not fence:
            heading = _heading(lines, at, ranks)
            if heading:
                level, title, used = heading
                headings[-1] = (*headings[-1][:4], at)
                headings.append((level, title, at + 1, at + used, 0))
                at += used
                continue
        at += 1
    headings[-1] = (*headings[-1][:4], len(lines))
    return [
        MarkdownSection(level, title, "\n".join(lines[start:end]).strip("\n"), line)
        for level, title, line, start, end in headings
        if title or any(map(str.strip, lines[start:end]))
    ]


def _without_comments(text: str) -> str:
    """Take comments out; the lines stay as many."""
    pieces, at = [], 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start)) >= 0:
        pieces += [text[at:start], "\n" * text.count("\n", start, end)]
        at = end + 3
    return "".join((*pieces, text[at:]))


def _heading(lines: list[str], at: int, ranks: list[str]) -> tuple[int, str, int] | None:
    """Read the heading that begins on a line: its level, its title, the lines it takes."""
    line = lines[at]
    if match := _ATX.fullmatch(line):
        return len(match["marks"]), match["title"], 1
    below = lines[at + 1] if at + 1 < len(lines) else ""
    over = _UNDERLINE.fullmatch(line)
    if over and below.strip() and at + 2 < len(lines) and lines[at + 2].strip() == line.strip():
        return _rank(over["mark"] * 2, ranks), below.strip(), 3
    under = _UNDERLINE.fullmatch(below)
    fits = under and line.strip() and not line.startswith((" ", "\t", "-", "*", ">", "|"))
    if under and fits and len(below.strip()) >= min(len(line.strip()), 3):
        paragraph = at > 0 and lines[at - 1].strip() and under["mark"] in "-="
        return None if paragraph else (_rank(under["mark"], ranks), line.strip(), 2)
    return None


def _rank(mark: str, ranks: list[str]) -> int:
    if mark not in ranks:
        ranks.append(mark)
    return ranks.index(mark) + 1


def items(text: str) -> list[str]:
    """Give the topmost entries of the lists in a text, each with what is indented below it."""
    found_items: list[list[str]] = []
    base: int | None = None
    for line in text.split("\n"):
        match = _ITEM.match(line)
        width = len(line) - len(line.lstrip())
        if match and (base is None or width <= base):
            base = width
            found_items.append([match["text"]])
        elif found_items and line.strip() and (width > (base or 0) or found_items[-1][-1].strip()):
            found_items[-1].append(line.strip())
        elif found_items:
            found_items[-1].append("")
    return ["\n".join(lines).strip() for lines in found_items if "\n".join(lines).strip()]


def plain(text: str) -> str:
    """Give a line without marks: links by their words, no emphasis, no code marks."""
    text = _ROLE.sub(
        lambda match: match["text"], _RST_LINK.sub(lambda match: match["text"].rstrip(), text)
    )
    text = _LINK.sub(lambda match: match["text"], text)
    text = re.sub(r"(\*\*|__|``?)(.+?)\1", r"\2", text)
    text = re.sub(r"(?<!\w)([*_])([^*_]+)\1(?!\w)", r"\2", text)
    return " ".join(text.split())
