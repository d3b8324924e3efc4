"""What several parsers need: make one finding, read numbers, follow indented lines."""

from collections.abc import Sequence

from gitmem.output.failure import Failure, ParserResult, excerpt


def one(failure: Failure, lines: Sequence[str], start: int, end: int) -> ParserResult:
    """Give a single failure that was read from the lines ``start`` up to ``end``."""
    return ParserResult((failure._replace(excerpt=excerpt(lines, start, end)),), start, end)


def passed_over(start: int, end: int) -> ParserResult:
    """Say that these lines hold nothing worth telling."""
    return ParserResult((), start, end)


def number(text: str | None) -> int | None:
    """Read a line or column; what is no number is None."""
    return int(text) if text and text.isdecimal() else None


def blank(line: str) -> bool:
    """Tell a line without a word."""
    return not line.strip()


def indented(lines: Sequence[str], at: int, most: int) -> int:
    """Find the end of the lines that are indented, from ``at`` on."""
    end = min(len(lines), at + most)
    while at < end and lines[at][:1] in (" ", "\t") and lines[at].strip():
        at += 1
    return at
