"""Private keys between their marks, whole or cut off, line by line so that diffs stay diffs.

The marks are those of RFC 7468 (PEM), RFC 9580 (OpenPGP), OpenSSH and PuTTY. Certificates and
public keys have marks of their own and are left alone.
"""

from collections.abc import Iterator
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.redaction.spans import SecretSpan

_KEY: Final = r"(?:(?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----"
_BEGIN: Final = lazily(rf"-----BEGIN {_KEY}")
_END: Final = lazily(rf"-----END {_KEY}")
_MARKS: Final = ("PRIVATE KEY", "Static key ")
_PUTTY: Final = lazily(r"Private-Lines: {0,2}\d{1,4}")
# A line of such a block: what may stand before it, then base64 or a header, and little else.
_BODY: Final = lazily(
    r"(?P<before>[+\- ]?[ \t>|#*/\"']{0,40})"
    r"(?P<body>[A-Za-z0-9+/=]{1,200}|[A-Z][A-Za-z-]{1,24}: [^\n]{1,120})?"
    r"(?P<after>(?:\\[nr])?[\"'`]?[ \t+,;)\\]{0,8}\r?)(?:\n|\Z)"
)
_RUN: Final = lazily(r"[A-Za-z0-9+/=]{16,}")
_INLINE: Final = lazily(r"(?:[A-Za-z0-9+/=]|\\+[nr])+")
_SIGNS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\\"
_LONGEST_TAIL: Final = 8192
_LONGEST_MARK: Final = 64
_LEAST_LINE: Final = 16
_MOST: Final = 65_536
_KIND: Final = "private-key"
_HINT: Final = "the mark that a private key begins or ends with"


def private_keys(text: str, start: int, end: int) -> Iterator[SecretSpan]:
    """Find the inner lines of private keys; the marks themselves stay."""
    for words in _MARKS:
        yield from _between(text, start, end, words)
    at = start
    while (clue := text.find("Private-Lines:", at, end)) >= 0:
        mark = _PUTTY.match(text, clue, end)
        at = clue + 14
        if mark:
            stop = _reach(text, mark.end(), end)
            yield from _lines(text, mark.end(), stop)
            at = max(at, stop)


def _between(text: str, start: int, end: int, words: str) -> Iterator[SecretSpan]:
    at = start
    while (clue := text.find(words, at, end)) >= 0:
        around = max(at, clue - _LONGEST_MARK), min(end, clue + _LONGEST_MARK)
        at = clue + 11
        if begin := _BEGIN.search(text, *around):
            stop = _end_of(text, begin.end(), end)
            yield from _lines(text, begin.end(), stop)
            at = max(stop, begin.end())
        elif only_end := _END.search(text, *around):
            yield from _before(text, start, only_end.start())
            at = only_end.end()


def _end_of(text: str, at: int, end: int) -> int:
    """Give the place where a key ends that begins at a place."""
    again = text.find("-----BEGIN", at, min(end, at + _MOST))
    close = _END.search(text, at, again if again >= 0 else min(end, at + _MOST))
    if close and _is_mostly_key(text[at : close.start()]):
        return close.start()
    return _reach(text, at, end)


def _is_mostly_key(between: str) -> bool:
    """Tell a key in an unusual dress, as in a log, from code that speaks of both marks."""
    return 2 * sum(map(len, _RUN.findall(between))) >= len("".join(between.split()))


def _reach(text: str, at: int, end: int) -> int:
    """Go forward over the lines of a key whose end is not in the text."""
    inline = _INLINE.match(text, at, end)
    if inline:
        return inline.end()
    newline = text.find("\n", at, min(end, at + 40))
    if newline < 0:
        return at
    begun, at, last, longest = at, newline + 1, min(end, newline + _MOST), 0
    while at < last:
        line = _BODY.match(text, at, end)
        if not line:
            break
        body = line["body"] or ""
        if body and ": " not in body:
            if len(body) + 2 < (longest or _LEAST_LINE):  # the last one; and no word after the key
                return line.end() if longest else begun
            longest = max(longest, len(body))
        at = line.end()
    return at if longest else begun


def _before(text: str, start: int, mark: int) -> Iterator[SecretSpan]:
    """Give the lines of a key before its end, and what stands on the line of the mark itself."""
    line = max(text.rfind("\n", start, mark) + 1, start)
    yield from _lines(text, _back(text, line, start), line)
    before = text[max(line, mark - _LONGEST_TAIL) : mark]
    begin = mark - len(before) + len(before.rstrip(_SIGNS))
    if mark - begin >= _LEAST_LINE:
        yield SecretSpan(begin, mark, _KIND, text[begin:mark], _HINT)


def _back(text: str, at: int, start: int) -> int:
    """Go back over the lines of a key whose beginning is not in the text."""
    least, is_last = max(start, at - _MOST), True
    while at > least:
        before = max(text.rfind("\n", least, at - 1) + 1, least)
        line = _BODY.match(text, before, at)
        body = line["body"] if line and line.end() == at else None
        if not body or ": " in body or (len(body) < _LEAST_LINE and not is_last):
            break
        at, is_last = before, len(body) <= 5  # noqa: PLR2004  OpenPGP's checksum comes after it
    return at


def _lines(text: str, at: int, stop: int) -> Iterator[SecretSpan]:
    """Give what is between two places, as one span a line, without what precedes each line."""
    secret, first_told = text[at:stop], True
    while at < stop:
        newline = text.find("\n", at, stop)
        line_end = newline if newline >= 0 else stop
        begin, close = at, line_end
        if at and text[at - 1] == "\n":
            line = _BODY.match(text, at, min(line_end + 1, len(text)))
            begin = line.start("body") if line and line["body"] else at
            close = line.end("body") if line and line["body"] else line_end
            if not (line and line["body"]):
                begin, close = _without_prefix(text, at, line_end)
        if text[begin:close].strip(" \t\r\"'`,;+\\nr"):
            yield SecretSpan(begin, close, _KIND, secret, _HINT, first_told)
            first_told = False
        at = line_end + 1


def _without_prefix(text: str, begin: int, end: int) -> tuple[int, int]:
    if text[begin : begin + 1] in {"+", "-", " "}:
        begin += 1
    while begin < end and text[begin] in " \t\"'>|#*":
        begin += 1
    while end > begin and text[end - 1] in " \t\r\"'`,;\\":
        end -= 1
    return begin, end
