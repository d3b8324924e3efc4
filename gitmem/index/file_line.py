"""A file and line that a text names."""

from typing import NamedTuple


class FileLine(NamedTuple):
    """A line of a file, by the file's name in lower case."""

    file: str
    line: int
