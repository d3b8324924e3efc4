"""Text for terminals and job logs: safe, fitted to the width, calmly coloured or plain.

What comes out of a record is data of somebody else's. Control characters, escape sequences
and invisible or bidirectional marks never reach the terminal.

GitHub, Azure, TeamCity, Buildkite and others read commands out of what a job prints, on both
streams. What records, names and messages say is changed for them here; what a watched command
prints itself is passed on as it is.
"""

import re
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily

# Code points that never stand for a character: the last two of each plane, and 32 more.
_NONE: Final = "\ufdd0-\ufdef" + "".join(
    chr(at) for p in range(17) for at in (p << 16 | 0xFFFE, p << 16 | 0xFFFF)
)
# Compiled when a text needs it, which few do: 0.5 ms. Half a pair stands for a byte that is no
# UTF-8, and is written as that byte where the locale is C: a sign of eight bits for terminals.
_UNSAFE: Final = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb"
    f"\U000e0000-\U000e0fff{_NONE}]"
)
_CODES: Final = {
    "bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "cyan": "36",
}  # fmt: skip
STATUS_COLOURS: Final = {
    "open": "yellow", "regressed": "red", "resolved": "green", "duplicate": "dim",
    "resolved (claimed)": "green",
    "worked": "green", "claimed": "green", "failed": "red", "did not hold": "red",
    "partial": "yellow", "unverified": "dim",
    "accepted": "green", "superseded": "dim", "rejected": "red", "deprecated": "dim",
    "passed": "green", "proposed": "yellow", "succeeded": "green", "ended": "dim",
    "error": "red", "warning": "yellow", "info": "dim",
}  # fmt: skip


# Ends of lines, and the colours that we paint with ourselves.
_OURS: Final = r"(?!\r\n|\x1b\[(?:[0-2]|3[1-6])(?:;(?:[0-2]|3[1-6])){0,3}m)"

Part = tuple[str, tuple[str, ...]]
"""A text, and the styles it is painted with."""
HANG: Final = 12
"""Columns of an outcome and the gap behind it."""
_READABLE: Final = 20
_LEAST: Final = 8
"""Columns in which something can be read: a narrower terminal breaks lines itself."""


def safe(text: str) -> str:
    """Replace what could act on a terminal or hide text by a visible mark."""
    if text.isascii() and text.isprintable():
        return text
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", "    ")
    return re.sub(_UNSAFE, "\ufffd", plain)


def written_out(text: str, write: Callable[[str], str]) -> str:
    """Write each sign that could act on a terminal or hide text as ``write`` says."""
    return re.sub(_UNSAFE, lambda sign: write(sign[0]), text)


def painted(text: str) -> str:
    """Replace what could act on a terminal, but for the colours that ``Painter`` paints."""
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return re.sub(_OURS + _UNSAFE, "\ufffd", text)


def one_line(text: str) -> str:
    """Fold text into one safe line."""
    return safe(" ".join(text.split()))


def first_paragraph(text: str) -> str:
    """Give the first paragraph in one safe line: of a commit message its subject; … for more."""
    first, _, more = text.strip().partition("\n\n")
    return one_line(first) + (" …" if more else "")


