"""Pieces of a text that are secrets: what they are, joined where they overlap, cut at line ends."""

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
