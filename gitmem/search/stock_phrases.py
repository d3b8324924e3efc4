"""What the operating system and its shells say of any program: it tells none of them apart.

``No such file or directory`` is the same words whatever was not there. In a memory of a few
records such words are rare, and would make any two failures that say them similar.
"""

import errno
import os
import signal
from functools import cache
from typing import Final

from gitmem.index.analysis import terms

_WITHOUT_NUMBER: Final = """
command not found
is not recognized as an internal or external command, operable program or batch file
the system cannot find the file specified
the system cannot find the path specified
access is denied
core dumped
name or service not known
temporary failure in name resolution
"""
"""What shells, Windows and the resolver say, of which Python has no table."""


def stock_terms(text: str) -> set[str]:
    """Give the terms of the stock phrases in a text, wherever else in it they stand."""
    plain = " ".join(text.casefold().split())
    return {term for phrase in _phrases() if phrase in plain for term in terms(phrase)}


@cache
def _phrases() -> frozenset[str]:
    """Give the phrases in small letters: errors by text, name and number, then signals."""
    phrases = set(_WITHOUT_NUMBER.strip().splitlines())
    for number, name in errno.errorcode.items():
        phrases |= {os.strerror(number).casefold(), name.casefold(), f"errno {number}"}
    names = (signal.strsignal(number) for number in signal.valid_signals())
    return frozenset(phrases.union(name.casefold() for name in names if name))
