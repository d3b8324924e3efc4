r"""How secrets are looked for in a long text, and the pieces of it that are some.

A text is searched in blocks, with an allowance of looks. A sign that is written as others is no
part of a name or of a token beside it: of ``"begun\npassword=…"`` the name is no ``npassword``.
So lines with ``\n``, ``%3D`` and the like are read once more.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from gitmem.lazy_pattern import lazily
from gitmem.redaction.plausible import is_words


class SecretSpan(NamedTuple):
    """A piece of a text that has to go.

    Attributes:
        start: where it begins.
        end: where it ends.
        kind: what it is, as in ``<redacted:kind>``.
        secret: what the label's number goes by; the same secret has the same label.
        hint: how it was recognised, without a part of it.
        told: whether it is a finding of its own; the further lines of a key are not.

    """

    start: int
    end: int
    kind: str
    secret: str
    hint: str
    told: bool = True


class SecretFinding(NamedTuple):
    """A secret that was found, told without the secret.

    Attributes:
        kind: what it is, as in ``<redacted:kind>``.
        line: its line in the text that was given, from 1.
        column: its first character in that line, from 1.
        length: how many characters it has.
        hint: how it was recognised.

    """

    kind: str
    line: int
    column: int
    length: int
    hint: str


class Redacted(NamedTuple):
    """A text without its secrets, and what they were."""

    text: str
    found: tuple[SecretFinding, ...]


_DIFF: Final = lazily(r"^@@ -\d", re.MULTILINE)
# What a form or a place says is more telling than a name beside it.
_LAST: Final = ("secret", "token", "password")
_LEAST_REPEATED: Final = 8
_LEAST_INSIDE: Final = 16
_MOST_REPEATED: Final = 64


def merged(spans: Iterable[SecretSpan], text: str) -> list[SecretSpan]:
    """Put spans in order and join those that overlap, under the more telling kind."""
    joined: list[SecretSpan] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not joined or span.start >= joined[-1].end:
            joined.append(span)
            continue
        before = joined[-1]
        end = max(before.end, span.end)
        first = span if _rank(span) > _rank(before) else before
        same = first.start == before.start and first.end == end
        secret = first.secret if same else text[before.start : end]
        joined[-1] = first._replace(
            start=before.start, end=end, secret=secret, told=before.told or span.told
        )
    return joined


def _rank(span: SecretSpan) -> int:
    return -1 - _LAST.index(span.kind) if span.kind in _LAST else 0


def inside_lines(text: str, spans: Iterable[SecretSpan]) -> Iterator[SecretSpan]:
    """Cut spans at line ends, and off the first column of a diff."""
    is_diff: bool | None = None
    for span in spans:
        first_told, at = span.told, span.start
        for piece in text[span.start : span.end].split("\n"):
            start, end = at, at + len(piece)
            at = end + 1
            if piece and piece[0] in "+- " and (not start or text[start - 1] == "\n"):
                if is_diff is None:
                    is_diff = _DIFF.search(text) is not None
                start += is_diff
            if start < end:
                yield span._replace(start=start, end=end, told=first_told)
                first_told = False


def repeats(text: str, spans: Iterable[SecretSpan], stop: int) -> Iterator[SecretSpan]:
    """Find where a secret that was recognised by its place stands once more, in no such place."""
    secrets: dict[str, SecretSpan] = {}
    for span in spans:
        secret = text[span.start : span.end]
        plain = len(secret) < _LEAST_REPEATED or (len(secret) < _LEAST_INSIDE and is_words(secret))
        if not plain and len(secrets) < _MOST_REPEATED:
            secrets.setdefault(secret, span)
    for secret, span in secrets.items():
        at = 0
        while (at := text.find(secret, at, stop)) >= 0:
            end = at + len(secret)
            joined = text[at - 1 : at].isalnum() or text[end : end + 1].isalnum()
            if len(secret) >= _LEAST_INSIDE or not joined:
                yield span._replace(start=at, end=end)
            at = end


BLOCK: Final = 65_536
_OVERLAP: Final = 1_024
_LONGEST_WORD: Final = 4_096
_LOOKS: Final = 64
_FLAT: Final = 1_000_000
# Each begins with its sign, which is searched for many times faster than one of several. Ends of
# lines and tabs only count where a word follows.
_ESCAPES: Final = (
    lazily(
        r"\\\\{0,3}(?:(?P<sign>[nrt](?=[\w.$-])|/)|(?:u00|x)(?P<hex>[0-7][0-9A-Fa-f])"
        r"|(?:u001[bB]|x1[bB]|033|e)\[[0-9;]{0,12}m)"
    ),
    lazily(r"%(?:25){0,2}(?P<hex>[2-7][0-9A-Fa-f]|0[9AaDd])"),
    lazily(r"&(?:(?P<name>amp|quot|apos|lt|gt)|#(?P<number>[0-9]{1,3}));"),
)
_SIGNS: Final = {"n": "\n", "r": "\n", "t": "\t", "/": "/"}
_NAMES: Final = {"amp": "&", "quot": '"', "apos": "'", "lt": "<", "gt": ">"}


class OverBudget(Exception):  # noqa: N818  a state, not a fault
    """A block costs more looks than it may."""


class ScanBudget:
    """The looks at characters that a block of text may still cost."""

    def __init__(self, characters: int) -> None:
        self._left = _LOOKS * characters + _FLAT

    def spend(self, characters: int) -> None:
        """Count so many looks; raise OverBudget if there are none left."""
        self._left -= characters
        if self._left < 0:
            raise OverBudget


def lowered(text: str) -> str:
    """Lower a text without moving a character of it."""
    low = text.lower()
    # The only letter that is two when it is small.
    return low if len(low) == len(text) else text.replace("\u0130", "i").lower()


def blocks(text: str, stop: int, size: int = BLOCK) -> Iterator[tuple[int, int, int]]:
    """Cut a text into blocks of whole lines.

    Gives where each begins, where to begin to look (a few lines earlier, for what takes more
    than one), and where it ends.
    """
    start = 0
    while start < stop:
        end = text.find("\n", min(start + size, stop), stop) + 1 or stop
        reach = text.rfind("\n", 0, max(0, start - _OVERLAP)) + 1 if start else 0
        yield start, reach if start - reach <= BLOCK else start, end
        start = end


def last_break(text: str, budget: int) -> int:
    """Give the place up to which a text is searched: a line end, or else the end of a word."""
    if len(text) <= budget:
        return len(text)
    budget = max(budget, 0)
    line = text.rfind("\n", budget // 2, budget) + 1
    if line:
        return line
    words = text[max(0, budget - _LONGEST_WORD) : budget]
    word = words.rstrip()
    cut = max(map(word.rfind, " \t\"'"))
    return budget if cut < 0 else budget - len(words) + cut + 1


def escapes(text: str, start: int, end: int) -> Iterator[tuple[SecretSpan, str]]:
    """Give what is read in place of which pieces; nothing if there is no such character.

    Lines without one are read as nothing.

    Args:
        text: the text.
        start: where a line begins.
        end: where one ends.

    """
    pieces = [
        (*match.span(), _meaning(match))
        for escape in _ESCAPES
        for match in escape.finditer(text, start, end)
    ]
    if pieces:
        yield from lines_with(text, start, end, sorted(pieces))


def lines_with(
    text: str, start: int, end: int, pieces: Iterable[tuple[int, int, str]]
) -> Iterator[tuple[SecretSpan, str]]:
    """Give what is read in place of pieces, and nothing in place of the lines without one.

    Args:
        text: the text.
        start: where a line begins.
        end: where one ends.
        pieces: where each begins and ends, and what it means; in order.

    """
    line_end = -1
    for begin, close, meaning in pieces:
        if begin > line_end:
            line = text.rfind("\n", start, begin) + 1 or start
            between = "" if line_end < 0 else "\n"
            yield SecretSpan(max(0, line_end), line, "", "", ""), between
        if begin > line_end or close > line_end:
            line_end = text.find("\n", close, end)
            line_end = end if line_end < 0 else line_end
        yield SecretSpan(begin, close, "", "", ""), meaning
    if line_end >= 0:
        yield SecretSpan(line_end, len(text), "", "", ""), ""


def _meaning(match: re.Match[str]) -> str:
    meant = match.groupdict()
    if sign := meant.get("sign"):
        return _SIGNS[sign]
    if name := meant.get("name"):
        return _NAMES[name]
    if number := meant.get("number"):
        return chr(int(number))
    code = meant.get("hex")
    return chr(int(code, 16)) if code else ""
