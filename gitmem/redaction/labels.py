"""Labels in place of secrets: which one a secret gets, and the text with the labels in it."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final, NamedTuple

from gitmem.redaction.found import SecretSpan
from gitmem.redaction.lazily import lazily

_LABEL: Final = lazily(r"<redacted:([a-z][a-z0-9-]{0,40})(?::(\d{1,6}))?>")


class SecretLabels:
    """The labels of one text or record: the same for the same secret, another for another."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str], int] = {}
        self._last: dict[str, int] = {}

    def reserve(self, text: str) -> None:
        """Keep clear of labels that stand in a text already, from an earlier redaction."""
        if "<redacted:" in text:
            for label in _LABEL.finditer(text):
                self._last[label[1]] = max(self._last.get(label[1], 0), int(label[2] or 1))

    def of(self, kind: str, secret: str) -> str:
        """Give the label of a secret."""
        number = self._numbers.get((kind, secret))
        if number is None:
            number = self._numbers[kind, secret] = self._last[kind] = self._last.get(kind, 0) + 1
        return f"<redacted:{kind}>" if number == 1 else f"<redacted:{kind}:{number}>"

    def apply(self, text: str, spans: Sequence[SecretSpan]) -> str:
        """Give the text with labels in place of the spans, which are in order and apart."""
        return render(text, spans, [self.of(span.kind, span.secret) for span in spans]).text


class Rendered(NamedTuple):
    """A text with labels, and the way back from it to the original.

    Attributes:
        text: with labels.
        starts: where each piece of it begins, text and labels by turns.
        origins: where each piece lies in the original: start and end.

    """

    text: str
    starts: list[int]
    origins: list[tuple[int, int]]

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Give the place in the original of a place in the text; labels count as a whole."""
        first, last = bisect_right(self.starts, start) - 1, bisect_right(self.starts, end - 1) - 1
        begin, close = self.origins[first][0], self.origins[last][1]
        if first % 2 == 0:
            begin += start - self.starts[first]
        if last % 2 == 0:
            close = self.origins[last][0] + end - self.starts[last]
        return begin, close


def render(text: str, spans: Sequence[SecretSpan], labels: Sequence[str]) -> Rendered:
    """Put labels in place of spans."""
    parts: list[str] = []
    starts: list[int] = []
    origins: list[tuple[int, int]] = []
    at = size = 0
    for span, label in zip(spans, labels, strict=True):
        for piece, origin in (
            (text[at : span.start], (at, span.start)),
            (label, (span.start, span.end)),
        ):
            parts.append(piece)
            starts.append(size)
            origins.append(origin)
            size += len(piece)
        at = span.end
    parts.append(text[at:])
    starts.append(size)
    origins.append((at, len(text)))
    return Rendered("".join(parts), starts, origins)
