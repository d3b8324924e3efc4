"""Which parser reads which tool's output: words only, no parser is imported to find out.

A line is *hot* if it holds one of the ``STEMS``; every word of every parser holds a stem (a
test sees to it), so blocks of a log without any are passed over at the speed of ``in``. On
a hot line the parsers whose words stand in it are tried, those of the command first.
"""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Final, NamedTuple

from gitmem.matching.failure import Found

Parse = Callable[[Sequence[str], int, int], Found | None]

STEMS: Final[tuple[str, ...]] = (
    "rror",
    "RROR",
    "ERR!",
    "xception",
    "FAIL",
    "fail",
    "Fail",
    "raceback",
    "panic",
    "atal",
    "ATAL",
    "not found",
    "o such ",
    "enied",
    'File "',
    "ndefined",
    "refused",
    "imed out",
    "core dumped",
    "egmentation fault",
    ".go:",
    ".py:",
    "--> ",
    "●",
    "*** ",
    "nable to",
    "annot ",
    "Killed",
    "ut of memory",
    "exit",
)


class Entry(NamedTuple):
    """A parser: its module, words one of which a line must hold, commands that run the tool."""

    name: str
    words: tuple[str, ...]
    commands: tuple[str, ...] = ()


# In the order in which they are tried: the most specific first.
ENTRIES: Final[tuple[Entry, ...]] = (
    Entry("python", ("Traceback (most recent call last)", 'File "'), ("python", "python3")),
)

_KNOWN: Final = {entry.name: entry for entry in ENTRIES}


@cache
def load(name: str) -> Parse:
    """Import a parser."""
    module = import_module(f"gitmem.matching.parsers.{name}")
    parse: Parse = module.parse
    return parse


def order(command: str | None) -> tuple[Entry, ...]:
    """Give the parsers in the order to try: those that belong to the command come first."""
    words = _words(command or "")
    if not words:
        return ENTRIES
    return tuple(sorted(ENTRIES, key=lambda entry: words.isdisjoint(entry.commands)))


def _words(command: str) -> set[str]:
    """Give the names in a command line: ``./.venv/bin/pytest -q`` names ``pytest``."""
    words = set()
    for word in command[:2_000].replace("\\", "/").split():
        name = word.rsplit("/", 1)[-1].removesuffix(".exe")
        words.add(name)
        words.add(name.rstrip("0123456789.-"))
    return words
