"""Words of trouble: what makes a line worth a look, whatever tool has printed it.

A line is *hot* if it holds one of the ``STEMS``; blocks of a log without any are passed over at the
speed of ``in``.
"""

from collections.abc import Iterable
from typing import Final

_SHARED: Final[dict[str, tuple[str, ...]]] = {
    "not": (
        "not found",
        "annot ",
        "ould not",
        "not ok ",
        "not recognized",
        "not a TTY",
        "arameter not set",
    ),
    "RR": ("RROR", "ERR!", "ERR_"),
    "ail": ("fail", "Fail"),
    "go:": (".go:", "go: "),
    "ml:": (".yml:", ".yaml:"),
    "ound": ("olution found", "found packages", "nbound variable"),
    "use": ("refused", " in use"),
    "able": ("nable to", "nreachable"),
    "nvalid": ("nvalid argument", "nvalid reference", "nvalid option"),
    "rec": ("recompile with", "nrecognized option"),
}
"""Stems with a piece that they share: a block is searched for the piece, and its lines for them."""
_ALONE: Final = (
    "rror",
    "xception",
    "FAIL",
    "raceback",
    "panic",
    "atal",
    "ATAL",
    "o such ",
    "o module named",
    "enied",
    'File "',
    "Trying:",
    "ndefined",
    "imed out",
    "core dumped",
    "egmentation fault",
    ".py:",
    "--> ",
    "___ ",
    "*** ",
    "equirement",
    "o space left",
    "Aborted",
    "abort: ",
    "by peer",
    "ultiple definition",
    "Killed",
    "ut of memory",
    "exit",
    " stdout ----",
    "import cycle",
    "main package",
    "o Go files",
    "docker: ",
    " must be a ",
    "dditional property",
    ": line ",
    "ad substitution",
    "operand",
    "expression #",
)
_BEYOND_ASCII: Final = ("\u25cf", "\u2716 ", "\u2717 ", "\u2718 ")
GENERAL: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    *_SHARED.items(),
    *((stem, (stem,)) for stem in _ALONE),
)
"""What a block is searched for, each with the stems one of which its line must hold."""
SEARCHED_BEYOND: Final = tuple((stem, (stem,)) for stem in _BEYOND_ASCII)
"""The same, for blocks with letters beyond ASCII."""
STEMS: Final[tuple[str, ...]] = tuple(
    stem for _, stems in (*GENERAL, *SEARCHED_BEYOND) for stem in stems
)
PLAIN_CODES: Final = ("Error", "ERR_TEST_FAILURE")
"""What stands where a code does, without its being one: ``node:test`` writes it."""


def uncovered(words: Iterable[str]) -> tuple[str, ...]:
    """Give the words in which no stem stands: they have to be searched for themselves."""
    return tuple(dict.fromkeys(word for word in words if not any(stem in word for stem in STEMS)))
