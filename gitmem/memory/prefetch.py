"""Starts the slowest part of a question to a large memory before other imports."""

import sys
from collections.abc import Mapping, Sequence
from typing import Final

from gitmem.config import Config
from gitmem.git.edits import start_early
from gitmem.sync import VERSION

_QUESTIONS: Final = frozenset({"search", "list", "log", "show", "status"})


def look_ahead(arguments: Sequence[str], environ: Mapping[str, str]) -> None:
    """Start git's look at the files, if a command line is a question to the memory here.

    Nothing depends on it: where it is not started here, or for another folder than the one that
    is asked about in the end, the comparison starts its own.

    Args:
        arguments: those of the command line, without the program.
        environ: environment variables.

    """
    if not arguments or arguments[0] not in _QUESTIONS or "GITMEM_FOLDER" in environ:
        return
    if arguments[0] == "search" and (len(arguments) == 1 or arguments[1].startswith("-")):
        return  # it may read standard input first: what is edited while it waits would be missed
    if None in (sys.stdin, sys.stdout, sys.stderr):
        return  # the pipe to git would get the number of a stream that was closed
    start_early(".", Config().folder, VERSION, prompt=arguments[0] == "search")