def width_of(text: str) -> int:
    """Count terminal columns: wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    import unicodedata

    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


def cut(text: str, columns: int) -> str:
    """Shorten text to ``columns`` terminal columns, with an ellipsis where something is lost."""
    if columns <= 0 or width_of(text) <= columns:
        return text
    chars: list[str] = []
    used = 1
    for char in text:
        used += width_of(char)
        if used > columns:
            break
        chars.append(char)
    return "".join(chars).rstrip() + "…"


def _folded(text: str, first: int, room: int) -> list[str]:
    """Break a text at blanks: ``first`` columns for the first line, ``room`` for the others.

    The first line is empty where not even a word has room on it. Longer words are broken.
    """
    lines = [""]
    left = first
    for word in text.split(" "):
        gap = 1 if lines[-1] else 0
        if width_of(word) + gap <= left:
            lines[-1] += " " * gap + word
            left -= width_of(word) + gap
            continue
        if lines[-1] or left < room:
            lines.append("")
        rest = word
        while width_of(rest) > room:
            piece = cut(rest, room + 1)[:-1] or rest[0]
            lines[-1] = piece
            lines.append("")
            rest = rest[len(piece) :]
        lines[-1] = rest
        left = room - width_of(rest)
    return lines


class Painter(NamedTuple):
    """How to write: with colour or without, and how wide (0: no limit, as in a pipe)."""

    colour: bool = False
    width: int = 0

    def paint(self, text: str, *styles: str) -> str:
        """Colour text, if colour is wanted."""
        codes = ";".join(_CODES[style] for style in styles if style)
        return f"\x1b[{codes}m{text}\x1b[0m" if self.colour and codes and text else text

    def status(self, status: str) -> str:
        """Colour a status by its meaning."""
        return self.paint(status, STATUS_COLOURS.get(status, ""))

    def line(self, indent: int, parts: Iterable[Part], tail: Part = ("", ())) -> str:
        """Join (text, styles) parts with two blanks, cut to the width; colour comes last.

        Args:
            indent: blanks before them.
            parts: the parts; the last of them gives way first.
            tail: stands behind them and is not lost: it has half of the width at least.

        """
        if tail[0]:
            return self._with_tail(indent, list(parts), tail)
        if not (self.colour or self.width):  # as in a pipe: a long list is most of the work
            return " " * indent + "  ".join([text for text, _ in parts if text])
        left = self.width - indent if self.width else 0
        written: list[str] = []
        for text, styles in parts:
            if not text:
                continue
            if self.width:
                if left < 4 and written:  # noqa: PLR2004  nothing readable fits any more
                    break
                text = cut(text, max(left, 4))  # noqa: PLW2901
                left -= width_of(text) + 2
            written.append(self.paint(text, *styles))
        return " " * indent + "  ".join(written)

    def _with_tail(self, indent: int, parts: list[Part], tail: Part) -> str:
        # Without width there is room for all, and on a narrow terminal for one of both.
        if self.width - indent < 2 * _READABLE + 2:
            return self.line(indent, [*parts, tail])
        text = cut(tail[0], max((self.width - indent) // 2, _READABLE))
        left = max(self.width - width_of(text) - 2, indent + _READABLE)
        return f"{self._replace(width=left).line(indent, parts)}  {self.paint(text, *tail[1])}"

    def block(self, indent: int, parts: Iterable[Part], hang: int = 0) -> list[str]:
        """Join parts as ``line`` does; what has no room goes on below, and nothing is cut.

        A part that fits on a line of its own is not broken.

        Args:
            indent: blanks before the first line.
            parts: the parts.
            hang: how many blanks more stand before the lines below it.

        """
        if not self.width:
            return [self.line(indent, parts)]
        left = max(max(self.width, _READABLE) - indent, _LEAST)
        # On a narrow terminal what goes on begins further left: words need the room more.
        hang = min(hang, max(left - _READABLE, 0))
        room = left - hang
        lines: list[list[str]] = [[]]
        for text, styles in parts:
            if not text:
                continue
            columns = width_of(text)
            if lines[-1] and left < columns <= room:
                lines.append([])
                left = room
            first, *rest = _folded(text, left, room)
            if first:
                lines[-1].append(self.paint(first, *styles))
            lines += [[self.paint(part, *styles)] for part in rest]
            left = room - width_of(rest[-1]) if rest else left - width_of(first)
            left -= 2
        below = " " * (indent + hang)
        return [
            (below if number else " " * indent) + "  ".join(line)
            for number, line in enumerate(line for line in lines if line)
        ]


def table(rows: list[tuple[str, ...]], gap: int = 2) -> list[str]:
    """Align plain columns to the left."""
    if not rows:
        return []
    widths = [max(width_of(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "".join(
            cell + " " * (width - width_of(cell) + gap)
            for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    ]


_MARK: Final = "\ufffd"
# Azure, and GitHub by its older form, obey anywhere in a line; TeamCity behind anything but text;
# GitLab and Travis where their signs for the ends of a section stand.
_ANYWHERE: Final = lazily(
    r"#(?=#(?:vso|teamcity|gitlab)?\[)|#(?=#[a-zA-Z][\w.-]{0,40}\[)"
    r"|s(?=ection_(?:start|end):\d)|:(?<=fold:|time:)(?=start:|end:)"
)
# What is obeyed at the beginning of a line; colours and blanks do not count. Buildkite folds behind
# headings, which a diff has, too; systemd, Nix, LUCI and Treeherder have signs of their own.
_LEADING: Final = lazily(
    r"(?im:^)((?:[\s\ufeff]|\x1b\[[0-9;]*m)*)"
    r"(?::(?=:\s*[a-z])|s(?=ection_(?:start|end):)|t(?=ravis_(?:fold|time):)"
    r"|~(?=~~ )|\^(?=\^\^ \+)|-(?=-- (?!\"?[abciow]/|/dev/null))"
    r"|\+(?=\+\+ (?!\"?[abciow]/|/dev/null))|<(?=[0-7]>)|@(?=nix \{)|@(?=@@[A-Z_]+)"
    r"|T(?=inderboxPrint:)|P(?=ERFHERDER_DATA:))"
)
_SIGNS_ANYWHERE: Final = ("##", "section_", "fold:", "time:")
_SIGNS: Final = (
    *_SIGNS_ANYWHERE, "::", "travis_", "~~~ ", "^^^ ", "--- ", "+++ ", "<",
    "@nix", "@@@", "print:", "herder_data:",
)  # fmt: skip


def as_text(text: str) -> str:
    """Change the first sign of what a terminal or a job's log would obey, and nothing else."""
    text = painted(text)
    if not any(sign in text.lower() for sign in _SIGNS):
        return text
    return _LEADING.sub(rf"\1{_MARK}", _ANYWHERE.sub(_MARK, text))


def as_json(document: str) -> str:
    """Do the same for JSON, whose value stays what it was."""
    if not any(sign in document.lower() for sign in _SIGNS_ANYWHERE):
        return document
    return _ANYWHERE.sub(lambda sign: f"\\u{ord(sign[0]):04x}", document)
