r"""From bytes in pieces to clean lines in blocks: the same blocks, however it was cut.

A line ends at ``\n``, ``\r\n`` or ``\r``: a progress bar that rewrites its line becomes
many lines, and an error that it would have hidden is still seen. Lines are cut at
``LINE_LIMIT``, blocks end at the first line that is complete after ``BLOCK`` characters, so
memory is bounded and nothing depends on how the stream was delivered.
"""

import codecs
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.matching.registry import searched

LINE_LIMIT: Final = 16_384
BLOCK: Final = 262_144

_ESCAPES: Final = lazily(
    r"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|[\]_^PX][^\x07\x1b\n]{0,2048}"
    r"(?:\x07|\x1b\\)|[()][0-9A-B]|[ -~])"
)
# Back to the first columns of the line: what comes is written over it, and is read as the next.
_COLUMN: Final = lazily(r"\x1b\[[12]?G")
_OVERSTRUCK: Final = lazily(r".\x08|[\x00\x08\x07]")
# What build services and containers put before each line: a time, a step, a service.
_PREFIX: Final = (
    lazily(
        r"^\d{4}-\d\d-\d\dT[\d:.]{8,18}Z(?: (?:\d\d[OE](?:[ +]|$))?+|$)"
        r"(?!\W{0,2}(?:[Ii]nfo|INFO|[Dd]ebug|DEBUG|[Nn]otice|NOTICE|[Tt]race|TRACE|err|std\w{3})\b"
        r"|[(\[][IDNT][)\]] )",
        re.MULTILINE,
    ),
    lazily(r"^#\d{1,4} (?:\d{1,6}\.\d{1,4} )?", re.MULTILINE),
    lazily(r"^[A-Za-z][\w.-]{0,60}[-_]\d{1,3} +\| ?", re.MULTILINE),
)

_MOST_SHAPES: Final = 4_096
# Of a short id such as ac13 the letters before the first digit stay: so it takes one pass.
_VARIES: Final = lazily(r"[0-9]\w*|(?<!\w)[a-f][0-9a-f]{7,}(?!\w)")


def clean(text: str) -> str:
    """Take away colours, overstruck characters and the prefix that every line bears."""
    if "\x1b" in text:
        text = _ESCAPES.sub("", _COLUMN.sub("\n", text))
    if "\x00" in text or "\x08" in text or "\x07" in text:
        text = _OVERSTRUCK.sub("", text)
    for prefix in _PREFIX:
        if prefix.match(text) and _everywhere(text, prefix):
            text = prefix.sub("", text)
    return text


def _everywhere(text: str, prefix: re.Pattern[str]) -> bool:
    """Tell whether most of the first lines bear the prefix; a single one may be a coincidence."""
    lines = [line for line in text[:8_192].split("\n")[:9] if line][:8]
    return sum(1 for line in lines if prefix.match(line)) * 2 > len(lines)


class Blocks:
    """Cut a stream of bytes or text into blocks of whole lines."""

    def __init__(self) -> None:
        self._decoder: codecs.IncrementalDecoder | None = None
        self._head = b""
        self._return = False  # a \r came last: a \n now belongs to it
        self._line = ""  # the line that has not ended yet, cut at LINE_LIMIT
        self._parts: list[str] = []  # whole lines of the block that is not full yet
        self._size = 0

    def feed(self, data: bytes | str) -> Iterator[str]:
        """Take a piece; give the blocks that are full."""
        text = data if isinstance(data, str) else self._decode(data)
        if self._return and text:
            text = "\r" + text
            self._return = False
        if text.endswith("\r"):
            text = text[:-1]
            self._return = True
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        for at in range(0, len(text), LINE_LIMIT):
            yield from self._piece(text[at : at + LINE_LIMIT])

    def close(self) -> Iterator[str]:
        """Give what is left."""
        rest = self._decoder.decode(b"", final=True) if self._decoder else self._start(self._head)
        yield from self.feed(rest)
        if self._return:
            self._return = False
            yield from self._piece("\n")
        last = "".join(self._parts) + self._line
        if last:
            yield clean(last)
        self._parts, self._line, self._size = [], "", 0

    def _decode(self, data: bytes) -> str:
        if self._decoder:
            return self._decoder.decode(data)
        self._head += data
        if len(self._head) < 4:  # noqa: PLR2004  a byte order mark may still be incomplete
            return ""
        head, self._head = self._head, b""
        return self._start(head)

    def _start(self, head: bytes) -> str:
        wide = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        name = "utf-16" if wide else "utf-8-sig"
        self._decoder = codecs.getincrementaldecoder(name)(errors="replace")
        return self._decoder.decode(head)

    def _piece(self, piece: str) -> Iterator[str]:
        """Add a piece no longer than a line may be."""
        first = piece.find("\n")
        if first < 0:
            self._line = (self._line + piece)[:LINE_LIMIT]
            return
        last = piece.rfind("\n") + 1
        whole = (self._line + piece[:first])[:LINE_LIMIT] + piece[first:last]
        self._line = piece[last:]
        self._parts.append(whole)
        self._size += len(whole)
        if self._size >= BLOCK:
            yield from self._full()

    def _full(self) -> Iterator[str]:
        text = "".join(self._parts)
        while len(text) >= BLOCK:
            end = text.find("\n", BLOCK - 1) + 1
            if not end:
                break
            yield clean(text[:end])
            text = text[end:]
        self._parts, self._size = ([text] if text else []), len(text)


class TextBlock:
    """A block of cleaned text; its lines are cut only when somebody wants them."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def lines(self) -> list[str]:
        """The lines, without their ends."""
        lines = self.text.split("\n")
        if not lines[-1]:
            lines.pop()
        return lines

    @cached_property
    def count(self) -> int:
        """How many lines there are."""
        return self.text.count("\n") + (not self.text.endswith("\n"))

    def hot(self) -> list[int]:
        """Give the numbers of the lines that hold a stem."""
        return searched().lines_in(self.text)


class BarrenLines:
    """What lines without a failure look like, and lines around them: of those alike one is read."""

    def __init__(self) -> None:
        self._beside: dict[str, set[tuple[str, ...]]] = {}
        self._count = 0

    def has(self, lines: Sequence[str], at: int) -> bool:
        """Tell whether one like a line was added."""
        beside = self._beside.get(_VARIES.sub("", lines[at]))
        return beside is not None and _begin_around(lines, at) in beside

    def add(self, lines: Sequence[str], at: int) -> None:
        """Add a line, as long as there are not too many."""
        if self._count < _MOST_SHAPES:
            self._count += 1
            beside = self._beside.setdefault(_VARIES.sub("", lines[at]), set())
            beside.add(_begin_around(lines, at))


def _begin_around(lines: Sequence[str], at: int) -> tuple[str, ...]:
    beside = (lines[at - 1] if at else "", lines[at + 1] if at + 1 < len(lines) else "")
    return tuple(_VARIES.sub("", line[:24])[:8] for line in beside)
