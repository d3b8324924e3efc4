"""Exceptions for misuse and for a hostile environment.

Bad *data* is not an exception here, it is a :class:`gitmem.records.Problem`.
Each class fixes the exit code that the command line returns; the codes are
documented in ``docs/troubleshooting.md``.
"""

import errno
from collections.abc import Iterable
from typing import ClassVar, NamedTuple


class GitmemError(Exception):
    """An expected failure: one line of what and where, one line of what next.

    Args:
        message: what happened and where, one line.
        hint: what to do next, one line, never a destructive command.

    """

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(GitmemError):
    """The call itself makes no sense: an unknown filter value, an unreadable date."""

    exit_code = 2


class NotFoundError(GitmemError):
    """No memory here, or no record or session of that id.

    Args:
        message: what was not found, one line.
        hint: where to look, one line.
        reference: the id that nothing has, as it was typed; empty: no id was looked for.

    """

    exit_code = 3

    def __init__(self, message: str, hint: str = "", reference: str = "") -> None:
        super().__init__(message, hint)
        self.reference = reference


class NoMemoryThenError(NotFoundError):
    """There is a commit, and no memory in it."""


class InvalidError(GitmemError, ValueError):
    """Data that does not validate; ``field`` names the first offending one.

    It is a ValueError too, so that a block built inside another one reports through it.

    Args:
        message: what is wrong, one line.
        hint: what is allowed.
        field: dotted path such as ``frames[0].line``, or an empty string.

    """

    exit_code = 4

    def __init__(self, message: str, hint: str = "", field: str = "") -> None:
        super().__init__(message, hint)
        self.field = field


class ConflictError(GitmemError):
    """The state forbids it: a live session, a foreign folder, an id with other content."""

    exit_code = 5


class EnvironmentProblem(GitmemError):  # noqa: N818  "EnvironmentError" is a builtin
    """The machine forbids it: permissions, a full disk, no git, no locks."""

    exit_code = 6


def install(extra: str) -> str:
    """Say how an extra is installed; in quotes, for shells to which brackets are a pattern."""
    return f'pip install "gitmem-native[{extra}]"'


def next_step(error: OSError) -> str:
    """Say what to do about what the machine refused, for a hint."""
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return "free some space and try again"
    if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        return "give your user permission to write there, and try again"
    return "no partial file was left behind"


def closest(name: str, names: Iterable[str], cutoff: float = 0.6) -> str:
    """Give the name that was probably meant, for a hint; empty if none is near.

    Args:
        name: as it was typed.
        names: those that there are.
        cutoff: how alike the two must be at least, from 0 to 1.

    """
    from difflib import get_close_matches  # noqa: PLC0415  only for a message

    return next(iter(get_close_matches(name, list(names), 1, cutoff)), "")


class Position(NamedTuple):
    """Where in a YAML text, counted from 1."""

    line: int
    column: int


class YamlError(Exception):
    """A text that is not one plain YAML mapping; who asked for it says what that means."""

    def __init__(self, code: str, message: str, position: Position, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.position = position
        self.hint = hint
