"""Names of files that begin with what somebody put before the line.

A reader takes all that stands before a place for a file. Of ``>   c.proto:6:3`` it then names a
file that nobody has, which no editor opens. What such a name begins with is told from a folder by
its form; a plain word is told by the lines around it. Where neither tells, no place is named.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from gitmem.lazy_pattern import lazily
from gitmem.output.failure import Failure, ParserResult

_AROUND: Final = 24
"""Lines before and after one that are asked whether they begin as it does."""
_ENOUGH: Final = 2
"""Other lines that tell whether a word stands before each of them."""
_PATH: Final = lazily(r"[/\\~]|\.{1,2}[\\/]|[A-Za-z]:[\\/]")
"""A name that begins so begins with no word."""
_CLOSED: Final = lazily(r"(?:^|(?<=[ \t]))\S{0,200}[:|>)\]}\u2502\u25b8\u00bb*=](?:[ \t]|$)")
"""What ends with a sign that parts columns; a name of a folder may stand before it, too."""
_COLUMN: Final = lazily(
    r"(?:[^\w\s./\\~@]{1,8}|\S{0,200}[,;-]|[+#=]\S{1,40}|[+-]?\d[\w.:,/+-]{0,40}"
    r"|(?i:[ap]m|utc|gmt|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov"
    r"|dec|std(?:out|err)|level=\w+|err|out|info|debug|notice|trace|verbose|warn(?:ing)?|error"
    r"|fatal|critical|severe)|[A-Z])(?:[ \t]|$)"
    r"|\S{1,200}(?:\t|[ \t]{2,})|<\d{1,3}>(?=\S)|[ \t]+"
)
"""A column that begins a name: signs, a number, a time, a level, what a gap stands behind."""
_PARTED: Final = lazily(r"\S [^\w\s./\\]{1,3} ")
_ENDING: Final = lazily(r"[\\/]|\.[A-Za-z]\w{0,9}$|file$")
_SEPARATOR: Final = lazily(r"[\\/]")
_WORD: Final = lazily(r"(?P<word>\S{1,200})[ \t]")


def is_headed(name: str, lines: Sequence[str], at: int) -> bool:
    """Tell whether a name of a file may begin with what was put before the line.

    Args:
        name: as it was read.
        lines: among which it stands.
        at: the line's number.

    """
    if " " not in name and "\t" not in name and name[:1] != "<":
        return False
    if head_of(name):
        return True
    word = _WORD.match(_SEPARATOR.split(name, maxsplit=1)[0])
    if word is None or _PATH.match(name):
        return not _PATH.match(name) and _PARTED.search(name) is not None
    others = _others(lines, at)
    return len(others) < _ENOUGH or all(word["word"] in line for line in others)


def head_of(name: str) -> str:
    """Give what a name begins with that by its form was put before the line."""
    if _PATH.match(name):
        return ""
    end = max((column.end() for column in _CLOSED.finditer(name)), default=0)
    while column := _COLUMN.match(name, end):
        end = column.end()
    return name[:end]


def headed_names(reading: ParserResult, lines: Sequence[str], at: int) -> set[str]:
    """Give the names of files in what was read that may begin with what was put before a line."""
    places = [each.location for each in reading.failures if each.location]
    names = {place.file for place in places}
    names |= {frame.file for each in reading.failures for frame in each.frames}
    headed = {name for name in names if is_headed(name, lines, at)}
    # Who speaks is taken for a file where no line stands behind it; most files have an ending.
    bare = {place.file for place in places if not (place.line or _ENDING.search(place.file))}
    return headed | bare


def behind_names(names: set[str], lines: Sequence[str], at: int) -> Iterator[list[str]]:
    """Give the lines without what stands before a name, where its form tells that it was put there.

    Args:
        names: that may begin with it.
        lines: among which it stands.
        at: the number of the line that was read.

    """
    from gitmem.matching.shared_heads import without_head

    head = head_of(min(names, default=""))
    bare = head.rstrip(" \t")
    # What stands behind one space may be indented by who wrote the line, or by who carried it.
    for each in dict.fromkeys((head[: len(bare) + 1], head)):
        if each:
            yield without_head(lines, at, each)


def unplaced(reading: ParserResult, names: set[str]) -> ParserResult:
    """Give what was read without the places whose names are not sure."""
    return reading._replace(failures=tuple(_unplaced(each, names) for each in reading.failures))


def _unplaced(failure: Failure, names: set[str]) -> Failure:
    place = failure.location
    return failure._replace(
        location=None if place and place.file in names else place,
        frames=tuple(frame for frame in failure.frames if frame.file not in names),
    )


def _others(lines: Sequence[str], at: int) -> list[str]:
    around = range(max(0, at - _AROUND), min(len(lines), at + _AROUND))
    return [lines[number] for number in around if number != at and lines[number].strip()]
