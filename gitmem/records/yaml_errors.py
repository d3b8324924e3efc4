"""What is wrong with a YAML text, and where: shared by its reader and by who asks for records."""

from typing import NamedTuple

Path = tuple[str | int, ...]
"""The keys and list positions that lead to a value, from the outside in."""


class Position(NamedTuple):
    """Where in a file, counted from 1."""

    line: int
    column: int


class YamlError(Exception):
    """A text that is not one plain YAML mapping of ours."""

    def __init__(self, code: str, message: str, position: Position, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.position = position
        self.hint = hint


def one_line(reason: object) -> str:
    """Give the words of PyYAML's message, which may be of several lines, as one line."""
    return " ".join(str(reason).split())
