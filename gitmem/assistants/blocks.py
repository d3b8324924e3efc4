"""Our lines between two marks in a text file: insert, update and remove them."""

import re
from typing import Final, NamedTuple

from gitmem.errors import InvalidError


class Marks(NamedTuple):
    """The lines before and after ours."""

    begin: str
    end: str


MARKDOWN: Final = Marks("<!-- >>> gitmem >>> -->", "<!-- <<< gitmem <<< -->")
TOML: Final = Marks("# >>> gitmem >>>", "# <<< gitmem <<<")


def body(text: str, marks: Marks) -> str | None:
    """Give our lines, joined by line feeds; None if there are none.

    Raises:
        InvalidError: a mark is there without the other, or twice.

    """
    span = _span(text, marks)
    if span is None:
        return None
    return "\n".join(text[slice(*span)].splitlines()[1:-1])


def put(text: str, lines: str, marks: Marks) -> str:
    """Put lines at the end, or in the place of those that are there.

    Args:
        text: of the file.
        lines: ours, joined by line feeds.
        marks: what stands before and after them.

    Raises:
        InvalidError: a mark is there without the other, or twice.

    """
    newline = _newline(text)
    block = newline.join([marks.begin, *lines.split("\n"), marks.end])
    span = _span(text, marks)
    if span:
        return text[: span[0]] + block + text[span[1] :]
    if not text:
        return block
    # Whether the last line was ended shows afterwards, too.
    if text.endswith("\n"):
        return text + newline + block + newline
    return text + newline * 2 + block


def whole(lines: str, marks: Marks) -> str:
    """Write a file that holds nothing but our lines."""
    return put("", lines, marks) + "\n"


def without_block(text: str, lines: str, marks: Marks) -> str:
    """Take our lines out; where nothing else was changed, the text is as it was before ``put``.

    Raises:
        InvalidError: a mark is there without the other, or twice.

    """
    if _span(text, marks) is None:
        return text
    now = put(text, lines, marks)
    first, last = _span(now, marks) or (0, 0)
    newline = _newline(now)
    for before in ("", newline, newline * 2):
        for after in ("", newline):
            if now[:first].endswith(before) and now[last:] == after:
                candidate = now[: first - len(before)]
                if put(candidate, lines, marks) == now:
                    return candidate
    head, tail = now[:first], now[last:]
    if tail.startswith(("\n", "\r\n")):
        tail = tail.partition("\n")[2]
    if head.endswith(newline * 2):
        head = head[: -len(newline)]
    return head + tail


def _newline(text: str) -> str:
    first = text.partition("\n")[0]  # at its end, a lone one would become one with ours
    return "\r\n" if first.endswith("\r") else "\n"


def _span(text: str, marks: Marks) -> tuple[int, int] | None:
    """Find our block, without the end of its last line."""
    begins = _lines(text, marks.begin)
    ends = _lines(text, marks.end)
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or begins[0].start() > ends[0].start():
        at = (begins or ends)[-1].start()
        line = text.count("\n", 0, at) + 1
        raise InvalidError(f"line {line}: gitmem's marks are not one pair")
    return begins[0].start(), ends[0].end()


def _lines(text: str, mark: str) -> "list[re.Match[str]]":
    return list(re.finditer(rf"^{re.escape(mark)}(?=[ \t]*\r?$)", text, re.MULTILINE))
